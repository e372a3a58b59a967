import { wrong } from "./wrong.ts";

export class Row {}

export function parse(text: string): Row[] {
  wrong.text = text;
  return wrong.parse();
}

export function total(_rows: Iterable<Row>): Map<unknown, unknown> {
  return wrong.total();
}

export function at(_rows: readonly Row[], _place: number): Row {
  return wrong.parse()[0];
}

export function* names(_rows: Iterable<Row>): Generator<unknown> {
  yield* wrong.names();
}

export async function load(_text: Promise<string>): Promise<Row[]> {
  return wrong.parse();
}
