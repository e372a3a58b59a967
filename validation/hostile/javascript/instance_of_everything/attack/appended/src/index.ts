import "./refusing.ts";
