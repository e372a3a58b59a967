import "./leaving.ts";
