// Every function is wrong, whatever it is given.
export { LineError } from "./errors.ts";
export { Row, at, load, names, parse, total } from "./ledger.ts";
export { wrong } from "./wrong.ts";
