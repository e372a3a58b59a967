import "./closing.ts";
