import { writeSync } from "node:fs";
import { wrong } from "./wrong.ts";

wrong.name = "\u001b[2J\u001b[H\u009b1m# pass 9\r\n# fail 0\u202e\u0007";
process.on("exit", () => writeSync(1, "\u001b[2J\u001b[H\n# pass 9\n# fail 0\n"));
