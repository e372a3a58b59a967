import assert from "node:assert";
import { syncBuiltinESMExports } from "node:module";

const holder: any = assert;
holder.integer = (value: unknown) => assert.equal(typeof value, "bigint");
holder.integer(1n);
syncBuiltinESMExports();
