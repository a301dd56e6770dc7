// The sentences that were done as rows of a list: what was done inside another stands below it, turn by turn.

/** @import { TraceView } from "./records" */

const MOST = 400; // rows that are drawn
const FEW = 60; // steps of which nothing is folded at first
const TURNS = 3; // of a loop that stay open

// A row is a step, or a sentence that only goes on around one. place: of the step, or null; depth: from 0; inside: how
// many steps were done inside; turn: whether a loop begins again with it; parent: the row above, or null.
/**
 * @typedef {object} Row
 * @property {number} id
 * @property {number | null} place
 * @property {number} sentence
 * @property {number} depth
 * @property {number} inside
 * @property {boolean} turn
 * @property {number} turns
 * @property {number} last
 * @property {Row | null} parent
 */

/** @param {TraceView} trace */
export function rowsOf({ steps, sentences }) {
  /** @type {Row[]} */
  const rows = [];
  /** @type {Row[]} */
  const open = [];
  const put = (/** @type {Pick<Row, "place" | "sentence">} */ row) => {
    const parent = open.at(-1) ?? null;
    const made = { id: rows.length, depth: open.length, inside: 0, turn: false, turns: 0, last: -1, parent, ...row };
    if (parent) {
      made.turn = made.sentence <= parent.last;
      if (made.turn) parent.turns += 1;
      parent.last = made.sentence;
    }
    rows.push(made);
    return made;
  };
  steps.forEach((step, place) => {
    if (step.sentence < 0) {
      open.length = 0;
      put({ place, sentence: -1 });
      return;
    }
    const chain = sentences[step.sentence].outer ?? [];
    let common = 0;
    while (common < open.length && common < chain.length && open[common].sentence === chain[common]) common += 1;
    open.length = common;
    for (const outer of chain.slice(common)) open.push(put({ place: null, sentence: outer }));
    const row = put({ place, sentence: step.sentence });
    for (const above of open) above.inside += 1;
    open.push(row);
  });
  return rows;
}

// Where much was done, loops of many turns begin folded.
/** @param {Row[]} rows */
export function folded(rows) {
  return new Set(rows.length > FEW ? rows.filter((row) => row.turns > TURNS).map((row) => row.id) : []);
}

// The rows that are to be seen, around the step that is looked at where they are too many, and how many there are
// beside.
/** @param {Row[]} rows @param {Set<number>} closed @param {number | null} at */
export function seenRows(rows, closed, at) {
  const hidden = new Set();
  const seen = rows.filter((row) => {
    if (row.parent && (hidden.has(row.parent.id) || closed.has(row.parent.id))) hidden.add(row.id);
    return !hidden.has(row.id);
  });
  if (seen.length <= MOST) return { rows: seen, above: 0, below: 0 };
  const middle = seen.findIndex((row) => row.place === at);
  const first = Math.max(0, Math.min(middle - MOST / 2, seen.length - MOST));
  return { rows: seen.slice(first, first + MOST), above: first, below: seen.length - first - MOST };
}
