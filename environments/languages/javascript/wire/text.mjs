// Numbers, moments and bytes as the wire writes them.
import {
  arrayLength, codeUnit, day, hours, indexOf, milliseconds, minutes, month, number, padStart, repeat, seconds, slice,
  text, time, toExponential, year,
} from "./own.mjs";

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** The shortest text that reads back, with an exponent from 1e16 and below 1e-4. */
export function floatText(value) {
  if (value !== value) return "nan";
  if (value === Infinity) return "inf";
  if (value === -Infinity) return "-inf";
  if (value === 0) return 1 / value < 0 ? "-0.0" : "0.0";
  const sign = value < 0 ? "-" : "";
  const short = toExponential(value < 0 ? -value : value);
  const end = indexOf(short, "e");
  const exponent = number(slice(short, end + 1));
  const digits = `${short[0]}${slice(short, 2, end)}`;
  if (exponent < -4 || exponent >= 16) {
    const size = padStart(`${exponent < 0 ? -exponent : exponent}`, 2, "0");
    return `${sign}${slice(short, 0, end)}e${exponent < 0 ? "-" : "+"}${size}`;
  }
  if (exponent < 0) return `${sign}0.${repeat("0", -exponent - 1)}${digits}`;
  const whole = exponent + 1;
  if (digits.length <= whole) return `${sign}${digits}${repeat("0", whole - digits.length)}.0`;
  return `${sign}${slice(digits, 0, whole)}.${slice(digits, whole)}`;
}

/** A Date's moment in UTC; null for a Date that is none. */
export function dateText(date) {
  const moment = time(date);
  if (moment !== moment) return null;
  const fraction = milliseconds(date);
  const parts = `${two(month(date) + 1)}-${two(day(date))}T${two(hours(date))}:${two(minutes(date))}:${two(seconds(date))}`;
  return `${yearText(year(date))}-${parts}${fraction === 0 ? "" : `.${padStart(text(fraction), 3, "0")}000`}`;
}

function yearText(value) {
  if (value > 9999) return `+${value}`;
  return value < 0 ? `-${padStart(text(-value), 4, "0")}` : padStart(text(value), 4, "0");
}

function two(value) {
  return padStart(text(value), 2, "0");
}

/** Base64 of a few bytes. */
export function base64(bytes) {
  const size = arrayLength(bytes);
  let out = "";
  for (let place = 0; place < size; place += 3) {
    const left = size - place;
    const three = (bytes[place] << 16) | ((left > 1 ? bytes[place + 1] : 0) << 8) | (left > 2 ? bytes[place + 2] : 0);
    out += ALPHABET[three >> 18] + ALPHABET[(three >> 12) & 63];
    out += (left > 1 ? ALPHABET[(three >> 6) & 63] : "=") + (left > 2 ? ALPHABET[three & 63] : "=");
  }
  return out;
}

/** The bytes that a text takes in UTF-8, but no more than `enough`. */
export function utf8Length(string, enough) {
  let size = 0;
  for (let place = 0; place < string.length && size < enough; place++) {
    const unit = codeUnit(string, place);
    if (unit < 0x80) size += 1;
    else if (unit < 0x800 || (unit >= 0xd800 && unit < 0xe000)) size += 2; // half of a pair's four
    else size += 3;
  }
  return size < enough ? size : enough;
}
