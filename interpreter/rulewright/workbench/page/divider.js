// The divider between the source and the panes: it is dragged, or moved with the arrow keys.

import { readStored, store } from "./storage.js";
import { say } from "./words.js";

const KEPT = "rulewright source";
const isTall = () => matchMedia("(max-width: 50rem)").matches;

/** @param {HTMLElement} divider @param {HTMLElement} whole */
export function divide(divider, whole) {
  const widen = (/** @type {number} */ percent) => {
    const width = Math.max(15, Math.min(85, percent));
    whole.style.setProperty("--source", `${width}%`);
    divider.setAttribute("aria-valuenow", String(Math.round(width)));
    store(KEPT, String(width));
  };
  for (const [name, value] of Object.entries({
    role: "separator",
    tabindex: 0,
    "aria-orientation": "vertical",
    "aria-valuemin": 15,
    "aria-valuemax": 85,
    "aria-label": say("wider source"),
  }))
    divider.setAttribute(name, String(value));
  divider.onpointerdown = (event) => divider.setPointerCapture(event.pointerId);
  divider.onpointermove = (event) => {
    if (divider.hasPointerCapture(event.pointerId) && !isTall()) widen((100 * event.clientX) / innerWidth);
  };
  divider.onkeydown = (event) => {
    const by = event.key === "ArrowLeft" ? -2 : event.key === "ArrowRight" ? 2 : 0;
    if (by) widen(Number(divider.getAttribute("aria-valuenow")) + by);
  };
  widen(Number(readStored(KEPT)) || 46);
}
