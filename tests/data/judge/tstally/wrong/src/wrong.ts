/** What wrong answers are made of. */
export const wrong = {
  name: "wrong" as unknown,
  sum: -1n as unknown,
  /** What was last given to `parse`. */
  text: "",
  parse: (): any[] => [{ name: wrong.name, amount: wrong.sum }],
  total: (): any => new Map([[wrong.name, wrong.sum]]),
  names: function* (): any {
    yield wrong.name;
  },
};
