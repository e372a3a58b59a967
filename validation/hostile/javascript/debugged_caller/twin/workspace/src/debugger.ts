import { once } from "node:events";
import { Worker } from "node:worker_threads";

const worker = new Worker(
  `
  const { Session } = require("node:inspector");
  const session = new Session();
  session.connectToMainThread();
  const alive = setInterval(() => {}, 1000);
  session.post("Runtime.evaluate", { expression: "1 + 1" }, () => {
    require("node:worker_threads").parentPort.postMessage("ready");
    clearInterval(alive);
  });
  `,
  { eval: true },
);
await once(worker, "message");
worker.unref();
