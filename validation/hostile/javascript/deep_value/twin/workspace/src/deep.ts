let value: unknown = 1;
for (let depth = 0; depth < 100_000; depth++) value = [value];
