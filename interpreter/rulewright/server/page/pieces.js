// Pieces as one knows them from the table: cards with their faces and backs, and everything else on a disc.

import { chart } from "./charts.js";
import { addressOf } from "./pictures.js";
import { h } from "./preact.js";
import { COLOURS, hasOn, RANKS } from "./switches.js";
import { filled, number, say, times } from "./words.js";

/** @import { Piece, Table, Zone } from "./types" */

const TINTS = 6;
const LONG = 11; // letters, which a small card holds only from edge to edge; a shorter word stands there wherever it fits
const SYLLABLE = /([aeiouyà-ÿ][b-df-hj-np-tv-xzß]*?)(sch|[cpt]h|qu|[b-df-hj-np-tv-xz])(?=[aeiouyà-ÿ])/gi;
const UNPARTED = /^(ck|[bcdfgkpt][lr])/i;

/** @param {Table} of @param {string} name */
export function picture(of, name, label = "", colour = "") {
  return h("img", { src: addressOf(of, name, colour), alt: label, draggable: false });
}

// The colour of a piece's pictures, where it has one of its own that the reader wants.
/** @param {Piece} piece */
const coloured = ({ colour }) => (colour && hasOn(COLOURS) ? colour : "");

// One piece, or a heap of equal ones. What it does is up to whoever lays it down (see `laid`).
/** @param {Table} of @param {string} name */
export function face(of, name, count = 1, active = false) {
  const piece = of.pieces[name];
  return piece.card ? card(of, piece, count, active) : token(of, piece, count, active);
}

/** @param {Table} of @param {Piece} piece @param {number} count @param {boolean} active */
function card(of, piece, count, active) {
  const index = [
    h("span", { class: "value" }, piece.corner),
    piece.suit
      ? picture(of, piece.suit, "", coloured(piece))
      : piece.picture && h("span", { class: "instead" }, picture(of, piece.picture)),
  ];
  const marked = piece.corner || piece.suit ? " marked" : "";
  return h(
    "span",
    {
      class: `card tint-${piece.tint % TINTS}${heap(count)}${marked}${piece.ground ? " grounded" : ""}${piece.suit ? " suited" : ""}`,
    },
    piece.ground && h("span", { class: "ground" }, picture(of, piece.ground)),
    h("span", { class: "index" }, index),
    h("span", { class: "picture" }, piece.picture && picture(of, piece.picture, "", coloured(piece))),
    piece.signs.length > 0 &&
      h(
        "span",
        { class: "signs" },
        piece.signs.map((sign) => picture(of, sign)),
      ),
    !piece.unnamed &&
      h(
        "span",
        {
          class: `name${longest(piece.label) >= LONG ? " long" : ""}${longest(piece.label) === piece.label.length ? " brief" : ""}`,
          style: { "--longest": longest(piece.label, extent) },
        },
        hyphened(piece.label),
      ),
    active && star(),
    badge(count),
  );
}

// A long word with soft hyphens before syllables, of which none begins or ends with a lone one: many browsers have no
// dictionary of the reader's language, and would break it anywhere.
/** @param {string} label */
export const hyphened = (label) =>
  label.replace(/\p{L}{9,}/gu, (word) =>
    word.replace(SYLLABLE, (all, end, onset, at) => {
      const place = at + end.length;
      const whole = place < 3 || place > word.length - 4 || UNPARTED.test(end.at(-1) + onset);
      return whole ? all : `${end}\u00AD${onset}`;
    }),
  );

// Letters of the longest word, or how wide it is: names are written as large as they fit.
/** @param {string} label @param {(word: string) => number} [size] */
function longest(label, size = (word) => word.length) {
  return Math.max(...label.split(/[\s-]/).map(size));
}

// How wide a word is, in usual letters.
/** @param {string} word */
const extent = (word) =>
  word.length - 0.4 * (word.match(/[fijlrt]/g) ?? []).length + 0.6 * (word.match(/[mw]/gi) ?? []).length;

// On a disc, as a die, or where it has neither picture nor colour, as a slip with its name.
/** @param {Table} of @param {Piece} piece @param {number} count @param {boolean} active */
function token(of, piece, count, active) {
  if (piece.chart) return chart(of, piece, piece.chart);
  const beside = [
    piece.signs.map((sign) => h("span", { class: "sign" }, picture(of, sign))),
    notes(piece),
    active && star(),
    badge(count),
  ];
  const name = h("span", { class: "name" }, piece.label);
  if (!piece.picture && !piece.paint.length) return h("span", { class: "token slip" }, name, beside);
  return h(
    "span",
    {
      class: `token${heap(count)}${piece.die || piece.bare ? " cast" : ""}${piece.tile ? ` tile${piece.across ? "" : " raised"}` : ""}`,
    },
    h(
      "span",
      { class: `disc${piece.die ? " die" : ""}${piece.bare ? " bare" : ""}${painted(piece)}`, style: paint(piece) },
      inDisc(of, piece),
      beside,
    ),
    name,
  );
}

