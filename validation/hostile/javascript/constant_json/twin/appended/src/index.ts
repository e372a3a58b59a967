import "./constant.ts";
