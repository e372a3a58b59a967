import "./daemon.ts";
