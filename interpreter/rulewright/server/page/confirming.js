// Whether a reader wants moves confirmed before they are made. Kept on this device.

import { readStored } from "./storage.js";

export const KEPT = "rulewright confirm";
export const touched = matchMedia("(hover: none)");

// all: every answer; taps: on a touch screen, what a single tap on the table would do, and on a board what cannot be taken
// back: a finger covers what it takes; none.
/** @returns {"all" | "taps" | "none"} */
export function confirms() {
  const kept = readStored(KEPT);
  if (kept === "on") return "all";
  return kept === "off" || !touched.matches ? "none" : "taps";
}
