import "./killing.ts";
