import "./found.ts";
