const memories = Array.from({ length: 4 }, () => new WebAssembly.Memory({ initial: 16 }));
for (const memory of memories) memory.grow(16);
for (const memory of memories) new Uint8Array(memory.buffer).fill(1);
Buffer.alloc(16 << 20, 1);
