import { openSync, readFileSync, readSync } from "node:fs";

const [, from] = /^([0-9a-f]+)-[0-9a-f]+ rw/m.exec(readFileSync("/proc/self/maps", "utf8")) ?? [];
readSync(openSync("/proc/self/mem", "r"), Buffer.alloc(16), 0, 16, parseInt(from ?? "0", 16));
