let value: unknown = 1;
for (let depth = 0; depth < 1_000_000; depth++) value = [value];
