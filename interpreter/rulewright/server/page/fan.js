// Cards held in a hand, and things set out in rows: how large they are and where they lie in the room that there is.

/** @import { Rect } from "./types" */

const RATIO = 88 / 63; // of a card, height to width
const CORNER = 44; // px of a card that are seen and hit at least
const SMALL = 60; // px that cards in one row are wide at least: with less of each, they lie in two
const ROUNDED = 0.01; // px
const TOP = 6; // px above a card
const COVERED = 0.61; // of a row's height, that is seen of it above the next one
const SPACE = 10; // px between cards that need not overlap
const CLOSE = 0.7; // of a card, that is seen of each in a hand held close
const NEARLY = 0.85; // of a card: rather than cover less of it, all are smaller
const BEND = 26; // px by which the outermost cards of a full fan lie lower
const TILT = 4; // degrees by which they are turned
const EDGE = 10; // px that turned cards stand out

/** @typedef {{ x: number, y: number, turn: number }} Held */
/** @typedef {{ card: number, high: number, step: number, places: Held[] }} Row */

// Places of so many cards in one row, or in as few as leave enough to be seen and hit of each. Gives the width of a card,
// too.
// close: cards that are known by their corners overlap as one holds them, also where there is room.
// ratio: how much higher than wide they are; splits: how many may stand in the upper one of two rows, so that suits stay together;
// held: how many there have been, for which they are as large as now; kinds: how many of them at most lie apart, where equal ones lie on each other; axis: what they lie around, else the middle.
/** @typedef {{ most?: number, bent?: boolean, close?: boolean, splits?: number[], ratio?: number, held?: number, kinds?: number, axis?: number }} How */
/** @param {number} count @param {{ w: number, h: number }} room @param {How} [how] */
export function fan(
  count,
  room,
  {
    most = 200,
    bent = true,
    close = false,
    splits = [],
    ratio = RATIO,
    held = count,
    kinds = held,
    axis = room.w / 2,
  } = {},
) {
  const { w, h } = room;
  const given = { most, bent, close, ratio, axis };
  const dealt = Math.max(held, count);
  for (const most of [dealt, Math.max(count, Math.min(dealt, kinds))])
    if (isSeen(row(most, room, { ...given, held: most })))
      return one(row(count, room, { ...given, held: most }), bent ? 0 : h);
  const plain = { ...given, bent: false, axis: w / 2 };
  const low = (/** @type {number} */ lines) => ({ lines, w, h: h / (1 + COVERED * (lines - 1)) });
  const lying = (/** @type {number} */ many, /** @type {typeof room} */ one, most = given.most) =>
    row(many, one, { ...plain, most, held: many });
  // the fewest rows in which all that were dealt are seen, and their size from then on
  const shape = low(isSeen(lying(Math.ceil(dealt / 2), low(2))) ? 2 : 3);
  const largest = lying(1, shape).card;
  const single = lying(count, room, largest);
  if (isSeen(single)) return one(single, h);
  const rows = parted(count, shape.lines, splits, (many) => isSeen(lying(many, shape, largest))).map((many) =>
    lying(many, shape, largest),
  );
  const places = rows.flatMap((each, n) => lowered(each.places, (n * (h - shape.h)) / (rows.length - 1)));
  return { card: rows[0].card, places, tight: true };
}

/** @param {Row} row */
const isSeen = ({ card, step, places }) => places.length < 2 || step >= Math.min(CORNER, card) - ROUNDED;

// high: of the room in whose middle a row lies that is held straight, else 0.
/** @param {Row} row @param {number} high */
const one = ({ card, high: own, step, places }, high) => ({
  card,
  places: lowered(places, Math.max(0, (high - own) / 2 - TOP)),
  tight: places.length > 1 && step < card * 0.8,
});

/** @param {Held[]} places @param {number} by */
const lowered = (places, by) => places.map((place) => ({ ...place, y: place.y + by }));

// How many stand in each row: as many as in the others, but of two the upper one ends with a suit where it can.
/** @param {number} count @param {number} lines @param {number[]} splits @param {(many: number) => boolean} isSeen */
function parted(count, lines, splits, isSeen) {
  const half = Math.ceil(count / 2);
  const clear = splits
    .filter((first) => first > 0 && first < count && isSeen(first) && isSeen(count - first))
    .sort((one, other) => Math.abs(one - half) - Math.abs(other - half));
  if (lines === 2) return [clear[0] ?? half, count - (clear[0] ?? half)];
  const many = Math.ceil(count / lines);
  return Array.from({ length: Math.ceil(count / many) }, (_, n) => Math.min(many, count - n * many));
}

/** @param {number} count @param {{ w: number, h: number }} room @param {Required<Omit<How, "splits" | "kinds">>} how @returns {Row} */
function row(count, { w, h }, { most, bent, close, ratio, held, axis }) {
  const bend = bent && h > 110 ? BEND : 0;
  const edge = bend ? EDGE : 2;
  const indexed = Math.max(SMALL, w - 2 * edge - CORNER * (held - 1));
  const largest = Math.max(30, Math.min(most, (h - bend * 0.6 - 8) / ratio, w, indexed));
  const whole = (w - 4) / held; // with which all are seen whole
  const card = !bent && !close && whole < largest && whole > largest * NEARLY ? whole : largest;
  const step =
    count > 1 ? Math.min(!close ? card + SPACE : bent ? card * CLOSE : card, (w - card - 2 * edge) / (count - 1)) : 0;
  const wide = card + step * (count - 1);
  const left = Math.max(edge, Math.min(axis - wide / 2, w - edge - wide));
  const spread = Math.min(1, (step * (count - 1)) / w); // a small hand is held straight
  const places = Array.from({ length: count }, (_, n) => {
    const aside = count > 1 ? (2 * n) / (count - 1) - 1 : 0;
    return { x: left + n * step, y: TOP + bend * 0.6 * aside ** 2 * spread, turn: bend ? TILT * aside * spread : 0 };
  });
  return { card, high: card * ratio, step, places };
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
    const all = rows > 1 ? w : Math.max(pieces.w, set.label, set.least ?? 0); // no other set lies beside several rows
    if (all > w) return false;
    if (x > 0 && x + all > w) [x, y, tall] = [0, y + tall + BETWEEN.y, 0];
    x += all + between;
    tall = Math.max(tall, (set.label && LABEL) + pieces.h);
  }
  return y + tall <= h;
}