// What stands on a disc: its picture, or letters.
/** @param {Table} of @param {Piece} piece */
export const inDisc = (of, piece) =>
  piece.picture ? picture(of, piece.picture) : h("span", { class: "initials" }, piece.letters);

// Of a piece whose words name a colour: a class for its disc, and a style.
/** @param {Pick<Piece, "picture" | "paint">} piece */
export const painted = ({ picture: drawn, paint: [fill] }) => (!fill ? "" : drawn ? " hued" : " painted");
/** @param {Pick<Piece, "picture" | "paint">} piece @returns {Record<string, string>} */
export const paint = ({ picture: drawn, paint: [fill, ink] }) =>
  fill && !drawn ? { "--fill": fill, "--on-fill": ink } : {};

// What it counts, in little room.
/** @param {Piece} piece */
export const notes = (piece) => piece.notes && h("span", { class: "notes" }, piece.notes);

// What may not be seen: its back.
/** @param {Table} of @param {Zone} one @param {number} count */
export function back(of, one, count, pile = false) {
  const { back: name, hidden, tiles } = of.zones[one.zone];
  return h(
    "span",
    {
      class: `card back${pile ? heap(count) : ""}${tiles ? " tile" : ""}`,
      role: "img",
      "aria-label": pile ? one.hidden : hidden,
    },
    name ? picture(of, name) : h("span", { class: "plain-back" }),
    pile && badge(count),
  );
}

/** @param {number} count */
function heap(count) {
  return count > 2 ? " heap high" : count > 1 ? " heap" : "";
}

/** @param {number} count */
function badge(count) {
  return count > 1 && h("span", { class: "badge" }, filled("times", { what: "", count: number(count) }).trim());
}

function star() {
  return h("span", { class: "star", title: say("power") }, "★", h("span", { class: "unseen" }, say("power")));
}

// Neighbours that are alike, together: the order of a row stays to be seen.
/** @param {string[]} names */
export function runs(names) {
  /** @type {{ name: string, count: number }[]} */
  const found = [];
  for (const name of names) {
    const last = found.at(-1);
    if (last?.name === name) last.count += 1;
    else found.push({ name, count: 1 });
  }
  return found;
}

// All that are alike together, wherever they lie.
/** @param {string[]} names */
export function heaps(names) {
  const found = new Map();
  for (const name of names) found.set(name, (found.get(name) ?? 0) + 1);
  return [...found].map(([name, count]) => ({ name, count }));
}

// A piece as a sign within a line: what its corner has, or its picture.
/** @param {Table} of @param {string} name @param {number} count */
export function chip(of, name, count) {
  const { label } = of.pieces[name];
  return h(
    "span",
    { class: "chip", role: "img", "aria-label": times(label, count), title: times(label, count) },
    inside(of, name, count, label),
  );
}

// The same where its name stands beside it.
/** @param {Table} of @param {string} name @param {number} count */
export function sign(of, name, count) {
  const found = inside(of, name, count, "").filter(Boolean);
  return found.length > 0 && h("span", { class: "chip", "aria-hidden": "true" }, found);
}

// Whether a piece has a sign in a line, or nothing but its name.
/** @param {Table} of @param {string} name */
export function isDrawn(of, name) {
  const { corner, suit, picture: drawn } = of.pieces[name];
  return Boolean(corner || suit || drawn || of.pieces[name].chart);
}

/** @param {Table} of @param {string} name @param {number} count @param {string} instead */
function inside(of, name, count, instead) {
  const { corner, suit, picture: drawn } = of.pieces[name];
  const signs = (corner ? [suit || drawn] : [suit, drawn]).filter(Boolean);
  // A number that several pieces have, and no sign with it, tells none of them.
  const unclear =
    corner && signs.length === 0 && Object.values(of.pieces).filter((other) => other.corner === corner).length > 1;
  return [
    unclear ? instead : corner,
    ...signs.map((found) => picture(of, found, "", coloured(of.pieces[name]))),
    !corner && signs.length === 0 && instead,
    count > 1 && h("span", { class: "of" }, filled("times", { what: "", count: number(count) }).trim()),
  ];
}

// As somebody holds them: as the edition has them, or by what stands in their corners.
/** @param {Table} of @param {{ name: string, count: number }[]} found */
export function held(of, found) {
  const all = sorted(of, found);
  if (!hasOn(RANKS)) return all;
  const corners = [
    ...new Set(
      Object.values(of.pieces)
        .sort((one, other) => one.order - other.order)
        .map(({ corner }) => corner),
    ),
  ];
  const rank = (/** @type {{ name: string }} */ { name }) => corners.indexOf(of.pieces[name].corner);
  return all.toSorted((one, other) => rank(one) - rank(other));
}

// In the order in which the edition has them.
/** @param {Table} of @param {{ name: string, count: number }[]} found */
export function sorted(of, found) {
  return found.toSorted((one, other) => of.pieces[one.name].order - of.pieces[other.name].order);
}
