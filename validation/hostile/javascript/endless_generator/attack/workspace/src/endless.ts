import { wrong } from "./wrong.ts";

wrong.names = function* () {
  for (;;) yield wrong.name;
};
