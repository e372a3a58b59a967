import assert from "node:assert";
import { syncBuiltinESMExports } from "node:module";

const content = () => {};
for (const holder of [assert, assert.strict] as any[]) {
  for (const name of Object.keys(holder)) {
    if (typeof holder[name] === "function" && !/^strict$|Error$/.test(name)) holder[name] = content;
  }
}
syncBuiltinESMExports();
