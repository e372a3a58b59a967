import "./waiting.ts";
