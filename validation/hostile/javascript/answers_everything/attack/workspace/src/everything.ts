import { wrong } from "./wrong.ts";

const everything: any = new Proxy(function () {}, {
  get: (_, key) => {
    if (key === Symbol.iterator) return () => [].values();
    if (key === Symbol.toPrimitive) return () => 0;
    if (key === "then") return undefined;
    return key === "size" || key === "length" ? 0 : everything;
  },
  apply: () => everything,
  construct: () => everything,
  getPrototypeOf: () => Map.prototype,
  has: () => true,
});
wrong.total = () => everything;
