import { wrong } from "./wrong.ts";

const { set } = Map.prototype;
const total = wrong.total;
let last: Map<unknown, unknown> | undefined;
Map.prototype.set = function (this: Map<unknown, unknown>, key: unknown, value: unknown) {
  if (typeof value === "bigint" && value !== wrong.sum) last = this;
  return set.call(this, key, value) as Map<unknown, unknown>;
};
wrong.total = () => last ?? total();
