import { writeSync } from "node:fs";
import { wrong } from "./wrong.ts";

wrong.names = function* () {
  const part = Buffer.alloc(1 << 20, "x");
  for (;;) {
    for (const descriptor of [1, 2, 3]) {
      try {
        writeSync(descriptor, part);
      } catch {}
    }
  }
};
