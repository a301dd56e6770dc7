// The chances through a game that is over: one line where two sides play, else one for each seat, with the signs of one's
// own errors. A click goes to the decision nearest to it.

import { h } from "./preact.js";
import { isError } from "./review.js";
import { entry, number, say } from "./words.js";

/** @import { JudgedTold } from "./protocol" */
/** @import { Review } from "./review.js" */
/** @import { Table } from "./types" */

const [WIDE, HIGH, LEFT, RIGHT, TOP, BOTTOM] = [340, 96, 42, 8, 12, 16];
const DASHES = ["", "7 4", "2 4", "10 3 2 3", "1 3", "12 5", "4 2", "6 2 1 2"];
const MOST = 4; // px between a click and what it is meant for, in parts of the width: as far as a finger misses

// The points of each line: the place of the row, its value, and half of the interval.
/** @param {Table} of @param {JudgedTold[]} rows @param {number[]} sides */
function lines(of, rows, sides) {
  const own = of.seat ?? 0;
  if (new Set(sides).size === 2) {
    const turned = (/** @type {JudgedTold} */ row) => (sides[row.seat] === sides[own] ? row.value : 1 - row.value);
    return new Map([[own, rows.map((row) => ({ n: row.place, value: turned(row), margin: row.margin }))]]);
  }
  const seats = [...new Set(rows.map(({ seat }) => seat))].toSorted();
  return new Map(
    seats.map((seat) => [
      seat,
      rows.flatMap((row) => (row.seat === seat ? [{ n: row.place, value: row.value, margin: row.margin }] : [])),
    ]),
  );
}

// chosen: after a click, when the decision nearest to it is the one that is looked at.
/** @param {Review} review @param {Table} of @param {() => void} chosen */
export function chances(review, of, chosen) {
  const { rows, analysis } = review;
  if (!analysis || rows.length < 2) return null;
  const last = Math.max(1, analysis.total - 1);
  const x = (/** @type {number} */ n) => LEFT + (n / last) * (WIDE - LEFT - RIGHT);
  const y = (/** @type {number} */ value) => TOP + (1 - Math.max(0, Math.min(1, value))) * (HIGH - TOP - BOTTOM);
  const all = lines(of, rows, analysis.sides);
  const own = all.get(of.seat ?? 0) ?? [];
  const at = rows.find((row) => row.seat === of.seat && row.number === review.at)?.place ?? -1;
  const place = (/** @type {{ n: number, value: number }} */ { n, value }) =>
    `${x(n).toFixed(1)} ${y(value).toFixed(1)}`;
  const choose = (/** @type {any} */ { currentTarget, clientX }) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    const given = ((clientX - left) / width) * WIDE;
    const near = rows
      .map((row) => ({ row, away: Math.abs(x(row.place) - given) }))
      .filter(({ row }) => row.seat === of.seat)
      .toSorted((one, other) => one.away - other.away || Number(isError(other.row)) - Number(isError(one.row)));
    const found = near.find(({ row, away }) => isError(row) && away < MOST) ?? near[0];
    if (found) review.to(found.row.number);
    chosen();
  };
  return h(
    "figure",
    { class: "chances" },
    h("figcaption", {}, h("h3", {}, say("chances"))),
    h(
      "svg",
      { viewBox: `0 0 ${WIDE} ${HIGH}`, role: "img", "aria-label": say("chances"), onclick: choose },
      [0, 0.5, 1].map((value) =>
        h(
          "g",
          { key: value },
          h("path", { class: "grid", d: `M${LEFT} ${y(value)}H${WIDE - RIGHT}` }),
          h("text", { x: LEFT - 4, y: y(value) + 4, class: "end" }, `${number(100 * value)} %`),
        ),
      ),
      at >= 0 && h("path", { class: "here", d: `M${x(at)} ${TOP}V${HIGH - BOTTOM}` }),
      own.length > 1 &&
        h("path", {
          class: `sure seat-${of.seat ?? 0}`,
          d: `M${own.map(({ n, value, margin }) => place({ n, value: value + margin })).join("L")}L${own
            .toReversed()
            .map(({ n, value, margin }) => place({ n, value: value - margin }))
            .join("L")}Z`,
        }),
      [...all].map(([seat, points]) =>
        h(
          "g",
          { class: `seat-${seat}${seat === of.seat ? " own" : ""}`, key: seat },
          h("path", {
            class: "course",
            d: `M${points.map(place).join("L")}`,
            "stroke-dasharray": all.size > 1 && seat !== of.seat ? DASHES[(seat % (DASHES.length - 1)) + 1] : null,
          }),
        ),
      ),
      rows.map(
        (row) =>
          row.seat === of.seat &&
          isError(row) &&
          h(
            "text",
            {
              class: `sign ${row.verdict}`,
              x: x(row.place),
              y: Math.max(TOP, y(own.find((one) => one.n === row.place)?.value ?? 0) - 4),
              key: `sign ${row.place}`,
            },
            row.sign,
          ),
      ),
      h("text", { x: LEFT, y: HIGH - 4 }, number(1)),
      h("text", { x: WIDE - RIGHT, y: HIGH - 4, class: "end" }, number(last + 1)),
    ),
    all.size > 1 &&
      h(
        "p",
        { class: "whose" },
        [...all.keys()].map((seat) =>
          h(
            "span",
            { key: seat, class: `seat-${seat}` },
            h(
              "svg",
              { viewBox: "0 0 30 8", "aria-hidden": "true" },
              h("path", {
                class: "course",
                d: "M0 4H30",
                "stroke-dasharray": seat === of.seat ? null : DASHES[(seat % (DASHES.length - 1)) + 1],
              }),
            ),
            of.seats[seat].name,
          ),
        ),
      ),
  );
}

