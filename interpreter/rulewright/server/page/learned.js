// Which lessons have been played on this device.

import { readStored, store } from "./storage.js";

const KEPT = "rulewright learned";
const MOST = 20; // editions
const MOST_LESSONS = 200;

/** @returns {{ edition: string, titles: string[] }[]} */
function all() {
  try {
    return JSON.parse(readStored(KEPT) ?? "[]");
  } catch {
    return [];
  }
}

// The titles of an edition's lessons that are done: they stay the same where numbers change.
/** @param {string} edition */
export function learned(edition) {
  return new Set(all().find((one) => one.edition === edition)?.titles);
}

/** @param {string} edition @param {string} title */
export function learn(edition, title) {
  const titles = [...learned(edition).add(title)].slice(-MOST_LESSONS);
  store(KEPT, JSON.stringify([{ edition, titles }, ...all().filter((one) => one.edition !== edition)].slice(0, MOST)));
}
