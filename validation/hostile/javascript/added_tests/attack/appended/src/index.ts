import "./added.ts";
