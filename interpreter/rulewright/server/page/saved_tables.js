// The tables of this device: whoever comes back, days later, finds them on the first page.

import { readStored, store } from "./storage.js";

/** @import { KeptTable } from "./types" */

const KEPT = "rulewright tables";
const MOST = 30;

/** @returns {KeptTable[]} */
export function savedTables() {
  try {
    return JSON.parse(readStored(KEPT) ?? "[]");
  } catch {
    return [];
  }
}

/** @param {KeptTable[]} kept */
const write = (kept) => store(KEPT, JSON.stringify(kept.slice(0, MOST)));

// hash: the tokens of a table, as they stand in its link.
/** @param {string} hash @param {{ title: string, names: string[], over: boolean }} given */
export function saveTable(hash, { title, names, over }) {
  write([{ hash, title, names, over, when: Date.now() }, ...savedTables().filter((one) => one.hash !== hash)]);
}

/** @param {string} hash */
export function forgetTable(hash) {
  write(savedTables().filter((one) => one.hash !== hash));
}

// A game that has ended is not asked about any more.
/** @param {string} hash */
export function finishTable(hash) {
  write(savedTables().map((one) => (one.hash === hash ? { ...one, over: true } : one)));
}
