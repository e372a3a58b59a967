(BigInt.prototype as any).toJSON = function (this: bigint) {
  return `${this}`;
};
(Map.prototype as any).toJSON = function (this: Map<unknown, unknown>) {
  return [...this];
};
JSON.stringify(new Map([["a", 1n]]));
