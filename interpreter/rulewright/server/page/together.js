// The order of a hand whose cards go together: those that make sets, by what stands in their corners, then those of one suit,
// and at last those that lie apart.

/** @import { Table } from "./types" */

const LEAST = 3; // cards that go together

/** @template {{ name: string }} T @param {Table} of @param {T[]} cards as they lie usually @param {string[]} apart */
export function together(of, cards, apart) {
  const others = cards.filter(({ name }) => apart.includes(name));
  const found = cards.filter(({ name }) => !apart.includes(name));
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
  return {
    cards: [...way, ...rest(way), ...others],
    parts: [way.length, rest(way).length, others.length].filter(Boolean),
  };
}

// All of a set, or but for one of more than three, or nothing of it.
/** @template T @param {T[]} set */
const usesOf = (set) => [
  set,
  ...(set.length > LEAST ? set.map((one) => set.filter((other) => other !== one)) : []),
  [],
];

// Whether each has neighbours of its suit, so that at least three follow each other.
/** @param {Table} of @param {{ name: string }[]} cards */
function areRows(of, cards) {
  let length = LEAST;
  for (const [n, { name }] of cards.entries()) {
    const [one, before] = [of.pieces[name], of.pieces[cards[n - 1]?.name]];
    if (before?.suit === one.suit && one.order === before.order + 1) length += 1;
    else if (length < LEAST) return false;
    else length = 1;
  }
  return length >= LEAST;
}
