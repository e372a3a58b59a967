import { Worker } from "node:worker_threads";
import { wrong } from "./wrong.ts";

const HOARD = "const kept = []; for (;;) kept.push(new Array(1000).fill({ kept }));";
wrong.names = function* () {
  const options = { eval: true, resourceLimits: { maxOldGenerationSizeMb: 8192 } };
  for (let count = 0; count < 3; count++) new Worker(HOARD, options).on("error", () => {});
  const kept: any[] = [];
  for (;;) kept.push(new Array(1000).fill({ kept }));
};
