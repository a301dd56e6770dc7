// A race to a goal, as on a board with pegs: a lane of holes for each seat, which turns back at the end of each row, and in
// it two pegs, where the seat is and where it was before.

import { at } from "./middle.js";
import { h } from "./preact.js";
import { entry, noted, number, row } from "./words.js";

/** @import { Rect, State, Table } from "./types" */

const GROUP = 5; // holes, with a little room behind them
const GAP = 0.6; // that room, in holes
const LANE = 12; // px between lanes
const ROWS = 9; // px between rows, besides
const HOLE = 8.5; // px between holes at least
const EDGE = 28; // px beside a row, for its last number and for the goal

/** @param {number} holes */
const length = (holes) => holes - 1 + Math.floor((holes - 1) / GROUP) * GAP;

// How many holes a row has in so much width: whole groups, in rows as even as they can be. The goal is one more hole.
/** @param {number} goal @param {number} wide */
function perRow(goal, wide) {
  const most = Math.max(GROUP, Math.floor((wide - 2 * EDGE) / (HOLE * (1 + GAP / GROUP)) / GROUP) * GROUP);
  const rows = Math.ceil((goal - 1) / most);
  return Math.min(most, Math.ceil((goal - 1) / rows / GROUP) * GROUP);
}

/** @param {number} goal @param {number} wide */
const rowsOf = (goal, wide) => Math.max(1, Math.ceil((goal - 1) / perRow(goal, wide)));

// How high such a board is.
/** @param {number} goal @param {number} seats @param {number} wide */
export const heightOf = (goal, seats, wide) => rowsOf(goal, wide) * (seats * LANE + ROWS) + ROWS;

// Where a hole is, in px; lane: from 0; hole: from 1, and 0 where a peg begins.
/** @param {number} goal @param {number} seats @param {number} wide */
export function holes(goal, seats, wide) {
  const [most, rows] = [perRow(goal, wide), rowsOf(goal, wide)];
  const step = (wide - 2 * EDGE) / length(most);
  return (/** @type {number} */ lane, /** @type {number} */ hole) => {
    const n = Math.min(goal, hole) - 1;
    const line = Math.max(0, Math.min(rows - 1, Math.floor(n / most)));
    const place = n - line * most;
    const along =
      n < 0
        ? Math.max(-1, -18 / step)
        : n === goal - 1
          ? Math.min(length(place) + 1.6, length(most) + 18 / step)
          : place + Math.floor(place / GROUP) * GAP;
    const x = line % 2 ? wide - EDGE - step * along : EDGE + step * along;
    return { x, y: ROWS + line * (seats * LANE + ROWS) + LANE * (lane + 0.5) };
  };
}

/** @type {WeakMap<Table["zones"], { now: number, was: number }[]>} */
const pegs = new WeakMap();

// Where the pegs of a seat are: the one behind shows where it was before its points changed last.
/** @param {Table} of @param {number} seat @param {number} now */
function pegged(of, seat, now) {
  const known = pegs.get(of.zones) ?? [];
  pegs.set(of.zones, known);
  const last = known[seat] ?? { now, was: now };
  known[seat] = last.now === now ? last : { now, was: last.now };
  return known[seat];
}

/** @param {Table} of @param {State} state @param {Rect} rect */
export function race(of, state, rect) {
  const { counter, goal } = /** @type {NonNullable<Table["race"]>} */ (of.race);
  const count = of.seats.length;
  const place = holes(goal, count, rect.w);
  const scored = of.seats.map((_, seat) => Number(state.counters[counter]?.[seat] || 0) || 0);
  const told = of.seats.map(({ name }, seat) => `${name} ${number(scored[seat])}`);
  const most = perRow(goal, rect.w);
  const ends = Array.from({ length: rowsOf(goal, rect.w) - 1 }, (_, n) => (n + 1) * most);
  const dots = (/** @type {number} */ lane) =>
    Array.from({ length: goal }, (_, n) => {
      const { x, y } = place(lane, n + 1);
      return `M${x.toFixed(1)} ${y.toFixed(1)}h0`;
    }).join("");
  return h(
    "div",
    {
      class: "race",
      key: "race",
      role: "img",
      "aria-label": entry(noted(of.counters[counter].label, number(goal)), row(told)),
      style: at(rect),
    },
    h(
      "svg",
      { width: rect.w, height: rect.h, "aria-hidden": "true" },
      ends.map((end) => {
        const { x, y } = place((count - 1) / 2, end);
        const right = x > rect.w / 2;
        return h("text", { x: x + (right ? 6 : -6), y: y + 4, "text-anchor": right ? "start" : "end" }, number(end));
      }),
      of.seats.map((_, seat) => {
        const { now, was } = pegged(of, seat, scored[seat]);
        const [front, back] = [place(seat, now), place(seat, was)];
        return h(
          "g",
          { class: `seat-${seat}`, key: seat },
          h("path", { class: "holes", d: dots(seat) }),
          h("circle", { class: "goal", cx: place(seat, goal).x, cy: place(seat, goal).y, r: 4 }),
          h("circle", { class: "peg was", cx: back.x, cy: back.y, r: 4 }),
          h("circle", { class: "peg", cx: front.x, cy: front.y, r: 5.5 }),
        );
      }),
    ),
  );
}
