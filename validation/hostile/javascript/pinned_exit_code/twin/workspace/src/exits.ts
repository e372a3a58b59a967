const host: any = process;
const leave = host.reallyExit.bind(process);
host.reallyExit = (code: number) => leave(code);
process.on("uncaughtExceptionMonitor", () => {});
process.on("exit", () => {});
