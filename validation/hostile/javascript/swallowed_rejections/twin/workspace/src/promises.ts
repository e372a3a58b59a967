const { then } = Promise.prototype;
let count = 0;
Promise.prototype.then = function (this: Promise<unknown>, ...args: any[]) {
  count++;
  return (then as any).apply(this, args);
} as any;
(Promise.prototype as any).always = function (this: Promise<unknown>, done: any) {
  return this.then(done, done);
};
