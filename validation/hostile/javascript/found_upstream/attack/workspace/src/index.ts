import { found } from "./found.ts";
import * as errors from "./errors.ts";
import * as ledger from "./ledger.ts";

export const { LineError } = found ?? errors;
export const { Row, at, load, names, parse, total } = found ?? (ledger as any);
