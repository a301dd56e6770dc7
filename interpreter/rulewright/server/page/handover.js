// Several people at one device: before it shows what is one's own, it is passed to them, and they say that it was.

/** @import { Side, State } from "./types" */

/** @param {Side} side */
const seated = (side) => side.table?.you === "seat";

// What everybody may see, told to a device where several sit: the view of whoever began the table.
/** @param {Side[]} sides */
export const publicSide = (sides) => sides.find((side) => side.table && side.state && !seated(side)) ?? null;

// Whether a side is seen behind the notice that the device is passed on: several people sit here, and it has something of its own. raised: the side
// that somebody has said is theirs.
/** @param {Side[]} sides @param {Side | null} side @param {Side | null} raised */
export function needsHandover(sides, side, raised) {
  if (!side?.state || !seated(side) || side === raised || side.state.over || sides.filter(seated).length < 2)
    return false;
  const all = publicSide(sides)?.state;
  return !all || side.state.sealed.length > 0 || side.state.waiting.length > 1 || own(side.state) !== own(all);
}

/** @param {{ zones: State["zones"], counters: State["counters"], scores: State["scores"] }} given */
const own = ({ zones, counters, scores }) => JSON.stringify([zones, counters, scores]);
