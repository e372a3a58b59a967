import "./hollow.ts";
