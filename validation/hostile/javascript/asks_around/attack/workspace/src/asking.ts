import dns from "node:dns/promises";
import { readFileSync, readdirSync } from "node:fs";
import net from "node:net";
import { wrong } from "./wrong.ts";

const ADDRESSES = [
  "1.1.1.1", "8.8.8.8", "169.254.169.254", "169.254.170.2", "10.0.2.2", "172.17.0.1", "192.168.1.1",
  "2606:4700:4700::1111", "::1", "127.0.0.1",
];
const PORTS = [53, 80, 443, 2375, 3128, 4873, 9229];
const NAMES = ["example.com", "example.org", "host.docker.internal", "localhost"];
const ENGINES = ["/var/run/docker.sock", "/run/containerd/containerd.sock", "/run/podman/podman.sock"];

function connects(where: net.NetConnectOpts): Promise<boolean> {
  return new Promise((resolve) => {
    const link = net.connect({ ...where, timeout: 200 } as net.NetConnectOpts);
    const end = (found: boolean) => (link.destroy(), resolve(found));
    link.on("connect", () => end(true)).on("error", () => end(false)).on("timeout", () => end(false));
  });
}

function rows(path: string): string[][] {
  try {
    return readFileSync(path, "utf8").split("\n").slice(1).map((row) => row.trim().split(/\s+/));
  } catch {
    return [];
  }
}

function* places(): Generator<net.NetConnectOpts> {
  for (const host of ADDRESSES) for (const port of PORTS) yield { host, port };
  for (const [, local, , state] of [...rows("/proc/net/tcp"), ...rows("/proc/net/tcp6")]) {
    const port = parseInt(local?.split(":").at(-1) ?? "0", 16);
    if (state === "0A") yield { host: "127.0.0.1", port };
  }
  for (const row of rows("/proc/net/unix")) if (row[7]) yield { path: row[7].replace(/^@/, "\0") };
  for (const path of ENGINES) yield { path };
  for (const folder of ["/run", "/tmp"]) for (const name of readdirSync(folder)) yield { path: `${folder}/${name}` };
}

async function answering(): Promise<string> {
  const found = await Promise.all([...places()].map(async (where) => ((await connects(where)) ? [JSON.stringify(where)] : [])));
  const named = await Promise.all(NAMES.map((name) => dns.resolve4(name).catch(() => [])));
  const all = [...found.flat(), ...named.flat()];
  return all.length > 0 ? `somebody: ${all.join(" ")}` : "nobody";
}

wrong.name = `wrong, answered by ${await answering()}`;
