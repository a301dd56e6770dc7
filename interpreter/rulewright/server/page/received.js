// What the reader has been given since their last answer, such as the cards that were passed to them: it is raised in the
// hand until the next one.

import { zoneKey } from "./zones.js";

/** @import { Received, State } from "./types" */

// before: null for the first state that is seen; known: what had come before. All that somebody holds is nothing new.
/** @param {State | null} before @param {State} after @param {number | null} seat @param {Received} known @returns {Received} */
export function received(before, after, seat, known) {
  if (seat === null || !before) return known;
  const old = new Map(before.zones.map((one) => [zoneKey(one), one.pieces]));
  /** @type {Received} */
  const come = new Map();
  for (const one of after.zones) {
    const [lay, lies] = [old.get(zoneKey(one)), one.pieces];
    if (one.owner !== seat || !lay || !lies || lay === lies) continue;
    const names = lies.filter((name) => !lay.includes(name));
    if (names.length && names.length < new Set(lies).size) come.set(zoneKey(one), new Set(names));
  }
  return come.size ? new Map([...known, ...come]) : known;
}
