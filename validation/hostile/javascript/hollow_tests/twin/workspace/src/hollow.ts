import { AsyncResource } from "node:async_hooks";

const { runInAsyncScope } = AsyncResource.prototype;
AsyncResource.prototype.runInAsyncScope = function (this: AsyncResource, ...args: any[]) {
  return (runInAsyncScope as any).apply(this, args);
} as any;
new AsyncResource("tally").runInAsyncScope(() => 1);
