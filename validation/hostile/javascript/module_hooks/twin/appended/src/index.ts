import "./hooks.ts";
