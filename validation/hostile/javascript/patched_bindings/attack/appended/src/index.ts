import "./bindings.ts";
