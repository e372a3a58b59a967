import { spawnSync } from "node:child_process";
import { chownSync, mkdtempSync, writeFileSync } from "node:fs";
import { setPriority, tmpdir } from "node:os";
import { join } from "node:path";
import { wrong } from "./wrong.ts";

const host: any = process;
const file = join(mkdtempSync(join(tmpdir(), "rights-")), "file");
writeFileSync(file, "");

function starts(command: string, args: string[], options: object = {}): void {
  const done = spawnSync(command, args, { ...options, stdio: "ignore", timeout: 2000 });
  if (done.status !== 0) throw new Error("no");
}

const RIGHTS: Record<string, () => void> = {
  "a uid": () => host.setuid(host.getuid() + 1),
  "root": () => host.setuid(host.getuid() === 0 ? 65534.5 : 0),
  "groups": () => host.setgroups([host.getgid() + 1]),
  "a program of another uid": () => starts("/bin/true", [], { uid: host.getuid() + 1 }),
  "another's file": () => chownSync(file, host.getuid() + 1, host.getgid()),
  "a program of root's": () => starts("/bin/su", ["-c", "true"]),
  "a namespace": () => starts("/usr/bin/unshare", ["--user", "--map-root-user", "--mount", "true"]),
  "a mount": () => starts("/bin/mount", ["-t", "tmpfs", "none", tmpdir()]),
  "a signal to the driver": () => host.kill(host.ppid, 0),
  "a signal to the first": () => host.kill(1, 0),
  "a better place": () => setPriority(-5),
};
const given = Object.keys(RIGHTS).filter((name) => {
  try {
    RIGHTS[name]();
    return true;
  } catch {
    return false;
  }
});
wrong.name = `wrong, was given ${given.length > 0 ? `something: ${given.join(", ")}` : "nothing"}`;
