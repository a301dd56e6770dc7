// Whether a reader wants moves confirmed before they are made. Kept on this device.

import { h } from "./preact.js";
import { readStored, removeStored, store } from "./storage.js";
import { say } from "./words.js";

/** @import { FieldEvent, Redraw } from "./types" */

const KEPT = "rulewright confirm";
const touched = matchMedia("(hover: none)");

// all: every answer; taps: on a touch screen, what a single tap on the table would do, and on a board what cannot be taken
// back: a finger covers what it takes; none.
/** @returns {"all" | "taps" | "none"} */
export function confirms() {
  const kept = readStored(KEPT);
  if (kept === "on") return "all";
  return kept === "off" || !touched.matches ? "none" : "taps";
}

/** @param {Redraw} redraw */
export function confirmChoice(redraw) {
  const turn = (/** @type {FieldEvent} */ { target }) => {
    if (target.checked === touched.matches) removeStored(KEPT);
    else store(KEPT, target.checked ? "on" : "off");
    redraw();
  };
  return h(
    "label",
    { class: "confirms" },
    h("input", { type: "checkbox", key: "confirms", checked: confirms() !== "none", onchange: turn }),
    h("span", {}, say("confirm moves")),
  );
}
