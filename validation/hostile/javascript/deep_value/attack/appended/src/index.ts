import "./deep.ts";
