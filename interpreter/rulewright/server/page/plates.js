// How much room the numbers on somebody's plate take: by what an edition may tell of a seat, never by what it tells now, so
// that nothing moves while it changes.

/** @import { Contents } from "./place.js" */
/** @import { Table } from "./types" */

const LETTER = 6.4; // px, of small ones
const SIGN = 20; // px around them
const PICTURE = 42; // px, with its number
const NAME = { wide: 124, least: 44, line: 24, edge: 8 }; // px
const LINE = 19; // px high at least
const ROOM = 20; // px of a plate's width that hold no text
const POINTS = 38;
const NUMBERS = ["number", "fraction"];

/** @param {string} label */
const told = (label) => label.length * LETTER + SIGN;

// What can stand beside the name and the points of a seat, in pixels side by side: counters, hands as numbers, and the
// longest of the signs that pass from seat to seat.
/** @param {Table} of @param {(zone: string) => boolean} isNumber whether a zone of a seat is a number for others */
export function figuresWide(of, isNumber) {
  const own = Object.entries(of.counters).filter(
    ([name, { of: owner }]) => owner === "seat" && name !== of.total && name !== of.sides,
  );
  const counters = own.map(([, { label, picture, holds }]) =>
    picture ? PICTURE : NUMBERS.includes(holds) ? told(label) : 0,
  );
  const measures = Object.values(of.measures).map(told);
  const hands = Object.keys(of.zones).filter((zone) => of.zones[zone].of === "seat" && isNumber(zone));
  const signs = Object.values(of.counters).filter(({ of: owner, holds }) => owner === "" && holds === "seat");
  const sum = [...counters, ...measures, ...hands.map(() => PICTURE)].reduce((all, one) => all + one, 0);
  return sum + Math.max(0, ...signs.map(({ label }) => told(label)));
}

// How many lines the plate of a seat has, whose name takes the first one unless all fits there.
/** @param {Pick<Contents, "figures">} has @param {{ wide: number, most: number }} given */
export function plateLines({ figures }, { wide, most }) {
  if (NAME.wide + POINTS + figures <= wide) return 1;
  return Math.min(most, 1 + Math.ceil((POINTS + figures) / (wide - ROOM)));
}

/** @param {Pick<Contents, "figures">} has @param {{ wide: number, most: number }} given */
export const plateHigh = (has, given) => Math.max(NAME.least, plateLines(has, given) * NAME.line + NAME.edge);

// How high the reader's plate is at least, who sees their hand and needs no number of it.
/** @param {Pick<Contents, "figures" | "hand">} has @param {number} wide */
export const ownHigh = ({ figures, hand }, wide) =>
  plateHigh({ figures: figures - (hand ? PICTURE : 0) }, { wide, most: 3 });

// How high each line of a plate is that is so high.
/** @param {number} high */
export const lineHigh = (high) => (high - NAME.edge) / Math.max(1, Math.floor((high - NAME.edge) / LINE));
