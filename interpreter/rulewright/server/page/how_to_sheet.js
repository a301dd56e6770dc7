// How to play, over the table: the game in a minute, with the ways to its rulebook and to its lessons.

import { howToSheet } from "./how_to.js";
import { glanceOf, summary } from "./invitation.js";
import { marksKey } from "./marks_key.js";
import { h } from "./preact.js";
import { say } from "./words.js";

/** @import { Child, Redraw, State, Table } from "./types" */

// state: as the table shows it; rules: the address of the rulebook; more: other ways to learn.
/** @param {Table} of @param {State} state @param {string} rules @param {Child} more @param {Redraw} redraw */
export function howTo(of, state, rules, more, redraw) {
  if (!howToSheet.open) return null;
  const glance = glanceOf(of, redraw);
  const close = () => {
    howToSheet.open = false;
    redraw();
  };
  return h(
    "dialog",
    {
      class: "sheet minute how-to",
      key: "how to",
      "aria-label": say("how to play"),
      ref: (/** @type {HTMLDialogElement | null} */ dialog) => dialog && !dialog.open && dialog.showModal(),
      oncancel: close,
      onclick: (/** @type {any} */ event) => event.target === event.currentTarget && close(),
    },
    h("h2", { tabindex: -1 }, of.title),
    glance ? summary(glance, rules) : h("p", { role: "status" }, say("loading")),
    marksKey(of, state),
    h("p", { class: "row" }, more, h("button", { type: "button", class: "main", onclick: close }, say("close"))),
  );
}
