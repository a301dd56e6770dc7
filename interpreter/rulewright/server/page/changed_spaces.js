// The last move on boards: what the others have changed since the reader's last answer, or what that itself has changed.

import { zoneKey } from "./zones.js";

/** @import { Changed, ChangedSpaces, State, Zone } from "./types" */

/** @type {ChangedSpaces} */
const NOTHING = { zones: new Map(), own: true };

// before, after: two states that follow one another, before is null for the first that is seen; known: what had changed
// before. Gives the keys of zones, each with whether something came there or only left, and whether the reader's own answer
// has changed them.
/** @param {State | null} before @param {State} after @returns {ChangedSpaces} */
export function changedSpaces(before, after, known = NOTHING) {
  const changed = before ? changes(before, after) : moved(after);
  if (!changed.size) return known;
  const own = (before?.asked ?? null) !== null;
  return { zones: own || known.own ? changed : new Map([...known.zones, ...changed]), own };
}

// What the last step has moved from and to spaces.
/** @param {State} state @returns {Changed} */
export function moved({ moves }) {
  const ends = moves.flatMap(({ source, target }) => [
    /** @type {const} */ ([source, "left"]),
    /** @type {const} */ ([target, "came"]),
  ]);
  return new Map(ends.filter(([key]) => !key.endsWith("/")));
}

/** @param {State} before @param {State} after @returns {Changed} */
function changes(before, after) {
  const lay = new Map(before.zones.map((one) => [zoneKey(one), one]));
  return new Map(
    after.zones.flatMap((one) => {
      const old = lay.get(zoneKey(one));
      return one.word && old && lying(old) !== lying(one) ? [[zoneKey(one), way(old, one)]] : [];
    }),
  );
}

/** @param {Zone} given */
const lying = ({ pieces, count }) => (pieces ?? [count]).join();

/** @param {Zone} old @param {Zone} now @returns {"left" | "came"} */
const way = (old, now) => (now.count < old.count ? "left" : "came");
