import "./becoming.ts";
