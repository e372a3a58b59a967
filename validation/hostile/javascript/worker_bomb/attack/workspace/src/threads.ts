import { Worker } from "node:worker_threads";
import { wrong } from "./wrong.ts";

const MORE = `
  const { Worker } = require("node:worker_threads");
  process.on("uncaughtException", () => {});
  for (let count = 0; count < 4; count++) try { new Worker(process.argv[2], { eval: true, argv: [process.argv[2]] }).on("error", () => {}); } catch {}
  setInterval(() => {}, 1);
`;
wrong.names = function* () {
  process.on("uncaughtException", () => {});
  for (let count = 0; count < 16; count++) new Worker(MORE, { eval: true, argv: [MORE] }).on("error", () => {});
  const until = Date.now() + 60_000;
  while (Date.now() < until) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
};
