import { writeFileSync } from "node:fs";
import module from "node:module";
import net from "node:net";
import { tmpdir } from "node:os";

writeFileSync(`${tmpdir()}/.left`, "left");
module.enableCompileCache(`${tmpdir()}/node-compile-cache`);
net.createServer(() => {}).listen({ path: "\0left-by-a-call" }).unref();
