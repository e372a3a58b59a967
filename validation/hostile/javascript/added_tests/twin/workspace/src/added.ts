import { test } from "node:test";

test("nothing here knows of a suite", () => {});
