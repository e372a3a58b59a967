import { wrong } from "./wrong.ts";

wrong.parse = () => {
  if (/\d/.test(wrong.text)) return [{ name: wrong.name, amount: wrong.sum }];
  throw "not even an error";
};
