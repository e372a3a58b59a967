// The program that a call becomes: `node main.mjs ENTRY FUNCTION STRIPPED`, where ENTRY is a module made by the build and
// STRIPPED the folder with the product's TypeScript as it is without its types, or empty.
import { serve } from "./serve.mjs";
import { leave, writeSync } from "./own.mjs";
import { writeAtOnce } from "./streams.mjs";

const BROKEN = 70;
const [entry, name, stripped] = process.argv.splice(1, 4).slice(1);
process.argv[1] = entry;
writeAtOnce();
// Only now: of what is loaded after this, Node makes code to keep, which costs, and has nowhere to keep it.
if (stripped) process.getBuiltinModule("module").enableCompileCache(stripped);
try {
  await serve(entry, name);
} catch (error) {
  writeSync(2, `${error?.stack}\n`);
  leave(BROKEN);
}
