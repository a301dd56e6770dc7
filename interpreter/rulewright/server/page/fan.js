// Cards held in a hand, and things set out in rows: how large they are and where they lie in the room that there is.

/** @import { Rect } from "./types" */

const RATIO = 88 / 63; // of a card, height to width
const CORNER = 44; // px of a card that are seen at least
const INDEX = 26; // px of them where cards are known by their corners: all are smaller rather than show less
const SLIVER = 24; // px of them at the very least
const SMALL = 60; // px that such cards are wide at least, as long as a sliver of each is seen
const SPACE = 10; // px between cards that need not overlap
const CLOSE = 0.7; // of a card, that is seen of each in a hand held close
const NEARLY = 0.85; // of a card: rather than cover less of it, all are smaller
const BEND = 26; // px by which the outermost cards of a full fan lie lower
const TILT = 4; // degrees by which they are turned
const EDGE = 10; // px that turned cards stand out

/** @typedef {{ x: number, y: number, turn: number }} Held */

// Places of so many cards in one row, or in two where too little would be seen of each. Gives the width of a card, too.
// close: cards that are known by their corners overlap as one holds them, also where there is room.
// ratio: how much higher than wide they are; splits: how many may stand in the upper one of two rows, so that suits stay together;
// held: how many there have been, for which they are as large as now; axis: what they lie around, else the middle.
/** @typedef {{ most?: number, bent?: boolean, close?: boolean, splits?: number[], ratio?: number, held?: number, axis?: number }} How */
/** @param {number} count @param {{ w: number, h: number }} room @param {How} [how] */
export function fan(
  count,
  { w, h },
  { most = 200, bent = true, close = false, splits = [], ratio = RATIO, held = count, axis = w / 2 } = {},
) {
  const given = { bent, close, ratio, held: Math.max(held, count), axis };
  const largest = row(count, { w, h }, { most, ...given });
  const whole = (w - 4) / count; // with which all are seen whole
  const one =
    !bent && !close && whole < largest.card && whole > largest.card * NEARLY
      ? row(count, { w, h }, { most: whole, ...given })
      : largest;
  if (count < 2 || one.step >= (close ? SLIVER : CORNER))
    return { card: one.card, places: one.places, tight: count > 1 && one.step < one.card * 0.8 };
  const low = { w, h: h * 0.62 };
  const rows = (/** @type {number} */ first) =>
    [first, count - first].map((many) =>
      row(many, low, { ...given, most, bent: false, held: Math.max(first, count - first), axis: w / 2 }),
    );
  const half = Math.ceil(count / 2);
  const clear = splits
    .filter((first) => first > 0 && first < count && rows(first).every(({ step }) => !step || step >= SLIVER))
    .sort((one, other) => Math.abs(one - half) - Math.abs(other - half));
  const [above, below] = rows(clear[0] ?? half);
  const lowered = below.places.map((place) => ({ ...place, y: place.y + h * 0.38 }));
  return { card: above.card, places: [...above.places, ...lowered], tight: true };
}

/** @param {number} count @param {{ w: number, h: number }} room @param {Required<Omit<How, "splits">>} how */
function row(count, { w, h }, { most, bent, close, ratio, held, axis }) {
  const bend = bent && h > 110 ? BEND : 0;
  const edge = bend ? EDGE : 2;
  const indexed = close ? Math.max(SMALL, w - 2 * edge - INDEX * (held - 1)) : w;
  const card = Math.max(30, Math.min(most, (h - bend * 0.6 - 8) / ratio, w, indexed));
  const step =
    count > 1 ? Math.min(!close ? card + SPACE : bent ? card * CLOSE : card, (w - card - 2 * edge) / (count - 1)) : 0;
  const wide = card + step * (count - 1);
  const left = Math.max(edge, Math.min(axis - wide / 2, w - edge - wide));
  const spread = Math.min(1, (step * (count - 1)) / w); // a small hand is held straight
  const places = Array.from({ length: count }, (_, n) => {
    const aside = count > 1 ? (2 * n) / (count - 1) - 1 : 0;
    return { x: left + n * step, y: 6 + bend * 0.6 * aside ** 2 * spread, turn: bend ? TILT * aside * spread : 0 };
  });
  return { card, step, places };
}

/** @typedef {{ count: number, label: number, flat?: boolean, names?: boolean, part?: number, deck?: boolean, least?: number,
 *   table?: { columns: number, rows: number } | null }} Things */

// The width of a card with which sets of things fit side by side in a room. label: width of its name above it, 0 without;
// flat: things that are no cards; names: with names below them; part: how large they are of it; deck: whether it is one; least: width of all; table: cells, whose size is the same
// whatever a card's is; letters: how many times as large as usual they are; gap: px between sets.
/** @param {Things[]} sets @param {{ w: number, h: number }} room @param {{ most: number, least: number, letters?: number, gap?: number }} size */
export function largest(sets, room, { most, least, letters = 1, gap = BETWEEN.x }) {
  const usual = { w: room.w / letters, h: room.h / letters };
  for (let card = most; card > least; card -= 2) if (fits(sets, usual, card / letters, gap)) return card;
  return least;
}

const LABEL = 28; // px high
const CELL = 36; // px
const BETWEEN = { x: 18, y: 6, pieces: 7 };
const NAME = 20;

/** @param {number} card @param {Things} given */
function sizeOf(card, { flat, names, part = 1 }) {
  const wide = card * part;
  if (!flat) return { wide, high: wide * RATIO };
  return { wide: Math.max(names ? 58 : 44, card * 0.62), high: Math.max(36, card * 0.5) + (names ? NAME : 0) };
}

/** @param {Things[]} sets @param {{ w: number, h: number }} room @param {number} card @param {number} between */
function fits(sets, { w, h }, card, between) {
  let [x, y, tall] = [0, 0, 0];
  for (const set of sets) {
    const { wide, high } = sizeOf(card, set);
    const gap = BETWEEN.pieces;
    const across = Math.max(1, Math.min(set.count, Math.floor((w + gap) / (wide + gap))));
    const rows = Math.ceil(Math.max(1, set.count) / across);
    const pieces = set.table
      ? { w: Math.min(w, set.table.columns * CELL), h: set.table.rows * CELL }
      : { w: across * (wide + gap) - gap, h: rows * (high + gap) };
    const all = Math.max(pieces.w, set.label, set.least ?? 0);
    if (all > w) return false;
    if (x > 0 && x + all > w) [x, y, tall] = [0, y + tall + BETWEEN.y, 0];
    x += all + between;
    tall = Math.max(tall, (set.label && LABEL) + pieces.h);
  }
  return y + tall <= h;
}
