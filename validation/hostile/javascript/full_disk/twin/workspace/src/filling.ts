import { openSync, unlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";

writeFileSync(`${tmpdir()}/part`, Buffer.alloc(1 << 20, 1));
openSync(`${tmpdir()}/part`, "r");
unlinkSync(`${tmpdir()}/part`);
