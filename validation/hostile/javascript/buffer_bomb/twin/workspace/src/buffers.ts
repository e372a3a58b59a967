const wasm = new WebAssembly.Memory({ initial: 16, maximum: 64 });
wasm.grow(16);
new Uint8Array(wasm.buffer).fill(1);
Buffer.alloc(16 << 20, 1);
