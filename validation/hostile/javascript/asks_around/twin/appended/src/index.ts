import "./asking.ts";
