import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

const runner = readFileSync("/proc/self/cmdline", "utf8").split("\0").find((word) => word.endsWith("main.mjs"));
if (runner) await import(join(dirname(runner), "encode.mjs"));
