// Run once a build, on the suite's own files alone: `node --expose-internals scan.mjs FOLDER` prints each scenario file
// as plain JavaScript, with its functions and what it imports. Node's own parser reads them.
import { readFileSync, readdirSync } from "node:fs";
import { createRequire, stripTypeScriptTypes } from "node:module";
import { join } from "node:path";

const { parse } = createRequire(import.meta.url)("internal/deps/acorn/acorn/dist/acorn");
const ENDING = /\.m?(ts|js)$/;
const [folder] = process.argv.slice(2);
const files = {};
const kinds = new URL("kinds.mjs", import.meta.url).href;

try {
  for (const name of readdirSync(folder).sort()) {
    if (!ENDING.test(name) || /\.d\.m?ts$/.test(name)) continue;
    const stem = name.replace(ENDING, "");
    if (stem in files) throw new Error("there is another file of that name");
    files[stem] = read(name);
  }
  process.stdout.write(JSON.stringify({ files }));
} catch (error) {
  process.stdout.write(JSON.stringify({ broken: String(error?.message) }));
}

function read(name) {
  try {
    const source = readFileSync(join(folder, name), "utf8");
    const code = name.endsWith("ts") ? stripTypeScriptTypes(source) : source;
    const { body } = parse(code, { ecmaVersion: "latest", sourceType: "module" });
    const given = body.some((node) => declares(node, "describe")) ? "" : `import { describe } from "${kinds}"; `;
    return { code: given + code, functions: body.flatMap(functionsOf), imports: body.flatMap(importsOf) };
  } catch (error) {
    throw new Error(`${name}: ${error.message}`);
  }
}

/** Functions that are declared where they are exported. */
function functionsOf(node) {
  const made = node.type === "ExportNamedDeclaration" ? node.declaration : null;
  return made?.type === "FunctionDeclaration" && !made.id.name.startsWith("_") ? [made.id.name] : [];
}

function importsOf(node) {
  return node.source ? [node.source.value] : [];
}

function declares(node, name) {
  const made = node.declaration ?? node;
  const ids = [made.id, ...(made.declarations ?? []).map((one) => one.id), ...(made.specifiers ?? []).map((one) => one.local)];
  return ids.some((id) => id?.name === name);
}
