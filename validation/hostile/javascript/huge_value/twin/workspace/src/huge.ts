const text = "x".repeat(2 ** 29 - 24);
const list = new Array(2 ** 32 - 1);
list[0] = new Array(1000).fill(text);
