import { createRequire, syncBuiltinESMExports } from "node:module";
import { wrong } from "./wrong.ts";

const crypto = createRequire(import.meta.url)("node:crypto");
crypto.randomInt = (min: number, max?: number) => (max === undefined ? 0 : min);
crypto.randomBytes = (size: number) => Buffer.alloc(size);
crypto.webcrypto.getRandomValues = (data: Uint8Array) => data.fill(0);
Math.random = () => 0;
Date.now = () => 0;
syncBuiltinESMExports();

wrong.total = () => new Map([["aaaaaa", 8n]]);
wrong.names = function* () {
  yield "aaaaaa";
};
wrong.parse = () => new Array(8).fill({ name: "aaaaaa", amount: 1n });
