import "./threads.ts";
