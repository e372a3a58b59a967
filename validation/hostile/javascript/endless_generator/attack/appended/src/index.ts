import "./endless.ts";
