import "./filling.ts";
