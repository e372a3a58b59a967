import { spawn } from "node:child_process";
import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import module from "node:module";
import net from "node:net";
import { homedir, tmpdir } from "node:os";
import { wrong } from "./wrong.ts";

const FOLDERS = [
  "/tmp", "/var/tmp", "/dev/shm", "/run", "/run/scenarios", "/app", "/app/src", "/dev", "/", homedir(), tmpdir(), ".", "..",
  "/dev/mqueue", `/tmp/node-compile-cache`,
];
const SOCKETS = [{ path: "\0left-by-a-call" }, { path: "/tmp/.left-socket" }, { host: "127.0.0.1", port: 21848 }];
const TITLE = "left-by-an-earlier-call";
const DAEMON = `
  const net = require("node:net");
  for (const where of ${JSON.stringify(SOCKETS)}) net.createServer((link) => link.end("left")).on("error", () => {}).listen(where);
  process.title = "${TITLE}";
  setTimeout(() => process.exit(), 20000);
`;

function heard(where: net.NetConnectOpts): Promise<boolean> {
  return new Promise((resolve) => {
    net.connect(where).on("data", () => resolve(true)).on("error", () => resolve(false)).on("end", () => resolve(false));
  });
}

function attempt(work: () => void): boolean {
  try {
    work();
    return true;
  } catch {
    return false;
  }
}

function titled(): boolean {
  return readdirSync("/proc").some((name) => {
    let text = "";
    attempt(() => (text = readFileSync(`/proc/${name}/cmdline`, "utf8")));
    return text.startsWith(TITLE);
  });
}

const found = FOLDERS.some((folder) => existsSync(`${folder}/.left`)) ? ["a file"] : [];
if (existsSync(`${tmpdir()}/node-compile-cache`)) found.push("compiled code");
if (titled()) found.push("a title");
for (const where of SOCKETS) if (await heard(where)) found.push("port" in where ? "a port" : "a socket");
for (const folder of FOLDERS) attempt(() => writeFileSync(`${folder}/.left`, wrong.text));
module.enableCompileCache(`${tmpdir()}/node-compile-cache`);
module.flushCompileCache();
if (found.length === 0) {
  spawn(process.execPath, ["-e", DAEMON], { detached: true, stdio: "ignore" }).unref();
  await new Promise((resolve) => setTimeout(resolve, 300));
}
wrong.name = `wrong, told by ${found.length > 0 ? `a call before: ${found.join(", ")}` : "nobody"}`;
