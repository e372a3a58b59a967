import { LineError } from "./errors.ts";

/** One line. */
export class Row {
  readonly name: string;
  readonly #amount: bigint;

  constructor(name: string, amount: bigint) {
    this.name = name;
    this.#amount = amount;
  }

  get amount(): bigint {
    return this.#amount;
  }
}

/** One row a line. */
export function parse(text: string): Row[] {
  const rows: Row[] = [];
  for (const [place, line] of text.split("\n").entries()) {
    if (line === "") continue;
    const parts = /^(\S+) (-?\d+)$/.exec(line);
    if (parts === null) throw new LineError(place + 1, line);
    rows.push(new Row(parts[1], BigInt(parts[2])));
  }
  return rows;
}

/** The sum of each name. */
export function total(rows: Iterable<Row>): Map<string, bigint> {
  const sums = new Map<string, bigint>();
  for (const row of rows) sums.set(row.name, (sums.get(row.name) ?? 0n) + row.amount);
  return sums;
}

/** The row at a place, counted from 0. Throws a RangeError when there is none. */
export function at(rows: readonly Row[], place: number): Row {
  if (place < 0 || place >= rows.length) throw new RangeError(`no row ${place}`);
  return rows[place];
}

/** Each name once, as it is met. */
export function* names(rows: Iterable<Row>): Generator<string> {
  const met = new Set<string>();
  for (const { name } of rows) {
    if (met.has(name)) continue;
    met.add(name);
    yield name;
  }
}

/** The rows of a text that comes later. */
export async function load(text: Promise<string>): Promise<Row[]> {
  return parse(await text);
}
