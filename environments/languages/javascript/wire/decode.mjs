// From the wire to arguments. The broker has checked the frame, and nothing of the product is loaded yet.
import {
  SafeDate, SafeMap, SafeSet, bigint, bytesSlice, defineProperty, fromBase64, fromCodePoint, fromUtf8, isSafeInteger,
  mapGet, mapSet, number, parseDate, slice,
} from "./own.mjs";
import { makeForeign } from "./kinds.mjs";

const SPECIAL = { nan: NaN, inf: Infinity, "-inf": -Infinity };
const ZONED = /^(.*T\d\d:\d\d:\d\d)(?:\.(\d\d\d)000)?$/;
const OFFSET = /^[+-]\d\d:\d\d$/;

/** The argument object of a call. */
export function readArgs(header, body) {
  const args = {};
  for (const [name, wire] of Object.entries(header.args)) {
    put(args, name, decode(wire, { body, numbered: new SafeMap() }));
  }
  return args;
}

/** Own and enumerable whatever it is called: `__proto__` is a name like any other. */
function put(object, name, value) {
  defineProperty(object, name, { __proto__: null, value, enumerable: true, writable: true, configurable: true });
}

function decode(wire, frame, id) {
  if (wire === null || typeof wire !== "object") return wire;
  const [tag, content] = Object.entries(wire)[0];
  switch (tag) {
    case "n":
      return decode(content[1], frame, content[0]);
    case "r":
      return mapGet(frame.numbered, content);
    case "l":
    case "t":
      return items(content, keep([], frame, id), frame);
    case "s":
      return set(content, keep(new SafeSet(), frame, id), frame);
    case "m":
      return content.every(([key]) => isText(key)) ? object(content, frame, id) : map(content, frame, id);
    case "o":
      return foreign(content, frame, id);
    default:
      return leaf(tag, content, frame.body);
  }
}

function keep(made, frame, id) {
  if (id !== undefined) mapSet(frame.numbered, id, made);
  return made;
}

function isText(key) {
  return typeof key === "string" || (key !== null && typeof key === "object" && ("S" in key || "c" in key));
}

function items(content, made, frame) {
  for (const item of content) made.push(decode(item, frame));
  return made;
}

function set(content, made, frame) {
  for (const item of content) made.add(decode(item, frame));
  return made;
}

function object(content, frame, id) {
  const made = keep({}, frame, id);
  for (const [key, value] of content) put(made, decode(key, frame), decode(value, frame));
  return made;
}

function map(content, frame, id) {
  const made = keep(new SafeMap(), frame, id);
  for (const [key, value] of content) mapSet(made, decode(key, frame), decode(value, frame));
  return made;
}

function foreign(content, frame, id) {
  const attrs = content.attrs === null ? null : {};
  const made = keep({ type: content.type, bases: content.bases, attrs }, frame, id);
  for (const [name, value] of Object.entries(content.attrs ?? {})) put(attrs, name, decode(value, frame));
  return makeForeign("o", made, { type: content.type, bases: [...content.bases], attrs });
}

function leaf(tag, content, body) {
  switch (tag) {
    case "S":
      return fromUtf8(range(content, body));
    case "b":
      return typeof content === "string" ? fromBase64(content) : range(content, body);
    case "c":
      return content.map((point) => fromCodePoint(point)).join("");
    case "i":
      return isSafeInteger(number(content)) ? number(content) : bigint(content);
    case "x":
      return content[0] === "-" ? -bigint(slice(content, 1)) : bigint(content);
    case "f":
      return content in SPECIAL ? SPECIAL[content] : number(content);
    case "d":
      return makeForeign("d", { text: content }, content);
    case "w":
      return moment(content);
    case "u":
      return undefined;
    default:
      throw new Error(`${tag} is no tag`);
  }
}

function range([start, size], body) {
  return bytesSlice(body, start, start + size);
}

/** A Date for a moment that it can hold; anything else stays kind, text and zone. */
function moment([kind, text, zone]) {
  const parts = ZONED.exec(text);
  if (kind === "datetime" && parts !== null && zone !== null && OFFSET.test(zone)) {
    const found = parseDate(`${longYear(parts[1])}${parts[2] === undefined ? "" : `.${parts[2]}`}${zone}`);
    if (found === found) return new SafeDate(found);
  }
  return makeForeign("w", { kind, text, zone }, [kind, text, zone]);
}

/** Years beyond four digits have six of them here. */
function longYear(text) {
  const [, sign, year, rest] = /^([+-]?)(\d+)(-.*)$/.exec(text);
  return sign === "" ? text : `${sign}${year.padStart(6, "0")}${rest}`;
}
