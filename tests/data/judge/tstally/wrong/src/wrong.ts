/** What wrong answers are made of. */
export const wrong: { name: unknown; sum: unknown } = { name: "wrong", sum: -1n };
