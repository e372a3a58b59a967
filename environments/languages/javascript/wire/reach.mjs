// A value taken apart once, into parts that nothing of the product's can change any more. Runs no code of the product:
// accessors and proxies are told as such.
import {
  Bytes, SafeMap, arrayLength, bigintValue, booleanValue, bufferLength, bytesSet, getOwnPropertyDescriptor,
  getPrototypeOf, hasOwn,
  isArray, isArrayBuffer, isBigIntObject, isBooleanObject, isDate, isMap, isNumberObject, isProxy, isSet,
  isStringObject, isTypedArray, isUint8Array, list, mapEach, mapGet, mapSet, numberValue, ownKeys, protos, push, setEach,
  stringValue,
} from "./own.mjs";
import { BODY_CAP, NODE_CAP } from "./frame.mjs";
import { descriptionOf, foreignOf } from "./kinds.mjs";
import { chainOf, dataOf, namesOf } from "./names.mjs";
import { dateText } from "./text.mjs";

/** Thrown when a value fits no frame. */
export const TOO_LARGE = Symbol("too large");

/**
 * The parts of a value: null, booleans, text, numbers, bigints and undefined as they are, all else as an object with
 * `tag` and, for containers, `items`, in which the same container is the same object; `met` where it is met again.
 */
export function reach(root) {
  const walk = { __proto__: null, known: new SafeMap(), todo: list(), count: 0 };
  const made = partOf(root, walk);
  while (walk.todo.length > 0) {
    const task = walk.todo[walk.todo.length - 1];
    walk.todo.length--;
    task.fill(task.made, task.source, walk);
  }
  return made;
}

function partOf(value, walk) {
  if (++walk.count > NODE_CAP) throw TOO_LARGE;
  if (value === null || (typeof value !== "object" && typeof value !== "function")) {
    return typeof value === "symbol" ? opaque("builtins.Symbol") : value;
  }
  const known = mapGet(walk.known, value);
  if (known !== undefined) {
    known.met = true;
    return known;
  }
  const made = classify(value, walk);
  mapSet(walk.known, value, made);
  return made;
}

function classify(value, walk) {
  const described = descriptionOf(value);
  if (described !== undefined) return later(object(namesFor(described.value), true), described, fillDescribed, walk);
  if (isProxy(value)) return opaque("builtins.Proxy");
  const foreign = foreignOf(value);
  if (foreign !== undefined) return passedOn(foreign, walk);
  const chain = chainOf(value);
  const proto = getPrototypeOf(value);
  const plain = plainKind(value, proto);
  if (plain === null) return object(namesOf(chain), false);
  if (proto === plain.proto || (proto === null && plain.proto === protos.object) || proto === plain.alias) {
    return plain.make(value, walk);
  }
  return later(object(namesOf(chain), true), { __proto__: null, value, plain }, fillSubclass, walk);
}

function kind(proto, make, alias) {
  return { __proto__: null, proto, make, alias };
}

const OBJECT = kind(protos.object, (value, walk) => later(container("m"), value, fillObject, walk));
const ARRAY = kind(protos.array, (value, walk) => later(container("l"), value, fillArray, walk));
const MAP = kind(protos.map, (value, walk) => later(container("m"), value, fillMap, walk));
const SET = kind(protos.set, (value, walk) => later(container("s"), value, fillSet, walk));
const DATE = kind(protos.date, (value) => momentOf(value));
const BYTES = kind(protos.bytes, (value) => bytesOf(value), protos.buffer);
const BUFFER = kind(protos.arrayBuffer, (value) => bytesOf(bufferLength(value) > 0 ? new Bytes(value) : new Bytes(0)));
const NUMBERS = kind(undefined, (value, walk) => later(container("l"), value, fillTyped, walk));
const BOXED = kind(undefined, (value) => unboxed(value));

/** How a plain value of this kind is read; null for an object that has no such value. */
function plainKind(value, proto) {
  if (isArray(value)) return ARRAY;
  if (isMap(value)) return MAP;
  if (isSet(value)) return SET;
  if (isDate(value)) return dateText(value) === null ? null : DATE;
  if (isUint8Array(value)) return BYTES;
  if (isArrayBuffer(value)) return BUFFER;
  if (isTypedArray(value)) return NUMBERS;
  if (unboxed(value) !== undefined) return BOXED;
  return typeof value !== "function" && (proto === protos.object || proto === null) ? OBJECT : null;
}

function leaf(tag, value) {
  return { __proto__: null, tag, value, met: false, items: null, number: 0 };
}

function container(tag) {
  return { __proto__: null, tag, value: null, met: false, items: list(), number: 0 };
}

