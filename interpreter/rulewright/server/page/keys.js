// Keys that hold for the whole table, wherever the focus is: letting go, going from part to part, and what keys there are.

import { firstAnswer } from "./focus.js";
import { rove } from "./roving.js";

/** @import { Picking } from "./types" */

const LANDMARKS = ".stage > .asked, .stage .board, .stage > .held, .stage > .middle, .stage .player, .side .lines";

/** @param {KeyboardEvent} event */
const isTyped = ({ target }) => target instanceof Element && target.closest("input, textarea, select") !== null;

// picking: the answer that is being made, if any.
/** @param {() => Picking | null} picking */
export function attendKeys(picking) {
  addEventListener("keydown", (event) => {
    if (event.defaultPrevented || document.querySelector("dialog[open], #menu.open, .fork")) return;
    if (event.key === "F6") turn(event.shiftKey ? -1 : 1);
    else if (isTyped(event)) return;
    else if (event.key === "?") showKeys();
    else if (event.key === "Tab" && !event.shiftKey) {
      const button = confirming(picking());
      if (!button) return;
      button.focus();
    } else if (event.key !== "Escape" || !picking()?.letGo()) return;
    event.preventDefault();
  });
}

// The button that confirms, which stands before the things that are picked: whoever has picked what is needed comes to it
// from there by the tabulator, unless there is more to pick in another part of the table.
/** @param {Picking | null} picking */
function confirming(picking) {
  const from = document.activeElement;
  if (!picking || !from?.matches(".stage :is([data-piece], [data-space])") || from.closest(".asked")) return null;
  if (!picking.chosen && !(picking.several && picking.taken.length && picking.fits)) return null;
  const part = (/** @type {Element} */ one) => one.closest(LANDMARKS);
  const offered = [...document.querySelectorAll(".stage .offered:enabled:not(.asked *)")];
  if (!picking.chosen && !picking.full && offered.some((one) => part(one) !== part(from))) return null;
  return /** @type {HTMLElement | null} */ (document.querySelector(".asked.now button.main:enabled"));
}

// To the next part of the table, or the one before.
/** @param {number} by */
function turn(by) {
  rove();
  const all = /** @type {HTMLElement[]} */ ([...document.querySelectorAll(LANDMARKS)]).filter(
    (one) => one.checkVisibility({ visibilityProperty: true }) && entrance(one),
  );
  const here = all.findIndex((one) => one.contains(document.activeElement));
  const next = all.at(here < 0 ? (by > 0 ? 0 : -1) : (here + by) % all.length);
  if (next) entrance(next)?.focus();
}

// Where a part is entered: at what can be taken there, else at its one stop.
/** @param {HTMLElement} part @returns {HTMLElement | null} */
function entrance(part) {
  if (part.matches(".asked")) {
    const first = firstAnswer();
    return first && part.contains(first) ? first : part.querySelector("h2");
  }
  if (part.matches(".lines")) return part;
  const stops = /** @type {HTMLElement[]} */ ([...part.querySelectorAll("button, summary, [tabindex]")]).filter(
    (one) => one.tabIndex === 0 && one.checkVisibility({ visibilityProperty: true }),
  );
  return stops.find((one) => one.matches(".offered")) ?? stops[0] ?? null;
}

export const showKeys = () => import("./keys_shown.js").then((one) => one.showKeys());
