// A supply of pieces that two words tell apart: a column for each word of one list, a row for each of the other.

import { heaps, picture } from "./pieces.js";
import { h } from "./preact.js";

/** @import { PieceTable, Table, VNode } from "./types" */

// lay: draws so many pieces that are equal.
/**
 * @param {Table} of
 * @param {PieceTable} given
 * @param {string[]} names
 * @param {(name: string, count: number) => VNode} lay
 * @returns {VNode[]}
 */
export function tabled(of, { columns, rows }, names, lay) {
  const sorts = heaps(names).map(({ name, count }) => ({
    name,
    count,
    words: Object.values(of.pieces[name].attributes),
  }));
  const edge = (/** @type {[string, string, string]} */ [word, label, drawn]) =>
    h(
      "span",
      { class: "edge", key: `edge ${word}`, "aria-hidden": "true", title: label },
      drawn ? picture(of, drawn) : label,
    );
  const cell = (/** @type {string} */ row, /** @type {string} */ column) => {
    const there = sorts.filter(({ words }) => words.includes(row) && words.includes(column));
    return there.length
      ? there.map(({ name, count }) => lay(name, count))
      : [h("span", { class: "edge none", key: `none ${row} ${column}`, "aria-hidden": "true" }, "–")];
  };
  return [
    h("span", { class: "edge", key: "corner" }),
    ...columns.map(edge),
    ...rows.flatMap((row) => [edge(row), ...columns.flatMap(([column]) => cell(row[0], column))]),
  ];
}
