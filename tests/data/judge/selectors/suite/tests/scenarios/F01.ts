import { isTraversal, parse, stringify } from "selectors";

export function tokens({ text }: { text: string }) {
  return parse(text);
}

export function written({ text }: { text: string }) {
  return stringify(parse(text));
}

export function traversals({ text }: { text: string }) {
  return parse(text)[0].map((token) => isTraversal(token));
}
