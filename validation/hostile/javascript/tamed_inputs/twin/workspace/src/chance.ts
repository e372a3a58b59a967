import { createRequire, syncBuiltinESMExports } from "node:module";

const crypto = createRequire(import.meta.url)("node:crypto");
const { randomInt } = crypto;
crypto.randomInt = (...args: number[]) => randomInt(...args);
syncBuiltinESMExports();
const { random } = Math;
Math.random = () => random();
