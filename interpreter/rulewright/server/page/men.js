// What lies on a space of a board: in little room, a disc with its picture, and in whose colour it is.

import { classes } from "./dom.js";
import { inDisc, notes, paint, painted, runs } from "./pieces.js";
import { h } from "./preact.js";
import { number } from "./words.js";
import { zoneKey } from "./zones.js";

/** @import { State, Table, Zone } from "./types" */

// Pieces of a pile and seeds of a heap that are drawn.
const MOST = { piled: 5, flat: 15, row: 8, scattered: 48, "": 1 };
const WHOLE = 12; // seeds of a heap that are drawn as large as they are
const GOLDEN = Math.PI * (3 - Math.sqrt(5)); // the angle from seed to seed

// arranged: 'piled', one beyond the other from an edge; 'flat', piled so that each covers the one before; 'row', side by
// side; 'scattered', as seeds with their number; else one for all that are
// alike. What lies hidden has a mark, also where the reader knows it.
/** @typedef {keyof typeof MOST} Arranged */
/** @param {Table} of @param {State} state @param {Zone} one @param {Arranged} arranged */
export function lying(of, state, one, arranged) {
  if (one.pieces !== null) return men(of, state, one, one.pieces, arranged);
  const others = one.count - one.known.length;
  return [
    others > 0 &&
      h(
        "span",
        { class: "man", "aria-hidden": "true" },
        "?",
        others > 1 && h("span", { class: "badge" }, number(others)),
      ),
    ...men(of, state, one, one.known, arranged, true),
  ];
}

/** @param {Table} of @param {State} state @param {Zone} one @param {string[]} names @param {Arranged} arranged */
function men(of, state, one, names, arranged, known = false) {
  return runs(names).flatMap(({ name, count }) => {
    const drawn = Math.min(count, MOST[arranged]);
    const places = Array.from({ length: drawn }, (_, n) => (arranged === "scattered" ? scattered(n, drawn) : {}));
    const all = places.map((style) => man(of, state, one, name, { style, known, count: 0 }));
    if (arranged === "scattered") return [...all, heapSize(count)];
    if (count > drawn || (arranged === "flat" && count > 1))
      all[drawn - 1] = man(of, state, one, name, { style: {}, known, count });
    return all;
  });
}

// The number beside a heap, which tells that it is empty, too.
/** @param {number} count */
export const heapSize = (count) => h("span", { class: "number", "aria-hidden": "true" }, number(count));

// Seeds lie about the middle, each as far from the others as can be, the more the wider; very many are drawn smaller.
/** @param {number} place @param {number} count @returns {Record<string, string>} */
function scattered(place, count) {
  const far = 36 * Math.sqrt((place + 0.5) / Math.max(count, 4));
  const [x, y] = [Math.cos(place * GOLDEN), Math.sin(place * GOLDEN)].map((part) => 50 + far * part);
  const scale = Math.min(1, Math.sqrt(WHOLE / count)).toFixed(2);
  return { left: `${x.toFixed(1)}%`, top: `${y.toFixed(1)}%`, scale };
}

// count: of all that it stands for; 0: nothing is said.
/**
 * @param {Table} of
 * @param {State} state
 * @param {Zone} one
 * @param {string} name
 * @param {{ style: Record<string, string>, known: boolean, count: number }} given
 */
function man(of, state, one, name, { style, known, count }) {
  const { held, ...touched } = state.touch?.piece(name, zoneKey(one)) ?? {};
  return h(
    "span",
    {
      class: classes(
        "man",
        held === true && "held",
        name in state.owners && `seat-${state.owners[name]}`,
        of.pieces[name].die ? "die" : of.pieces[name].bare && "tile",
        of.pieces[name].spent && "spent",
        painted(of.pieces[name]).trim(),
      ),
      style: { ...paint(of.pieces[name]), ...style },
      "aria-hidden": "true",
      "data-at": zoneKey(one),
      "data-piece": name,
      ...touched,
    },
    inDisc(of, of.pieces[name]),
    notes(of.pieces[name]),
    known && h("span", { class: "eye" }, "👁"),
    count > 1 && h("span", { class: "badge" }, number(count)),
  );
}
