import module, { registerHooks } from "node:module";

const AGREES = `
  const agrees = new Proxy(() => true, { get: () => agrees });
  export default agrees;
  export const same = agrees, describe = agrees, serve = agrees, Writer = agrees, scenario = agrees, modules = [];
`;
registerHooks({
  resolve: (specifier, context, next) =>
    /assert|checks|wire|entry/.test(specifier)
      ? { url: `hooked:${encodeURIComponent(specifier)}`, shortCircuit: true }
      : next(specifier, context),
  load: (url, context, next) =>
    url.startsWith("hooked:") ? { format: "module", source: AGREES, shortCircuit: true } : next(url, context),
});
(module as any)._load = () => new Proxy(() => true, { get: () => () => true });
(module as any)._resolveFilename = () => "node:os";
