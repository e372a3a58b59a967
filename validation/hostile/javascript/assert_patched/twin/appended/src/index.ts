import "./assertions.ts";
