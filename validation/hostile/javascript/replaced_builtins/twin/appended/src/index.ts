import "./builtins.ts";
