// How much time whoever is awaited still has: the server says until when, the page counts.

import { h } from "./preact.js";
import { entry, language, say, serverTime } from "./words.js";

const SHORT = 60;

/** @param {number} value @param {string} unit @param {"long" | "narrow"} unitDisplay */
const inWords = (value, unit, unitDisplay) =>
  new Intl.NumberFormat(language().replace("_", "-"), { style: "unit", unit, unitDisplay }).format(value);

// A time in words, in the largest unit of which it is a multiple.
/** @param {number} seconds */
export function duration(seconds) {
  /** @type {[string, number][]} */
  const units = [
    ["day", 86400],
    ["hour", 3600],
    ["minute", 60],
  ];
  const [unit, length] = units.find(([, length]) => seconds % length === 0) ?? ["second", 1];
  return inWords(seconds / length, unit, "long");
}

// What whoever sits down agrees to. each: seconds for each move; 0 for no clock.
/** @param {number} each */
export function clockTold(each) {
  return (
    each > 0 &&
    h(
      "p",
      { class: "agreed" },
      entry(say("time for each move"), duration(each)),
      " · ",
      h("span", { class: "faint" }, say("time runs out")),
    )
  );
}

// deadline: seconds since 1970; 0 where no clock runs.
/** @param {number} deadline */
export function clock(deadline) {
  return deadline > 0 && h("time", { class: "clock", "data-deadline": deadline }, left(deadline));
}

/** @param {number} deadline */
function left(deadline) {
  const seconds = Math.max(0, Math.ceil(deadline - serverTime()));
  if (seconds >= 2 * 86400) return inWords(Math.floor(seconds / 86400), "day", "narrow");
  if (seconds >= 2 * 3600) return inWords(Math.floor(seconds / 3600), "hour", "narrow");
  return [Math.floor(seconds / 60), String(seconds % 60).padStart(2, "0")].join(":");
}

// What is shown goes down by itself; nothing else of the page is drawn anew.
setInterval(() => {
  for (const shown of document.querySelectorAll("time.clock")) {
    const deadline = Number(shown.dataset.deadline);
    (shown.firstChild ?? shown).textContent = left(deadline); // the text that was drawn, which stays the same node
    shown.classList.toggle("short", deadline - serverTime() < SHORT);
  }
}, 1000);
