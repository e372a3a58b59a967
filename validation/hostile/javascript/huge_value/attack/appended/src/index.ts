import "./huge.ts";
