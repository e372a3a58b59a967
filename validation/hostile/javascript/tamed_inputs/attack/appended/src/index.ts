import "./chance.ts";
