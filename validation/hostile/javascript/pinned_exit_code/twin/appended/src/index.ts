import "./exits.ts";
