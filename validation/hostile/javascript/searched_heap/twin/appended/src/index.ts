import "./heap.ts";
