// What the others have changed on boards since the reader's last answer, or what that itself has changed.

import { zoneKey } from "./zones.js";

/** @import { ChangedSpaces, State } from "./types" */

/** @type {ChangedSpaces} */
const NOTHING = { zones: new Set(), own: true };

// before, after: two states that follow one another, or null; known: what had changed before. Gives the keys of zones,
// and whether the reader's own answer has changed them.
/** @param {State | null} before @param {State} after */
export function changedSpaces(before, after, known = NOTHING) {
  const changed = before ? changes(before, after) : new Set();
  if (!changed.size) return known;
  const own = (before?.asked ?? null) !== null;
  return { zones: own || known.own ? changed : new Set([...known.zones, ...changed]), own };
}

/** @param {State} before @param {State} after */
function changes(before, after) {
  const lay = new Map(before.zones.map((one) => [zoneKey(one), lying(one)]));
  return new Set(after.zones.filter((one) => one.word && lay.get(zoneKey(one)) !== lying(one)).map(zoneKey));
}

/** @param {{ pieces: string[] | null, count: number }} given */
const lying = ({ pieces, count }) => (pieces ?? [count]).join();
