import { closeSync, openSync } from "node:fs";

for (let count = 0; count < 5; count++) closeSync(openSync("/dev/null", "r+"));
