import "./streams.ts";
