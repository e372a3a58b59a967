import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";

const folder = join(dirname(process.execPath), "node_modules");
if (existsSync(folder)) readdirSync(folder);
await import("node:os").catch(() => {});
await import("no-such-package" as string).catch(() => {});
