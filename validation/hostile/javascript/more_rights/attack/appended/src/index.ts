import "./rights.ts";
