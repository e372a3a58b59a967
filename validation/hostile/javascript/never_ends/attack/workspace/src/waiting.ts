import { Worker } from "node:worker_threads";
import { wrong } from "./wrong.ts";

wrong.names = function* () {
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP", "SIGALRM", "SIGXCPU"] as const) process.on(signal, () => {});
  setInterval(() => {}, 1000);
  new Worker("Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)", { eval: true });
  yield /^(a|aa)+$/.test(`${"a".repeat(200)}b`);
  yield /(x+x+)+y/.test("x".repeat(200));
};
