import "./report.ts";
