// The tables of this device: whoever comes back, days later, finds them on the first page.

import { readStored, store } from "./storage.js";

const KEPT = "rulewright tables";
const MOST = 30;

export function tables() {
  try {
    return JSON.parse(readStored(KEPT) ?? "[]");
  } catch {
    return [];
  }
}

const write = (kept) => store(KEPT, JSON.stringify(kept.slice(0, MOST)));

// hash: the tokens of a table, as they stand in its link.
export function keep(hash, { title, names, over }) {
  write([{ hash, title, names, over, when: Date.now() }, ...tables().filter((one) => one.hash !== hash)]);
}

export function forget(hash) {
  write(tables().filter((one) => one.hash !== hash));
}

// A game that has ended is not asked about any more.
export function finish(hash) {
  write(tables().map((one) => (one.hash === hash ? { ...one, over: true } : one)));
}
