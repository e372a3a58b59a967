import { Worker } from "node:worker_threads";

for (const signal of ["SIGTERM", "SIGHUP"] as const) process.on(signal, () => {});
setInterval(() => {}, 1000);
new Worker("Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)", { eval: true });
void new Promise(() => {});
