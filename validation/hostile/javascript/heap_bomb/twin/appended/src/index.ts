import "./hoarding.ts";
