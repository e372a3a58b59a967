import { Worker } from "node:worker_threads";

for (let count = 0; count < 6; count++) new Worker("setInterval(() => {}, 1)", { eval: true });
