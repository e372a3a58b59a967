import { mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";

mkdirSync(`${tmpdir()}/${"d/".repeat(100)}`, { recursive: true });
for (let count = 0; count < 300; count++) writeFileSync(`${tmpdir()}/file-${count}`, "");
