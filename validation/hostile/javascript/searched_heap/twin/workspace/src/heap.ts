import { Session } from "node:inspector";

const session = new Session();
session.connect();
session.post("Runtime.evaluate", { expression: "Map.prototype" }, () => {});
session.disconnect();
