import "./statement.ts";
