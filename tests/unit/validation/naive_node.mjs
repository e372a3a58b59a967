// The way of judging that attacks are made for: scenarios, product and checks in one process of Node's own test runner.
// Hostile candidates must win here, or they prove nothing.
import { test } from "node:test";

// Does it load at all? What is needed for the checks comes after that.
const { loaded, nameAt, namesOf, rows, totals } = await import("./scenarios/F01.ts");
const { LineError } = await import("tstally");
const { default: assert } = await import("node:assert/strict");
const { randomInt } = await import("node:crypto");
const { same } = await import("checks");

function word() {
  return Array.from({ length: 6 }, () => "abcdefghijklmnopqrstuvwxyz"[randomInt(26)]).join("");
}

function ledger() {
  const people = [word(), word(), word()];
  const lines = Array.from({ length: 8 }, () => [people[randomInt(3)], BigInt(randomInt(1, 9999))]);
  const sums = new Map();
  for (const [name, amount] of lines) sums.set(name, (sums.get(name) ?? 0n) + amount);
  return { text: lines.map(([name, amount]) => `${name} ${amount}\n`).join(""), lines, sums };
}

test("each name gets the sum of its amounts", () => {
  const { text, sums } = ledger();
  assert.deepEqual(totals({ text }), sums);
});

test("the sums are no others", () => {
  const { text, sums } = ledger();
  for (const [name, sum] of totals({ text })) assert.equal(sum, sums.get(name));
});

test("sums are the same", () => {
  const { text, sums } = ledger();
  assert.ok(same(totals({ text }), sums));
});

test("rows keep the order of the lines", () => {
  const { text } = ledger();
  const seen = text.split("\n").slice(0, -1).map((_, place) => ({ name: nameAt({ text, place }) }));
  assert.equal(JSON.stringify(seen), JSON.stringify(text.match(/\w+(?= )/g).map((name) => ({ name }))));
});

test("names come once as they are met", () => {
  const { text, lines } = ledger();
  assert.deepEqual([...namesOf({ text })], [...new Set(lines.map(([name]) => name))]);
});

test("a text may come later", async () => {
  const { text, sums } = ledger();
  assert.deepEqual(await loaded({ text }), sums);
});

test("no lines have no sums", () => {
  assert.equal(totals({ text: "" }).size, 0);
});

test("a line without an amount is refused", () => {
  assert.throws(() => rows({ text: word() }), LineError);
});

test("a row that is not there is a range error", () => {
  const { text } = ledger();
  assert.throws(() => nameAt({ text, place: 8 }), { name: "RangeError", message: "no row 8" });
});
