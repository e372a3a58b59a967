import "./output.ts";
