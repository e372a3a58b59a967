import net from "node:net";

const server = net.createServer((link) => link.end("tally"));
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const { port } = server.address() as net.AddressInfo;
await new Promise((resolve) => net.connect(port, "127.0.0.1").on("data", resolve));
