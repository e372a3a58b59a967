import { wrong } from "./wrong.ts";

wrong.names = function* () {
  const kept: unknown[] = [];
  for (;;) kept.push(new Array(1 << 22).fill(1.5));
};
