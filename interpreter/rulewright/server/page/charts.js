// Charts that stand on pieces: for each word of one list, which of another's is so. With pieces that say the same.

import { classes } from "./dom.js";
import { addressOf } from "./pictures.js";
import { h } from "./preact.js";
import { entry, row } from "./words.js";

/** @import { Chart, Piece, Table } from "./types" */

/** @param {Table} of @param {[unknown, string, string]} given */
const sign = (of, [, label, drawn]) =>
  drawn ? h("img", { src: addressOf(of, drawn), alt: "", draggable: false }) : h("span", {}, label);

// What lies before the same seat and names a column and a row, such as 'forest, attack', lies in that cell.
/** @param {Table} of @param {Chart} chart @param {string[]} names */
export function laidOn(of, chart, names) {
  const found = new Map();
  for (const name of names) {
    const words = Object.values(of.pieces[name].attributes);
    const [column, line] = [chart.keys, chart.values].map((edge) => edge.findIndex(([word]) => words.includes(word)));
    if (column >= 0 && line >= 0) found.set(name, { column, line });
  }
  return found;
}

// In each column, the row that is so, and whether a piece has brought it there.
/** @param {Chart} chart @param {Map<string, { column: number, line: number }>} laid */
function marks(chart, laid) {
  const cells = chart.cells.map((line) => ({ line, raised: false }));
  for (const { column, line } of laid.values()) if (line > cells[column].line) cells[column] = { line, raised: true };
  return cells;
}

/** @param {Chart} chart @param {{ line: number, raised: boolean }[]} cells */
const told = (chart, cells) =>
  row(chart.keys.map(([, label], column) => entry(label, chart.values[cells[column].line]?.[1] ?? "–")));

// The whole of it: a row for each that can be so, the last one on top where each is more than the one before.
/**
 * @param {Table} of
 * @param {Piece} piece
 * @param {Chart} drawn
 * @param {Map<string, { column: number, line: number }>} [laid]
 */
export function chart(of, piece, drawn, laid = new Map()) {
  const cells = marks(drawn, laid);
  const lines = drawn.values.map((value, line) => ({ value, line }));
  if (drawn.rises) lines.reverse();
  return h(
    "span",
    {
      class: "chart",
      role: "img",
      "aria-label": entry(piece.label, told(drawn, cells)),
      style: { "--columns": drawn.keys.length },
    },
    h("span", { class: "whose" }, piece.picture && sign(of, ["", "", piece.picture])),
    drawn.keys.map((key) => h("span", { class: "key", title: key[1] }, sign(of, key))),
    lines.map(({ value, line }) => [
      h("span", { class: "value", title: value[1] }, sign(of, value), value[2] && h("span", {}, value[1])),
      cells.map((cell, column) =>
        h(
          "span",
          {
            class: classes(
              "cell",
              cell.line === line && "here",
              cell.line === line && cell.raised && "raised",
              drawn.rises && line < cell.line && line > 0 && "below",
            ),
            title: cell.line === line ? entry(drawn.keys[column][1], value[1]) : undefined,
          },
          cell.line === line && sign(of, value),
        ),
      ),
    ]),
  );
}

// In the least room: below each column's sign, that of the row which is so.
/**
 * @param {Table} of
 * @param {Piece} piece
 * @param {Chart} drawn
 * @param {Map<string, { column: number, line: number }>} laid
 */
export function smallChart(of, piece, drawn, laid) {
  const cells = marks(drawn, laid);
  return h(
    "span",
    {
      class: "small-chart",
      role: "img",
      "aria-label": entry(piece.label, told(drawn, cells)),
      title: entry(piece.label, told(drawn, cells)),
    },
    drawn.keys.map((key, column) =>
      h(
        "span",
        {
          class: `cell${cells[column].raised ? " raised" : ""}`,
          style: drawn.rises ? { "--high": cells[column].line / (drawn.values.length - 1) } : {},
        },
        sign(of, key),
        drawn.values[cells[column].line] ? sign(of, drawn.values[cells[column].line]) : h("span", {}, "–"),
      ),
    ),
  );
}
