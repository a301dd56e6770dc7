// How much room what is shared takes in the middle: by the most that has lain there, so that nothing grows or moves while
// some is taken.

import { heaps, runs } from "./pieces.js";
import { flowOf, regionOf } from "./place.js";

/** @import { Region } from "./place.js" */
/** @import { Things } from "./fan.js" */
/** @import { Table, Zone } from "./types" */

const LETTER = { wide: 8, phone: 6.6 }; // px, of names above zones
const ALONE = { wide: 72, column: 62, phone: 40 }; // px that a pile, or a single thing below its name, is wide at least
const SIDE_BY_SIDE = 3; // cards that are laid in turn
export const MANY = 8; // sorts of things, of which more have no names below them

// How many things lie side by side in a zone.
/** @param {Table} of @param {Zone} one */
export function groups(of, { zone: name, pieces, count, known }) {
  const { pile, layout } = of.zones[name];
  if (pieces === null) return layout === "pile" || count > 12 ? 1 + known.length : Math.max(1, count);
  if (pile) return 1;
  return layout === "heaps" ? heaps(pieces).length : runs(pieces).length;
}

/** @param {Table} of @param {string} name */
const isCommonRow = (of, name) =>
  of.zones[name].layout === "row" && regionOf(of, name) === "focus" && flowOf(of, name).into;

// Whether everybody lays cards there in turn, which close up while they become many.
/** @param {Table} of @param {string} name */
export const closesUp = (of, name) => isCommonRow(of, name) && !flowOf(of, name).chosen;

// Whether a single card lies open there, such as one that is turned up from a deck.
/** @param {Table} of @param {string} name */
const isOpenDeck = (of, name) => regionOf(of, name) === "deck" && !of.zones[name].pile;

/** @type {WeakMap<Table["zones"], Map<string, number>>} */
const widest = new WeakMap();

// Whether numbers may stand below what is shared, which have their room also while there are none.
/** @param {Table} of */
export const tells = (of) =>
  Object.values(of.counters).some(({ of: owner, holds }) => owner === "" && holds !== "seat") ||
  Object.values(of.zones).some(({ of: owner, layout }) => owner === "" && layout === "aside");

// Px that they take.
/** @param {Table} of @param {boolean} phone */
export const below = (of, phone) => (!tells(of) ? 6 : phone ? 30 : 48);

// The most things that have lain side by side there, so that nothing grows or moves while some are taken.
/** @param {Table} of @param {Zone} one */
export function most(of, one) {
  if (closesUp(of, one.zone)) return SIDE_BY_SIDE;
  const known = widest.get(of.zones) ?? new Map();
  widest.set(of.zones, known);
  const all = one.pieces && !of.zones[one.zone].pile && one.count <= MANY ? one.count : 0;
  const count = Math.max(
    groups(of, one),
    all,
    known.get(one.zone) ?? Number(isOpenDeck(of, one.zone) || isCommonRow(of, one.zone)),
  );
  known.set(one.zone, count);
  return count;
}

// How large a card is there, of what is looked at most: what one chooses from or has just played.
/** @type {Record<string, Partial<Record<Region, number>>>} */
const PARTS = { wide: { deck: 0.75, things: 0.8 }, phone: { deck: 0.6, things: 0.88 } };

/** @param {Table} of @param {Zone} one @param {boolean} phone */
export function partOf(of, one, phone) {
  const regions = new Set(Object.keys(of.zones).map((name) => regionOf(of, name)));
  const led = of.zones[one.zone].of === "" && (regions.has("market") || regions.has("focus"));
  return led
    ? (PARTS[phone ? "phone" : "wide"][regionOf(of, one.zone)] ?? 1)
    : regionOf(of, one.zone) === "deck"
      ? 0.85
      : 1;
}

// Whether a zone has room of its own: an empty row has none until something has lain there.
/** @param {Table} of @param {Zone} one */
export const takesRoom = (of, one) => !["row", "heaps"].includes(of.zones[one.zone].layout) || most(of, one) > 0;

// The same without a name above it.
/** @param {Things} set */
export const bare = (set) => ({ ...set, label: 0 });

// Without it where the back of a card tells what it is.
/** @param {Things} set */
export const fewer = (set) => (set.deck ? bare(set) : set);

/** @param {Table} of @param {Zone} one @param {boolean} phone @param {boolean} [column] @returns {Things} */
export function setOf(of, one, phone, column = false) {
  const { label, layout, table } = of.zones[one.zone];
  const name = one.pieces?.[0];
  const count = most(of, one);
  const lies = phone ? "phone" : "wide";
  const isAlone = layout === "pile" || count < 2;
  const words = isAlone ? label.split(" ") : [label]; // may stand in two lines
  return {
    count,
    label: Math.max(...words.map((word) => word.length)) * LETTER[lies] + (words.length > 1 ? 2 : 34),
    flat: name !== undefined && !of.pieces[name].card,
    names: count <= MANY,
    part: partOf(of, one, phone),
    deck: layout === "pile",
    least: isAlone ? ALONE[column ? "column" : lies] : 0,
    table: table && { columns: table.columns.length + 1, rows: table.rows.length + 1 },
  };
}