/** An `o`; `attrs` are told with `keys` and `items`. */
function object(names, shown) {
  return { __proto__: null, tag: "o", names, keys: list(), met: false, items: shown ? list() : null, number: 0 };
}

function opaque(name) {
  const names = list();
  push(names, name);
  return object(names, false);
}

function later(made, source, fill, walk) {
  push(walk.todo, { __proto__: null, made, source, fill });
  return made;
}

function namesFor(value) {
  if (value === null || (typeof value !== "object" && typeof value !== "function")) {
    return opaque(value === null || value === undefined ? `${value}` : `builtins.${typeof value}`).names;
  }
  return isProxy(value) ? opaque("builtins.Proxy").names : namesOf(chainOf(value));
}

function fillDescribed(made, { value, attrs }, walk) {
  const plain = typeof value === "object" && value !== null && !isProxy(value) ? plainInside(value) : null;
  if (plain !== null) fillSubclass(made, { __proto__: null, value, plain }, walk);
  mapEach(attrs, (item, name) => {
    if (name === "" && plain !== null) return;
    push(made.keys, name);
    push(made.items, partOf(item, walk));
  });
}

/** The plain value of an object of a class that has one: what is described is the object, not its kind alone. */
function plainInside(value) {
  const proto = getPrototypeOf(value);
  const plain = plainKind(value, proto);
  const exact = plain === null || plain === OBJECT || proto === plain.proto || proto === plain.alias;
  return exact ? null : plain;
}

function fillSubclass(made, { value, plain }, walk) {
  push(made.keys, "");
  push(made.items, plain.make(value, walk));
}

function fillArray(made, source, walk) {
  const length = dataOf(source, "length");
  if (length > NODE_CAP) throw TOO_LARGE;
  for (let place = 0; place < length; place++) push(made.items, propertyOf(source, place, walk));
}

function fillTyped(made, source, walk) {
  const length = arrayLength(source);
  if (length > NODE_CAP) throw TOO_LARGE;
  for (let place = 0; place < length; place++) push(made.items, partOf(source[place], walk));
}

function fillObject(made, source, walk) {
  const keys = ownKeys(source);
  for (let place = 0; place < keys.length; place++) {
    const key = keys[place];
    if (typeof key !== "string") continue;
    const found = describedBy(source, key);
    if (found !== undefined && !found.enumerable) continue;
    push(made.items, partOf(key, walk));
    push(made.items, found !== undefined && hasOwn(found, "value") ? partOf(found.value, walk) : opaque("accessor"));
  }
}

/** The element at a place: undefined for a hole. */
function propertyOf(source, place, walk) {
  const found = describedBy(source, place);
  if (found === undefined) return partOf(undefined, walk);
  return hasOwn(found, "value") ? partOf(found.value, walk) : opaque("accessor");
}

function describedBy(source, key) {
  try {
    return getOwnPropertyDescriptor(source, key);
  } catch {
    return undefined; // a binding of a module that has no value yet
  }
}

function fillMap(made, source, walk) {
  mapEach(source, (value, key) => {
    push(made.items, partOf(key, walk));
    push(made.items, partOf(value, walk));
  });
}

function fillSet(made, source, walk) {
  setEach(source, (value) => push(made.items, partOf(value, walk)));
}

function momentOf(date) {
  const parts = list();
  push(parts, "datetime");
  push(parts, dateText(date));
  push(parts, "+00:00");
  return leaf("w", parts);
}

function bytesOf(source) {
  const length = arrayLength(source);
  if (length > BODY_CAP) throw TOO_LARGE;
  const copy = new Bytes(length);
  if (length > 0) bytesSet(copy, source); // one whose memory was given away has none
  return leaf("b", copy);
}

/** The primitive in an object around one; undefined for any other, a symbol's too. */
function unboxed(value) {
  if (isNumberObject(value)) return numberValue(value);
  if (isStringObject(value)) return stringValue(value);
  if (isBooleanObject(value)) return booleanValue(value);
  return isBigIntObject(value) ? bigintValue(value) : undefined;
}

function passedOn({ tag, content }, walk) {
  if (tag !== "o") return leaf(tag, content);
  const names = list();
  push(names, content.type);
  for (let place = 0; place < content.bases.length; place++) push(names, content.bases[place]);
  const shown = content.attrs !== null;
  const made = object(names, shown);
  return shown ? later(made, content.attrs, fillAttrs, walk) : made;
}

function fillAttrs(made, attrs, walk) {
  const keys = ownKeys(attrs);
  for (let place = 0; place < keys.length; place++) {
    push(made.keys, keys[place]);
    push(made.items, propertyOf(attrs, keys[place], walk));
  }
}
