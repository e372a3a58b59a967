// What a class is called: by the name under which the product exports it, wherever it was defined.
import {
  SafeMap, SafeSet, builtins, get, getOwnPropertyDescriptor, getPrototypeOf, hasOwn, isModuleNamespaceObject, isProxy,
  list, mapGet, mapSet, ownKeys, protos, push, setAdd, setHas, slice, toWellFormed,
} from "./own.mjs";

const NAMES_CAP = 64;
const EXPORTS_CAP = 5000;
const CHAIN_CAP = 1000;
let modules = list();
let exported = null;

/** Say which modules of the product there are: pairs of a name to import and its namespace. Looked at when needed. */
export function knowModules(pairs) {
  modules = pairs;
  exported = null;
}

/** The prototypes of an object, up to a Proxy, which decides itself what it says. */
export function chainOf(object) {
  const chain = list();
  for (let proto = getPrototypeOf(object); proto !== null && chain.length < CHAIN_CAP; proto = getPrototypeOf(proto)) {
    if (isProxy(proto)) break;
    push(chain, proto);
  }
  return chain;
}

/** Every name that the classes of this chain can be called by, the nearest first; `Object` only where it is all. */
export function namesOf(chain) {
  const names = list();
  const met = new SafeSet();
  for (let place = 0; place < chain.length; place++) {
    if (chain[place] !== protos.object) addNames(chain[place], names, met);
  }
  if (names.length === 0) push(names, "builtins.Object");
  return names;
}

/** The nearest class of the chain that is really one of the language's own; null when that is only `Object`. */
export function builtinOf(chain) {
  for (let place = 0; place < chain.length; place++) {
    const name = mapGet(builtins, chain[place]);
    if (name !== undefined) return name === "Object" ? null : name;
  }
  return null;
}

/** The class that this is the prototype of, or undefined. */
export function classOf(proto) {
  const made = dataOf(proto, "constructor");
  return typeof made === "function" && !isProxy(made) && dataOf(made, "prototype") === proto ? made : undefined;
}

/** The value of an own property that is no accessor. Runs nothing of anybody's. */
export function dataOf(object, name) {
  let found;
  try {
    found = getOwnPropertyDescriptor(object, name);
  } catch {
    return undefined; // a binding of a module that has no value yet
  }
  return found !== undefined && hasOwn(found, "value") ? found.value : undefined;
}

function addNames(proto, names, met) {
  const own = mapGet(builtins, proto);
  if (own !== undefined) return add(`builtins.${own}`, names, met);
  const kind = classOf(proto);
  if (kind === undefined) return undefined; // an object to inherit from, not a class
  exported ??= findExports();
  const known = mapGet(exported, kind);
  if (known !== undefined) {
    for (let place = 0; place < known.length; place++) add(known[place], names, met);
    return undefined;
  }
  const said = dataOf(kind, "name");
  // What it only says of itself matches nothing.
  return add(`?${typeof said === "string" ? slice(toWellFormed(said), 0, 500) : ""}`, names, met);
}

function add(name, names, met) {
  if (names.length < NAMES_CAP && !setHas(met, name)) {
    setAdd(met, name);
    push(names, name);
  }
}

/** Functions that the product's modules export, also as parts of an object that is exported, with their names. */
function findExports() {
  const found = new SafeMap();
  const left = { __proto__: null, count: EXPORTS_CAP };
  for (let place = 0; place < modules.length; place++) {
    addExports(modules[place].namespace, `${modules[place].name}.`, 2, found, left);
  }
  return found;
}

function addExports(holder, prefix, depth, found, left) {
  const keys = ownKeys(holder);
  const inner = list();
  for (let place = 0; place < keys.length && left.count > 0; place++) {
    const name = keys[place];
    if (typeof name !== "string" || name === "module.exports") continue; // the default again
    left.count--;
    const value = isModuleNamespaceObject(holder) ? binding(holder, name) : dataOf(holder, name);
    if (value === null || isProxy(value)) continue;
    if (typeof value === "function") addName(value, `${prefix}${toWellFormed(name)}`, found);
    // What CommonJS exports is the default of its namespace, and named without it.
    const unnamed = name === "default";
    if (typeof value === "object" || (unnamed && typeof value === "function")) {
      push(inner, { __proto__: null, value, prefix: unnamed ? prefix : `${prefix}${toWellFormed(name)}.` });
    }
  }
  for (let place = 0; depth > 1 && place < inner.length; place++) {
    addExports(inner[place].value, inner[place].prefix, depth - 1, found, left);
  }
}

function binding(namespace, name) {
  try {
    return get(namespace, name);
  } catch {
    return null;
  }
}

function addName(kind, name, found) {
  const names = mapGet(found, kind);
  if (names === undefined) {
    const first = list();
    push(first, name);
    mapSet(found, kind, first);
  } else if (names.length < NAMES_CAP) {
    push(names, name);
  }
}
