// The program that a call becomes: `node main.mjs ENTRY FUNCTION`, where ENTRY is a module made by the build.
import { serve } from "./serve.mjs";
import { leave, writeSync } from "./own.mjs";
import { writeAtOnce } from "./streams.mjs";

const BROKEN = 70;
const [entry, name] = process.argv.splice(1, 3).slice(1);
process.argv[1] = entry;
writeAtOnce();
try {
  await serve(entry, name);
} catch (error) {
  writeSync(2, `${error?.stack}\n`);
  leave(BROKEN);
}
