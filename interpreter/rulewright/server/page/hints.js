// Whether a reader wants hints: the rule of each question beside it. Kept on this device.

import { h } from "./preact.js";
import { readStored, removeStored, store } from "./storage.js";
import { say } from "./words.js";

/** @import { Question, Redraw } from "./types" */

const KEPT = "rulewright hints";
const MET = "rulewright met"; // the games of which somebody here has been asked more than once
const MOST = 20;

/** @type {number | null} */
let first = null; // question at this table

export const hinted = () => readStored(KEPT) === "on";

/** @param {boolean} on */
export function turnHints(on) {
  if (on) store(KEPT, "on");
  else removeStored(KEPT);
}

// Whether this is the first question of a game that nobody here has met: its rule is pointed out then.
/** @param {string} edition @param {number} question */
export function isNew(edition, question) {
  const met = (readStored(MET) ?? "").split(" ");
  if (globalThis.location?.pathname !== "/table" || met.includes(edition)) return false;
  first ??= question;
  if (question !== first) store(MET, [edition, ...met].slice(0, MOST).join(" "));
  return question === first;
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
