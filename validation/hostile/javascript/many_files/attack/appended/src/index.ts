import "./files.ts";
