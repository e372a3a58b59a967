// Answers the one request of this process: reads it, calls the scenario, writes down what came of it, and leaves.
import {
  asyncGenerator, isGeneratorObject, isPromise, leave, list, next, nextAsync, protos, push, setPrototypeOf,
} from "./own.mjs";
import { readArgs } from "./decode.mjs";
import { Writer } from "./encode.mjs";
import { raised } from "./failure.mjs";
import { readFrame, writeFrame } from "./frame.mjs";
import { chainOf, knowModules } from "./names.mjs";
import { TOO_LARGE } from "./reach.mjs";

const RESULT = 3;
const REQUEST = 4;
const ITEMS_CAP = 10_000;
const TOO_MANY = Symbol("too many items");

/** Be the call: `entry` is the module made for a scenario file, `name` the function. */
export async function serve(entry, name) {
  const { header, body } = readFrame(REQUEST);
  const args = readArgs(header, body);
  const said = await observe(entry, name, args);
  writeFrame(RESULT, said.text, said.body);
  leave(0);
}

async function observe(entry, name, args) {
  let found;
  try {
    const loaded = await import(entry);
    knowModules(loaded.modules);
    found = await finish(loaded.scenario[name](args));
  } catch (error) {
    return error === TOO_MANY ? limit("items") : raised(error);
  }
  return returned(found.value);
}

function returned(value) {
  const writer = new Writer();
  try {
    writer.raw('{"outcome":"returned","value":');
    writer.value(value);
    writer.raw("}");
    return writer;
  } catch (error) {
    if (error !== TOO_LARGE) throw error;
    return limit("value");
  }
}

function limit(name) {
  return { __proto__: null, text: `{"outcome":"limit","limit":"${name}"}`, body: list() };
}

/** Await promises, drain generators into lists. In a box: a value with a `then` of its own is a value. */
async function finish(value) {
  let found = value;
  while (true) {
    if (isPromise(found)) found = await found;
    else if (isGeneratorObject(found)) found = plain(isAsync(found) ? (await drainAsync(found)).items : drain(found));
    else return { __proto__: null, value: found };
  }
}

function isAsync(generator) {
  const chain = chainOf(generator);
  for (let place = 0; place < chain.length; place++) {
    if (chain[place] === asyncGenerator) return true;
  }
  return false;
}

function drain(source) {
  const items = list();
  for (let step = next(source); !step.done; step = next(source)) add(items, step.value);
  return items;
}

async function drainAsync(source) {
  const items = list();
  for (let step = await nextAsync(source); !step.done; step = await nextAsync(source)) add(items, step.value);
  return { __proto__: null, items };
}

function add(items, item) {
  if (items.length === ITEMS_CAP) throw TOO_MANY;
  push(items, item);
}

function plain(items) {
  return setPrototypeOf(items, protos.array);
}
