import "./late.ts";
