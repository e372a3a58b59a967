import module, { registerHooks } from "node:module";

const seen: string[] = [];
registerHooks({
  resolve: (specifier, context, next) => {
    seen.push(specifier);
    return next(specifier, context);
  },
  load: (url, context, next) => next(url, context),
});
const load = (module as any)._load;
(module as any)._load = (...args: unknown[]) => load(...args);
await import("node:os");
