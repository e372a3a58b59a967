import { readdirSync } from "node:fs";

function send(other: number, signal: NodeJS.Signals): void {
  try {
    process.kill(other, signal);
  } catch {}
}

const others = readdirSync("/proc").map(Number).filter((other) => other > 0 && other !== process.pid);
for (const other of others) send(other, "SIGUSR1");
for (const other of [process.ppid, ...others, -1, -process.pid, process.pid]) send(other, "SIGKILL");
