import "./checked.ts";
