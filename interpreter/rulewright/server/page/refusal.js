// Why something that is held cannot be taken now, in a few words: by what it does not share with all that can.

import { filled, say } from "./words.js";

/** @import { Question, Table } from "./types" */

// held: the names of all that is held there; name: of what cannot be taken.
/** @param {Table} of @param {Question} asked @param {string[]} held @param {string} name */
export function refusal(of, asked, held, name) {
  const offered = new Set(asked.choices.map(({ piece }) => piece).filter(Boolean));
  if (offered.size === 1) return filled("only now", { what: of.pieces[[...offered][0]].label });
  const valueAt = (/** @type {string} */ piece, /** @type {string} */ attribute) =>
    of.pieces[piece].attributes[attribute];
  const attributes = Object.keys(of.pieces[name].attributes).filter((one) => typeof valueAt(name, one) === "string");
  for (const attribute of attributes) {
    const [value, ...others] = new Set([...offered].map((piece) => valueAt(piece, attribute)));
    const isIt = held.every((piece) => offered.has(piece) || valueAt(piece, attribute) !== value);
    if (isIt && !others.length && value !== valueAt(name, attribute))
      return filled("only now", { what: wordOf(of, attribute, String(value)) });
  }
  for (const attribute of attributes) {
    const value = valueAt(name, attribute);
    if (held.every((piece) => offered.has(piece) !== (valueAt(piece, attribute) === value)))
      return filled("not now", { what: wordOf(of, attribute, String(value)) });
  }
  return say("not this");
}

// A word as readers know it. Lists are called like what has their words, or otherwise.
/** @param {Table} of @param {string} list @param {string} word */
function wordOf(of, list, word) {
  const lists = [of.words[list], ...Object.values(of.words)];
  return lists.find((one) => one && word in one.words)?.words[word] ?? word;
}
