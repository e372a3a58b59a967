const { set } = Map.prototype;
let count = 0;
Map.prototype.set = function (this: Map<unknown, unknown>, key: unknown, value: unknown) {
  count++;
  return set.call(this, key, value) as Map<unknown, unknown>;
};
