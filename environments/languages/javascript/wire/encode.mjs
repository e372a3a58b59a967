// Writes the parts of values as JSON, with large texts and bytes beside it. One writer is used for a whole frame.
import {
  arrayLength, bigintText, codePoint, isWellFormed, list, push, quote, setPrototypeOf, toWellFormed,
  utf8,
} from "./own.mjs";
import {
  BODY_CAP, DEEPEST, DEEPEST_VALUE, HEADER_CAP, INLINE_CAP, NODE_CAP, REPLY_NODES, REPLY_ROOM, STREAM_CAP,
} from "./frame.mjs";
import { TOO_LARGE, reach } from "./reach.mjs";
import { base64, floatText, utf8Length } from "./text.mjs";

const LARGEST_INLINE = 10n ** 4000n;

export class Writer {
  static {
    setPrototypeOf(this.prototype, null);
  }

  text = "";
  body = list();
  #size = 0;
  /** Bytes of the text beyond its letters. */
  #wide = 0;
  #nodes = 0;
  #met = 0;

  /** Write one value. Containers met twice are numbered within it. Throws `TOO_LARGE`. */
  value(value) {
    this.#met = 0;
    this.#item(reach(value), 0);
    this.#fit();
  }

  raw(piece) {
    this.text += piece;
  }

  /** Prose and names: what is not well-formed in them is replaced. */
  quoted(string) {
    const told = toWellFormed(string);
    this.#inline(told, utf8Length(told, Infinity));
  }

  string(string) {
    if (!isWellFormed(string)) {
      this.#codePoints(string);
      return;
    }
    const size = utf8Length(string, INLINE_CAP + 1);
    if (size > INLINE_CAP) this.#tag("S", () => this.#place(utf8(string)));
    else this.#inline(string, size);
  }

  array(count, item) {
    this.#open("[");
    for (let place = 0; place < count; place++) {
      if (place > 0) this.comma();
      item(place);
    }
    this.text += "]";
  }

  fields(keys, show) {
    this.#open("{");
    for (let place = 0; place < keys.length; place++) {
      if (place > 0) this.comma();
      this.quoted(keys[place]);
      this.text += ":";
      show(place);
    }
    this.text += "}";
  }

  comma() {
    this.#nodes++;
    this.text += ",";
  }

  /** Write an item; how many containers are in one another there. */
  #item(item, depth) {
    this.#fit();
    if (depth > DEEPEST) throw TOO_LARGE;
    if (item === null || typeof item !== "object") return this.#primitive(item);
    if (!item.met || item.items === null) return this.#part(item, depth);
    if (item.number > 0) {
      this.#tag("r", () => this.raw(`${item.number}`));
      return item.height; // 0 while it is open: there a cycle closes
    }
    item.number = ++this.#met;
    item.height = 0;
    this.#tag("n", () => {
      this.array(2, (place) => {
        if (place === 0) this.raw(`${item.number}`);
        else item.height = this.#part(item, depth + 2);
      });
    });
    return item.height;
  }

  #primitive(value) {
    switch (typeof value) {
      case "string":
        this.string(value);
        break;
      case "number":
        this.#tag("f", () => this.raw(`"${floatText(value)}"`));
        break;
      case "bigint":
        this.#integer(value);
        break;
      case "undefined":
        this.#tag("u", () => this.raw("null"));
        break;
      default:
        this.raw(`${value}`); // null, true, false
    }
    return 0;
  }

  #part(part, depth) {
    if (depth > DEEPEST) throw TOO_LARGE;
    switch (part.tag) {
      case "b":
        this.#bytes(part.value);
        return 0;
      case "w":
        this.#tag("w", () => this.array(3, (place) => this.#textOrNull(part.value[place])));
        return 0;
      case "d":
        this.#tag("d", () => this.quoted(part.value));
        return 0;
      default:
        return this.#container(part, depth);
    }
  }

  #container(part, depth) {
    let height = 0;
    const show = (place, down) => {
      const below = this.#item(part.items[place], depth + down);
      if (below > height) height = below;
    };
    this.#tag(part.tag, () => {
      if (part.tag === "o") this.#object(part, (place) => show(place, 3));
      else if (part.tag === "m") this.#pairs(part.items.length / 2, (place) => show(place, 3));
      else this.array(part.items.length, (place) => show(place, 2));
    });
    if (++height > DEEPEST_VALUE) throw TOO_LARGE;
    return height;
  }

  #pairs(count, show) {
    this.array(count, (pair) => this.array(2, (place) => show(2 * pair + place)));
  }

  #object({ names, keys, items }, show) {
    this.#open("{");
    this.text += `"type":`;
    this.quoted(names[0]);
    this.comma();
    this.text += `"bases":`;
    this.array(names.length - 1, (place) => this.quoted(names[place + 1]));
    this.comma();
    this.text += `"attrs":`;
    if (items === null) this.text += "null";
    else this.fields(keys, show);
    this.text += "}";
  }

  #codePoints(string) {
    const points = list();
    for (let place = 0; place < string.length; place++) {
      const point = codePoint(string, place);
      if (point > 0xffff) place++;
      push(points, point);
    }
    this.#tag("c", () => this.array(points.length, (place) => this.raw(`${points[place]}`)));
  }

  #integer(value) {
    const size = value < 0n ? -value : value;
    if (size < LARGEST_INLINE) {
      this.#tag("i", () => this.raw(`"${bigintText(value)}"`));
      return;
    }
    const digits = bigintText(size, 16);
    if (digits.length > HEADER_CAP) throw TOO_LARGE;
    this.#tag("x", () => this.raw(`"${value < 0n ? "-" : ""}0x${digits}"`));
  }

  #bytes(data) {
    const inline = arrayLength(data) <= INLINE_CAP;
    this.#tag("b", () => (inline ? this.raw(`"${base64(data)}"`) : this.#place(data)));
  }

  #textOrNull(value) {
    if (value === null) this.raw("null");
    else this.quoted(value);
  }

  /** Add to the body and write the range. */
  #place(data) {
    const start = this.#size;
    const length = arrayLength(data);
    if (start + length > BODY_CAP - 2 * STREAM_CAP) throw TOO_LARGE;
    push(this.body, data);
    this.#size += length;
    this.array(2, (place) => this.raw(`${place === 0 ? start : length}`));
  }

  #tag(name, content) {
    this.#open("{");
    this.text += `"${name}":`;
    content();
    this.text += "}";
  }

  #inline(string, size) {
    this.#wide += size - string.length;
    this.text += quote(string);
  }

  #fit() {
    const size = this.text.length + this.#wide;
    if (size > HEADER_CAP - REPLY_ROOM || this.#nodes > NODE_CAP - REPLY_NODES) throw TOO_LARGE;
  }

  #open(bracket) {
    this.#nodes++;
    this.text += bracket;
  }
}
