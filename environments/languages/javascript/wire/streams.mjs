// Standard output and error to pipes hold back what a pipe has no room for, and would lose it when the process leaves.
import { defineProperty, getOwnPropertyDescriptor, run, setPrototypeOf } from "./own.mjs";

/** Let every write to them wait until it is done. They are only made when somebody asks for them. */
export function writeAtOnce() {
  for (const name of ["stdout", "stderr"]) {
    const made = setPrototypeOf(getOwnPropertyDescriptor(process, name), null);
    const get = () => {
      defineProperty(process, name, made);
      const stream = run(made.get, process, []);
      stream._handle?.setBlocking?.(true);
      return stream;
    };
    defineProperty(process, name, { __proto__: null, ...made, get });
  }
}
