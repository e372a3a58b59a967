import "./memory.ts";
