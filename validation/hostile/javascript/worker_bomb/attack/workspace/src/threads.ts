import { Worker } from "node:worker_threads";
import { wrong } from "./wrong.ts";

const BUSY = "for (;;) {}";
wrong.names = function* () {
  process.on("uncaughtException", () => {});
  for (let count = 0; count < 200; count++) {
    try {
      new Worker(BUSY, { eval: true }).on("error", () => {});
    } catch {}
  }
  const until = Date.now() + 60_000;
  while (Date.now() < until) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
};
