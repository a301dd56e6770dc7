// Whether a reader wants hints: the rule of each question beside it. Kept on this device.

import { h } from "./preact.js";
import { readStored, removeStored, store } from "./storage.js";
import { say } from "./words.js";

/** @import { Question, Redraw } from "./types" */

const KEPT = "rulewright hints";

export const hinted = () => readStored(KEPT) === "on";

/** @param {boolean} on */
export function turnHints(on) {
  if (on) store(KEPT, "on");
  else removeStored(KEPT);
}

// The switch, where one is asked.
/** @param {Redraw} redraw */
export function hintSwitch(redraw) {
  const turn = () => {
    turnHints(!hinted());
    redraw();
  };
  return h(
    "button",
    { type: "button", class: "plain hints", "aria-pressed": String(hinted()), onclick: turn },
    say("hints"),
  );
}

// The rule of a question, for a reader who wants hints.
/** @param {Question | null} asked @param {Redraw} redraw */
export const hint = (asked, redraw) =>
  asked?.rule && h("div", { class: "rule hinted" }, h("p", {}, asked.rule), hintSwitch(redraw));
