import "./everything.ts";
