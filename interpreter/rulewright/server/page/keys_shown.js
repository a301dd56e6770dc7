// What keys there are, in a window over the page.

import { fill } from "./dom.js";
import { h } from "./preact.js";
import { say } from "./words.js";

/** @type {HTMLDialogElement | null} */
let keys = null;

export function showKeys() {
  if (!keys) {
    keys = document.createElement("dialog");
    keys.id = "keys";
    document.body.append(keys);
  }
  const rows = [
    ["F6", say("key part")],
    ["← ↑ → ↓", say("key arrows")],
    ["Shift + ← →", say("key sort")],
    ["PageDown, PageUp", say("key answers")],
    ["a b c …", say("key letters")],
    ["Enter", say("key enter")],
    ["Esc", say("key escape")],
    ["?", say("key keys")],
  ];
  const close = () => keys?.close();
  fill(
    keys,
    h("h2", {}, say("keyboard")),
    h(
      "dl",
      {},
      rows.map(([key, what]) => h("div", { key }, h("dt", {}, h("kbd", {}, key)), h("dd", {}, what))),
    ),
    h("button", { type: "button", class: "main", onclick: close }, say("close")),
  );
  keys.setAttribute("aria-label", say("keyboard"));
  keys.showModal();
}
