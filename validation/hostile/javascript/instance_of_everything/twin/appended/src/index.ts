import "./kinds.ts";
