const kept: unknown[] = [];
for (let count = 0; count < 3000; count++) kept.push(new Array(1000).fill({ count }));
