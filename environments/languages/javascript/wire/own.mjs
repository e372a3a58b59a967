// What the runner needs of the language, taken before anything of the product is loaded: afterwards every global,
// prototype and method may be another one. Lists here have no prototype, so that no setter of a product's sees them.

// Not imported: that would load whatever any of their parts may need, which takes as long as Node's own start.
const { types } = process.getBuiltinModule("util");
const fs = process.getBuiltinModule("fs");

const { bind, call } = Function.prototype;
const uncurry = bind.bind(call);
const getter = (holder, name) => uncurry(Reflect.getOwnPropertyDescriptor(holder, name).get);

export const { getOwnPropertyDescriptor, getPrototypeOf, ownKeys, get } = Reflect;
export const run = Reflect.apply;
export const { defineProperty, setPrototypeOf, hasOwn, freeze } = Object;
export const { isArray } = Array;
export const { isSafeInteger } = Number;
export const { isProxy, isPromise, isGeneratorObject, isMap, isSet, isDate, isUint8Array, isTypedArray } = types;
export const { isArrayBuffer, isModuleNamespaceObject } = types;
export const { isBigIntObject, isBooleanObject, isNumberObject, isStringObject } = types;

export const SafeMap = Map;
export const mapGet = uncurry(Map.prototype.get);
export const mapSet = uncurry(Map.prototype.set);
export const mapEach = uncurry(Map.prototype.forEach);
export const SafeSet = Set;
export const setAdd = uncurry(Set.prototype.add);
export const setHas = uncurry(Set.prototype.has);
export const setSize = getter(Set.prototype, "size");
export const setEach = uncurry(Set.prototype.forEach);
export const SafeWeakMap = WeakMap;
export const weakGet = uncurry(WeakMap.prototype.get);
export const weakSet = uncurry(WeakMap.prototype.set);

export const text = String;
export const codeUnit = uncurry(String.prototype.charCodeAt);
export const codePoint = uncurry(String.prototype.codePointAt);
export const fromCodePoint = String.fromCodePoint;
export const slice = uncurry(String.prototype.slice);
export const indexOf = uncurry(String.prototype.indexOf);
export const padStart = uncurry(String.prototype.padStart);
export const repeat = uncurry(String.prototype.repeat);
export const isWellFormed = uncurry(String.prototype.isWellFormed);
export const toWellFormed = uncurry(String.prototype.toWellFormed);
export const quote = JSON.stringify; // of text alone: then no method of anything is looked up
export const parseJson = JSON.parse;

export const number = Number;
export const bigint = BigInt;
export const toExponential = uncurry(Number.prototype.toExponential);
export const numberValue = uncurry(Number.prototype.valueOf);
export const stringValue = uncurry(String.prototype.valueOf);
export const booleanValue = uncurry(Boolean.prototype.valueOf);
export const bigintValue = uncurry(BigInt.prototype.valueOf);
export const bigintText = uncurry(BigInt.prototype.toString);

export const SafeDate = Date;
export const time = uncurry(Date.prototype.getTime);
export const year = uncurry(Date.prototype.getUTCFullYear);
export const month = uncurry(Date.prototype.getUTCMonth);
export const day = uncurry(Date.prototype.getUTCDate);
export const hours = uncurry(Date.prototype.getUTCHours);
export const minutes = uncurry(Date.prototype.getUTCMinutes);
export const seconds = uncurry(Date.prototype.getUTCSeconds);
export const milliseconds = uncurry(Date.prototype.getUTCMilliseconds);
export const parseDate = Date.parse;

const TypedArray = Object.getPrototypeOf(Uint8Array.prototype);
export const Bytes = Uint8Array;
export const arrayLength = getter(TypedArray, "length");
export const bytesSet = uncurry(TypedArray.set);
export const bytesSlice = uncurry(TypedArray.slice);
export const bufferLength = getter(ArrayBuffer.prototype, "byteLength");
/** Bytes of a text in base64; for what comes in, before the product is there. */
export const fromBase64 = (data) => new Uint8Array(Buffer.from(data, "base64"));
const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const encodeText = uncurry(TextEncoder.prototype.encode);
const decodeText = uncurry(TextDecoder.prototype.decode);
export const utf8 = (string) => encodeText(encoder, string);
export const fromUtf8 = (bytes) => decodeText(decoder, bytes);

export const { readSync, writeSync, closeSync } = fs;
export const leave = process.reallyExit.bind(process);

const Sync = Object.getPrototypeOf(function* () {}).prototype;
const Async = Object.getPrototypeOf(async function* () {}).prototype;
export const asyncGenerator = Async;
export const next = uncurry(Sync.next);
export const nextAsync = uncurry(Async.next);

/** A list that no prototype takes part in. */
export const list = () => setPrototypeOf([], null);
export const push = (items, item) => {
  items[items.length] = item;
};

// The language's own classes by their prototypes: a product can give its class any name, but not one of these.
const NAMES = [
  "AggregateError", "Array", "ArrayBuffer", "BigInt", "BigInt64Array", "BigUint64Array", "Boolean", "DataView", "Date",
  "Error", "EvalError", "FinalizationRegistry", "Float32Array", "Float64Array", "Function", "Int16Array", "Int32Array",
  "Int8Array", "Iterator", "Map", "Number", "Object", "Promise", "RangeError", "ReferenceError", "RegExp", "Set",
  "SharedArrayBuffer", "String", "Symbol", "SyntaxError", "TypeError", "URIError", "URL", "URLSearchParams",
  "Uint16Array", "Uint32Array", "Uint8Array", "Uint8ClampedArray", "WeakMap", "WeakRef", "WeakSet",
];
export const builtins = new Map(NAMES.map((name) => [globalThis[name].prototype, name]));
builtins.set(Buffer.prototype, "Buffer");
builtins.set(TypedArray, "TypedArray");
builtins.set(Sync, "Generator");
for (const made of [async () => {}, function* () {}, async function* () {}]) {
  const kind = Object.getPrototypeOf(made);
  builtins.set(kind, kind[Symbol.toStringTag]);
}
builtins.set(Async, "AsyncGenerator");
for (const iterable of [[], new Map(), new Set(), ""]) {
  const iterator = Object.getPrototypeOf(iterable[Symbol.iterator]());
  builtins.set(iterator, iterator[Symbol.toStringTag].replace(" ", ""));
}
export const protos = freeze({
  __proto__: null,
  array: Array.prototype,
  buffer: Buffer.prototype,
  arrayBuffer: ArrayBuffer.prototype,
  bytes: Uint8Array.prototype,
  date: Date.prototype,
  error: Error.prototype,
  map: Map.prototype,
  object: Object.prototype,
  set: Set.prototype,
});
