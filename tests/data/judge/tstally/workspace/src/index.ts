// Adds up lines of `name amount`.
export { LineError } from "./errors.ts";
export { Row, at, load, names, parse, total } from "./ledger.ts";
