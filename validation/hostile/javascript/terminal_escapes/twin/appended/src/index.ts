import "./screen.ts";
