// The last move on boards: of two, what the last one of them has changed in one turn; of more, what the others have changed
// since the reader's last answer.

import { zoneKey } from "./zones.js";

/** @import { Changed, ChangedSpaces, State, Zone } from "./types" */

/** @type {ChangedSpaces} */
const NOTHING = { zones: new Map(), by: "", ended: true };

// before, after: two states that follow one another, before is null for the first that is seen; known: what had changed
// before. Gives the keys of zones, each with whether something came there, only left, or lies there altered while something
// else moved, such as a disc that another one turned over; and whose turn has changed them;
// ended: whether somebody else has had a turn since, also one in which nothing changed.
/** @param {State | null} before @param {State} after @returns {ChangedSpaces} */
export function changedSpaces(before, after, known = NOTHING) {
  const by = before ? turnOf(before) : "";
  const changed = before ? changes(before, after) : moved(after);
  const ended = known.ended || by !== known.by;
  if (!changed.size) return { ...known, by, ended };
  return { zones: ended ? changed : joined(known.zones, changed), by, ended: false };
}

// What came to a space stays what is marked there, though it changes later, such as a piece that becomes another.
/** @param {Changed} before @param {Changed} after @returns {Changed} */
function joined(before, after) {
  const fresh = [...after].filter(([key, way]) => way !== "altered" || !before.has(key));
  return new Map([...before, ...fresh]);
}

// Whose turn it is: a seat's, of two; else the reader's own or the others'.
/** @param {State} state */
const turnOf = ({ asked, waiting, scores }) => (scores.length === 2 ? waiting.join() : asked ? "own" : "others");

// What the last step has moved from and to spaces.
/** @param {State} state @returns {Changed} */
export function moved({ moves }) {
  // a space that was left and taken, such as that of a captured piece, is where something came
  const ends = [
    ...moves.map(({ source }) => /** @type {const} */ ([source, "left"])),
    ...moves.map(({ target }) => /** @type {const} */ ([target, "came"])),
  ];
  return new Map(ends.filter(([key]) => !key.endsWith("/")));
}

/** @param {State} before @param {State} after @returns {Changed} */
function changes(before, after) {
  const lay = new Map(before.zones.map((one) => [zoneKey(one), one]));
  const found = after.zones.flatMap((one) => {
    const old = lay.get(zoneKey(one));
    return one.word && old && lying(old) !== lying(one) ? [{ key: zoneKey(one), way: way(old, one) }] : [];
  });
  const targets = new Set(after.moves.map(({ target }) => target));
  const isMoved = found.some(({ key }) => targets.has(key));
  return new Map(
    found.map(({ key, way }) => [key, way === "same" ? (isMoved && !targets.has(key) ? "altered" : "came") : way]),
  );
}

/** @param {Zone} given */
const lying = ({ pieces, count }) => (pieces ?? [count]).join();

// same: as many lie there, and look otherwise.
/** @param {Zone} old @param {Zone} now @returns {"left" | "came" | "same"} */
function way(old, now) {
  if (now.count === old.count) return "same";
  return now.count < old.count ? "left" : "came";
}

const FAR = 12; // states that are looked back at

// What the last turn of one of two has changed, gathered from the last state back: by, whose turn it was, once that is known;
// next: what the state that was looked at last had changed, until it is known by whom.
/** @typedef {{ zones: Changed, by: string | null, next: Changed, left: number }} Trail */
/** @param {State} state @returns {Trail} */
export const trail = (state) => ({ zones: moved(state), by: null, next: moved(state), left: FAR });

// Takes in the state before; returns whether the one before that may belong to the same turn.
/** @param {Trail} found @param {State} past */
export function lookBack(found, past) {
  const by = turnOf(past);
  if (found.next.size && (found.by ?? by) === by) {
    found.by = by;
    found.zones = new Map([...found.next, ...found.zones]);
  }
  found.next = moved(past);
  found.left -= 1;
  return past.scores.length === 2 && found.left > 0 && (found.by ?? by) === by;
}
