import { spawn } from "node:child_process";

spawn(process.execPath, ["-e", "setInterval(() => {}, 1)"], { detached: true, stdio: "ignore" }).unref();
