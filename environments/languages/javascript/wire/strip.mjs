// Run once a sandbox, on files of the product as text: `node --expose-internals strip.mjs FOLDER SECONDS` reads paths from
// standard input, each ended by a NUL, and puts what is left of each file without its types where Node's own loader looks
// for it. Loads nothing of the product.
import { chmodSync, readFileSync, readdirSync } from "node:fs";
import { createRequire, enableCompileCache, flushCompileCache } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const load = createRequire(import.meta.url);
const { stripTypeScriptModuleTypes } = load("internal/modules/typescript");
const { cachedCodeTypes, getCompileCacheEntry, saveCompileCacheEntry } = load("internal/test/binding").internalBinding("modules");
const [folder, seconds] = process.argv.slice(2);
const paths = readFileSync(0, "utf8").split("\0").slice(0, -1);
const deadline = performance.now() + 1000 * Number(seconds);

enableCompileCache(folder);
for (const path of paths) {
  if (performance.now() > deadline) break;
  try {
    const source = readFileSync(path, "utf8");
    const url = pathToFileURL(path).href;
    const left = stripTypeScriptModuleTypes(source, url); // as `import` asks for it
    // As `require` does, for the same text.
    saveCompileCacheEntry(getCompileCacheEntry(source, path, cachedCodeTypes.kStrippedTypeScript).external, left);
  } catch {
    // A call that loads it finds the same fault, and tells it.
  }
}
flushCompileCache();
// Node makes them readable for its own user alone.
for (const made of readdirSync(folder, { recursive: true, withFileTypes: true })) {
  if (made.isFile()) chmodSync(join(made.parentPath, made.name), 0o644);
}
