import { isName } from "checks";

if (!isName("name")) throw new Error("a name is none");
