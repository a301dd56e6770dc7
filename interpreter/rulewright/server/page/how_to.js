// How to play, over the table: the game in a minute, with the ways to its rulebook and to its lessons.

import { coming, needSheet } from "./dom.js";
import { h } from "./preact.js";
import { say } from "./words.js";

/** @import { Child, Redraw } from "./types" */

let open = false;
const telling = coming(() => import("./invitation.js"));

/** @param {Redraw} redraw */
export const howToButton = (redraw) =>
  h(
    "button",
    {
      type: "button",
      class: "book plain",
      key: "how to",
      "aria-haspopup": "dialog",
      onclick: () => {
        open = true;
        needSheet("start");
        redraw();
      },
    },
    say("how to play"),
  );

// rules: the address of the rulebook; more: other ways to learn.
/** @param {{ edition: string, title: string, chosen: Record<string, string> }} of @param {string} rules @param {Child} more @param {Redraw} redraw */
export function howTo(of, rules, more, redraw) {
  if (!open) return null;
  const told = telling(redraw);
  const glance = told?.glanceOf(of, redraw);
  const close = () => {
    open = false;
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
    told && glance ? told.summary(glance, rules) : h("p", { role: "status" }, say("loading")),
    h("p", { class: "row" }, more, h("button", { type: "button", class: "main", onclick: close }, say("close"))),
  );
}
