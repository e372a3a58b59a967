import "./reached.ts";
