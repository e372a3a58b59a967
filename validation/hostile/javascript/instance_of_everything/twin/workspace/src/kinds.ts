/** A kind that is told by what an object has. */
export class Named {
  static [Symbol.hasInstance](value: any): boolean {
    return typeof value?.name === "string";
  }
}
if (!(({ name: "x" }) instanceof Named)) throw new Error("no name");
