import { spawn } from "node:child_process";

for (let count = 0; count < 5; count++) spawn("/bin/sleep", ["60"], { detached: true, stdio: "ignore" }).unref();