// How many decisions of each seat got which verdict, and what all errors cost.
/** @param {Review} review @param {Table} of */
export function counts({ rows, analysis }, of) {
  if (!analysis || !rows.length) return null;
  const verdicts = [...new Map(rows.toSorted(byLoss).map(({ verdict, sign, word }) => [verdict, { sign, word }]))];
  const seats = [...new Set(rows.map(({ seat }) => seat))].toSorted();
  return h(
    "table",
    { class: "verdicts" },
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        h("td", {}),
        verdicts.map(([verdict, { sign, word }]) =>
          h(
            "th",
            { scope: "col", key: verdict, title: word },
            h("span", { class: `sign ${verdict}` }, sign),
            h("small", {}, word),
          ),
        ),
        h("th", { scope: "col" }, h("small", {}, say("chances lost"))),
      ),
    ),
    h(
      "tbody",
      {},
      seats.map((seat) => {
        const own = rows.filter((row) => row.seat === seat);
        const lost = own.filter(isError).reduce((sum, row) => sum + row.lost, 0);
        return h(
          "tr",
          { key: seat, class: seat === of.seat ? "own" : null },
          h("th", { scope: "row" }, of.seats[seat].name),
          verdicts.map(([verdict]) =>
            h("td", { key: verdict }, number(own.filter((row) => row.verdict === verdict).length)),
          ),
          h("td", {}, `${number(Math.round(100 * lost))} %`),
        );
      }),
    ),
  );
}

const ORDER = ["best", "good", "close", "inaccuracy", "mistake", "blunder"];

/** @param {JudgedTold} one @param {JudgedTold} other */
const byLoss = (one, other) => ORDER.indexOf(one.verdict) - ORDER.indexOf(other.verdict);

// How much is judged, while that goes on.
/** @param {Review} review */
export function progress({ rows, analysis, isAsked }) {
  if (!isAsked || analysis?.ended) return null;
  const all = analysis?.total ? `${number(rows.length)} / ${number(analysis.total)}` : "";
  return h("p", { class: "judging", role: "status" }, entry(say("judging"), all));
}
