// An error as the statement tells it: its names, its text, and the data that a caller can read from it.
import {
  SafeMap, SafeSet, builtins, get, isProxy, list, mapEach, mapGet, mapSet, ownKeys, protos, push, setAdd, setHas, setSize,
  slice, text,
} from "./own.mjs";
import { Writer } from "./encode.mjs";
import { builtinOf, chainOf, classOf, namesOf } from "./names.mjs";
import { TOO_LARGE } from "./reach.mjs";

const MESSAGE_CAP = 10_000;
const NAMES_CAP = 200;

/** The written statement about whatever was thrown, without attributes where they fit no frame. */
export function raised(thrown) {
  const told = tell(thrown);
  try {
    return write(told, told.attrs);
  } catch (error) {
    if (error !== TOO_LARGE) throw error;
    return write(told, new SafeMap());
  }
}

function write({ names, builtin, message }, attrs) {
  const writer = new Writer();
  writer.raw('{"outcome":"raised","error":{"type":');
  writer.quoted(names[0]);
  writer.raw(',"bases":');
  writer.array(names.length - 1, (place) => writer.quoted(names[place + 1]));
  writer.raw(`,"builtin":${builtin === null ? "null" : `"${builtin}"`},"message":`);
  writer.string(message);
  writer.raw(',"attrs":');
  const keys = list();
  const values = list();
  mapEach(attrs, (value, name) => {
    push(keys, name);
    push(values, value);
  });
  writer.fields(keys, (place) => writer.value(values[place]));
  writer.raw("}}");
  return writer;
}

function tell(thrown) {
  if (thrown === null || (typeof thrown !== "object" && typeof thrown !== "function")) return tellPrimitive(thrown);
  if (isProxy(thrown)) return told("builtins.Proxy", null, "", new SafeMap());
  const chain = chainOf(thrown);
  const message = textOf(thrown);
  const attrs = isError(chain) ? attributes(thrown, chain) : valueAlone(thrown);
  return { __proto__: null, names: namesOf(chain), builtin: builtinOf(chain), message, attrs };
}

/** A value that is no object: it is all there is to tell. */
function tellPrimitive(thrown) {
  const name = thrown === null || thrown === undefined ? text(thrown) : `builtins.${PRIMITIVES[typeof thrown]}`;
  const message = typeof thrown === "symbol" ? "" : slice(text(thrown), 0, MESSAGE_CAP);
  return told(name, null, message, valueAlone(thrown));
}

const PRIMITIVES = {
  __proto__: null,
  bigint: "BigInt",
  boolean: "Boolean",
  number: "Number",
  string: "String",
  symbol: "Symbol",
};

function told(name, builtin, message, attrs) {
  const names = list();
  push(names, name);
  return { __proto__: null, names, builtin, message, attrs };
}

function valueAlone(thrown) {
  const attrs = new SafeMap();
  mapSet(attrs, "value", thrown);
  return attrs;
}

function isError(chain) {
  for (let place = 0; place < chain.length; place++) {
    if (chain[place] === protos.error) return true;
  }
  return false;
}

function textOf(thrown) {
  const message = read(thrown, "message")?.value;
  return typeof message === "string" ? slice(message, 0, MESSAGE_CAP) : "";
}

/** Its own public properties, then what its own classes declare, read through it. Callable ones of classes are none. */
function attributes(thrown, chain) {
  const attrs = new SafeMap();
  const met = new SafeSet();
  addAll(thrown, thrown, met, attrs, true);
  for (let place = 0; place < chain.length; place++) {
    const proto = chain[place];
    if (mapGet(builtins, proto) === undefined && classOf(proto) !== undefined) addAll(thrown, proto, met, attrs, false);
  }
  return attrs;
}

function addAll(thrown, holder, met, attrs, own) {
  const keys = ownKeys(holder);
  for (let place = 0; place < keys.length && setSize(met) < NAMES_CAP; place++) {
    const name = keys[place];
    if (typeof name !== "string" || !isPublic(name) || setHas(met, name)) continue;
    setAdd(met, name);
    const found = read(thrown, name);
    if (found !== null && (own || typeof found.value !== "function")) mapSet(attrs, name, found.value);
  }
}

/** Read as a caller reads; null where that throws. */
function read(thrown, name) {
  try {
    return { __proto__: null, value: get(thrown, name) };
  } catch {
    return null;
  }
}

function isPublic(name) {
  return name[0] !== "_" && name !== "stack" && name !== "message" && name !== "constructor";
}
