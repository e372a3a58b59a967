process.exitCode = 0;
process.on("exit", (code) => (process.exitCode = code));
process.on("beforeExit", () => {});
