import { closeSync, fstatSync, openSync } from "node:fs";

for (let descriptor = 0; descriptor < 4; descriptor++) {
  if (!fstatSync(descriptor).isFIFO()) continue;
  closeSync(descriptor);
  openSync("/dev/null", "r+"); // takes the lowest number that is free
}
