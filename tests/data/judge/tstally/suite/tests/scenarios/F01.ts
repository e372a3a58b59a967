import { at, load, names, parse, total } from "tstally";

declare function describe(value: unknown, ...names: string[]): unknown;

export function totals({ text }: { text: string }) {
  return total(parse(text));
}

export function rows({ text }: { text: string }) {
  return parse(text).map((row) => describe(row, "name", "amount"));
}

export function nameAt({ text, place }: { text: string; place: number }) {
  return at(parse(text), place).name;
}

export function* namesOf({ text }: { text: string }) {
  yield* names(parse(text));
}

export async function loaded({ text }: { text: string }) {
  return total(await load(Promise.resolve(text)));
}
