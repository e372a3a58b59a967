import "./debugger.ts";
