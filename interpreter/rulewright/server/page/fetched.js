// What a page asks the server for once, and shows as soon as it has come.

import { language } from "./words.js";

/** @import { Redraw } from "./types" */

/** @type {Map<string, any>} */
const answers = new Map(); // address -> what the server tells there; null while it is under way

/** @param {string} path @param {Record<string, string>} slots @param {Redraw} redraw what to do when it has come */
export function fetched(path, slots, redraw) {
  const address = `${path}?${new URLSearchParams({ ...slots, language: language() })}`;
  if (!answers.has(address)) {
    answers.set(address, null);
    fetch(address)
      .then((answer) => (answer.ok ? answer.json() : null))
      .then((found) => {
        answers.set(address, found);
        redraw();
      })
      .catch(() => answers.delete(address));
  }
  return answers.get(address);
}
