import "./rewriting.ts";
