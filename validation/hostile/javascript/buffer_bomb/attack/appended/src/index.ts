import "./buffers.ts";
