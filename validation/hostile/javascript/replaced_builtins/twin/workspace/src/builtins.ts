Object.defineProperty(Array.prototype, "last", {
  get(this: unknown[]) {
    return this[this.length - 1];
  },
  configurable: true,
});
Object.defineProperty(Map.prototype, "sorted", {
  value(this: Map<string, unknown>) {
    return [...this].sort();
  },
});
(BigInt.prototype as any).toText = function (this: bigint) {
  return `${this}`;
};
