// One frame in, one frame out.
import {
  Bytes, arrayLength, bytesSet, closeSync, defineProperty, fromUtf8, list, parseJson, push, readSync, utf8, writeSync,
} from "./own.mjs";

export const HEADER_CAP = 8 * 2 ** 20;
export const BODY_CAP = 64 * 2 ** 20;
export const NODE_CAP = 1_000_000;
export const STREAM_CAP = 2 ** 20;
export const INLINE_CAP = 4096;
/** JSON levels that a value may take, so that its frame stays within the nesting cap of 100. */
export const DEEPEST = 90;
/** Containers in one another, references followed. */
export const DEEPEST_VALUE = 150;
/** What the reply around a statement takes of header and nodes. */
export const REPLY_ROOM = 4096;
export const REPLY_NODES = 100;

/** The header and the body of the frame on a descriptor, which is closed. */
export function readFrame(descriptor) {
  const lengths = new DataView(readExactly(descriptor, 8).buffer);
  const [header, body] = [lengths.getUint32(0), lengths.getUint32(4)];
  if (header > HEADER_CAP || body > BODY_CAP) throw new Error("the request is over a cap");
  const said = parseJson(fromUtf8(readExactly(descriptor, header)));
  const data = readExactly(descriptor, body);
  closeSync(descriptor);
  return { header: said, body: data };
}

function readExactly(descriptor, size) {
  const data = new Bytes(size);
  let place = 0;
  while (place < size) {
    const count = readSync(descriptor, data, place, size - place, null);
    if (count === 0) throw new Error("the request ends too early");
    place += count;
  }
  return data;
}

/** Write a frame whose body is a list of byte arrays. */
export function writeFrame(descriptor, header, parts) {
  const text = utf8(header);
  let size = 0;
  for (let place = 0; place < parts.length; place++) size += arrayLength(parts[place]);
  const all = list();
  push(all, word(arrayLength(text)));
  push(all, word(size));
  push(all, text);
  for (let place = 0; place < parts.length; place++) push(all, parts[place]);
  const frame = new Bytes(8 + arrayLength(text) + size);
  let end = 0;
  for (let place = 0; place < all.length; place++) {
    bytesSet(frame, all[place], end);
    end += arrayLength(all[place]);
  }
  // What writes it looks for its size as anybody would.
  defineProperty(frame, "byteLength", { __proto__: null, value: end });
  for (let place = 0; place < end; ) place += writeSync(descriptor, frame, place, end - place);
}

function word(value) {
  const bytes = new Bytes(4);
  for (let place = 0; place < 4; place++) bytes[place] = (value >>> (24 - 8 * place)) & 255;
  return bytes;
}
