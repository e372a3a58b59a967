import "./forking.ts";
