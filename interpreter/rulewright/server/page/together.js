// The order of a hand whose cards go together: those that make sets, by what stands in their corners, then those of one suit,
// and at last those that lie apart.

import { sorted } from "./pieces.js";

/** @import { Table } from "./types" */

const LEAST = 3; // cards that go together

// groups: what goes together; begins: at which cards parts of the hand begin, but for the first.
/** @template {{ name: string, count: number }} T @param {Table} of @param {T[]} cards as they lie usually @param {string[]} apart */
export function together(of, cards, apart) {
  const others = cards.filter(({ name }) => apart.includes(name));
  const found = /** @type {T[]} */ (
    sorted(
      of,
      cards.filter(({ name }) => !apart.includes(name)),
    )
  );
  const corner = (/** @type {T} */ { name }) => of.pieces[name].corner;
  const byCorner = Map.groupBy(found, corner);
  const sets = [...byCorner.values()].filter(({ length }) => length >= LEAST);
  // A card may be in a set or in a row: the first way counts in which all others are in rows.
  const ways = sets.reduce(
    (all, set) => all.flatMap((way) => usesOf(set).map((some) => [...way, ...some])),
    [/** @type {T[]} */ ([])],
  );
  const rest = (/** @type {T[]} */ set) => found.filter((one) => !set.includes(one));
  const way = ways.find((set) => areRows(of, rest(set))) ?? ways[0];
  const groups = [...Map.groupBy(way, corner).values(), ...rowsOf(of, rest(way))];
  const parts = [...groups, others].filter(({ length }) => length);
  return {
    cards: [...groups.flat(), ...others],
    groups: groups.map((group) => group.map(({ name }) => name)),
    begins: parts.slice(1).map((_, n) => parts.slice(0, n + 1).flat().length),
  };
}

// All of a set, or but for one of more than three, or nothing of it.
/** @template T @param {T[]} set */
const usesOf = (set) => [
  set,
  ...(set.length > LEAST ? set.map((one) => set.filter((other) => other !== one)) : []),
  [],
];

// Cards that follow each other; all in one where some have no neighbours.
/** @template {{ name: string }} T @param {Table} of @param {T[]} cards */
function rowsOf(of, cards) {
  const rows = /** @type {T[][]} */ ([]);
  for (const [n, card] of cards.entries()) {
    if (n && (follows(of, cards[n - 1], card) || !areRows(of, cards))) rows.at(-1)?.push(card);
    else rows.push([card]);
  }
  return rows;
}

/** @param {Table} of @param {{ name: string } | undefined} before @param {{ name: string }} one */
function follows(of, before, one) {
  const [first, next] = [before && of.pieces[before.name], of.pieces[one.name]];
  return first?.suit === next.suit && next.order === first.order + 1;
}

// Whether each has neighbours of its suit, so that at least three follow each other.
/** @param {Table} of @param {{ name: string }[]} cards */
function areRows(of, cards) {
  let length = LEAST;
  for (const [n, card] of cards.entries()) {
    if (follows(of, cards[n - 1], card)) length += 1;
    else if (length < LEAST) return false;
    else length = 1;
  }
  return length >= LEAST;
}
