// Controls that all panes have: buttons, boxes to tick, and lists that can be unfolded.

import { h } from "./preact.js";
import { say } from "./words.js";

/** @import { Child, Props } from "./preact" */

// A button that sends no form.
/** @param {Child} label @param {Props["onclick"]} onclick @param {Props} [properties] */
export const button = (label, onclick, properties) => h("button", { type: "button", onclick, ...properties }, label);

// A button with a sign, and with the word of what it does for those who point at it or hear it.
/** @param {string} sign @param {string} word @param {Props["onclick"]} onclick @param {Props} [properties] */
export const signButton = (sign, word, onclick, properties) =>
  button(sign, onclick, { key: word, "aria-label": say(word), title: say(word), ...properties });

/** @param {Child} label @param {boolean} checked @param {(checked: boolean) => void} onchange @param {Props} [properties] of the label */
export const checkbox = (label, checked, onchange, properties = { class: "row" }) =>
  h(
    "label",
    properties,
    h("input", { type: "checkbox", checked, onchange: ({ target }) => onchange(target.checked) }),
    h("span", {}, label),
  );

// What is missing in a book or on sheets; nothing where nothing is.
/** @param {string} title @param {string[]} items */
export const unfolding = (title, items) =>
  items.length > 0 &&
  h(
    "details",
    { class: "left" },
    h("summary", {}, title),
    h(
      "ul",
      {},
      items.map((item) => h("li", {}, item)),
    ),
  );
