process.on("exit", () => (process as any).reallyExit(0));
process.exit(0);
