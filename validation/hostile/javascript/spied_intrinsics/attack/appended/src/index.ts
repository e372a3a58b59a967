import "./spying.ts";
