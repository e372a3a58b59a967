// Values that JavaScript has no type for, and `describe`, which is there in every scenario.
import { SafeMap, SafeWeakMap, freeze, mapSet, weakGet, weakSet } from "./own.mjs";

const described = new SafeWeakMap();
const foreign = new SafeWeakMap();

/** Show `value` with these attributes of it, read as a caller reads them. */
export function describe(value, ...names) {
  const shown = freeze({ __proto__: null });
  const attrs = new SafeMap();
  for (let place = 0; place < names.length; place++) mapSet(attrs, `${names[place]}`, value[names[place]]);
  weakSet(described, shown, freeze({ __proto__: null, value, attrs }));
  return shown;
}

export const descriptionOf = (object) => weakGet(described, object);

/** A value that was passed in and has no type here: `shown` can be read by a caller, `content` goes out again. */
export function makeForeign(tag, shown, content) {
  weakSet(foreign, shown, freeze({ __proto__: null, tag, content }));
  return shown;
}

export const foreignOf = (object) => weakGet(foreign, object);
