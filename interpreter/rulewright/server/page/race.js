// A race to a goal, as on a board with pegs: a lane of holes for each seat, which turns back at the end of each row, and in
// it two pegs, where the seat is and where it was before.

import { at } from "./middle.js";
import { h } from "./preact.js";
import { entry, noted, number, row } from "./words.js";

/** @import { Rect, State, Table } from "./types" */

const GROUP = 5; // holes, with a little room behind them
const GAP = 0.6; // that room, in holes
const HOLE = { least: 5.5, most: 24 }; // px between holes
const LANE = 1.4; // between lanes, in holes
const ROWS = 1.05; // between rows besides, in holes
const ABOVE = 0.62; // of a hole, that a number stands over its hole
const EDGE = 34; // px beside a row, for its last number and for the goal

/** @param {number} holes */
const length = (holes) => holes - 1 + Math.floor((holes - 1) / GROUP) * GAP;

// How many holes a row has in so much width: whole groups, in rows as even as they can be. The goal is one more hole.
// hole: px between two of them.
/** @param {number} goal @param {number} wide @param {number} hole */
function perRow(goal, wide, hole) {
  const most = Math.max(GROUP, Math.floor((wide - 2 * EDGE) / (hole * (1 + GAP / GROUP)) / GROUP) * GROUP);
  const rows = Math.ceil((goal - 1) / most);
  return Math.min(most, Math.ceil((goal - 1) / rows / GROUP) * GROUP);
}

/** @param {number} goal @param {number} wide @param {number} hole */
const rowsOf = (goal, wide, hole) => Math.max(1, Math.ceil((goal - 1) / perRow(goal, wide, hole)));

// How high such a board is.
/** @param {number} goal @param {number} seats @param {number} wide @param {number} hole */
export const heightOf = (goal, seats, wide, hole) => (rowsOf(goal, wide, hole) * (seats * LANE + ROWS) + ROWS) * hole;

// How far apart its holes are, so that it is no higher than that.
/** @param {number} goal @param {number} seats @param {number} wide @param {number} high */
export function holeIn(goal, seats, wide, high) {
  let hole = HOLE.most;
  while (hole > HOLE.least && heightOf(goal, seats, wide, hole) > high) hole -= 0.5;
  return hole;
}

// Where a hole is, in px; lane: from 0; hole: from 1, and 0 where a peg begins.
/** @param {number} goal @param {number} seats @param {number} wide @param {number} size of a hole with its room */
export function holes(goal, seats, wide, size) {
  const [most, rows] = [perRow(goal, wide, size), rowsOf(goal, wide, size)];
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
    return { x, y: (ROWS + line * (seats * LANE + ROWS) + LANE * (lane + 0.5)) * size };
  };
}

// Where numbers stand: quarters of the way, as on a board that one knows, and the goal.
/** @param {number} goal */
function milestones(goal) {
  const quarter = Math.max(GROUP, Math.round(goal / 4 / GROUP) * GROUP);
  const all = Array.from({ length: Math.ceil(goal / quarter) - 1 }, (_, n) => (n + 1) * quarter);
  return [...all.filter((hole) => goal - hole > GROUP), goal];
}

/** @param {Table} of @param {State} state @param {Rect} rect @param {number} hole */
export function race(of, state, rect, hole) {
  const { counter, goal } = /** @type {NonNullable<Table["race"]>} */ (of.race);
  const count = of.seats.length;
  const place = holes(goal, count, rect.w, hole);
  const scored = of.seats.map((_, seat) => Number(state.counters[counter]?.[seat] || 0) || 0);
  const told = of.seats.map(({ name }, seat) => `${name} ${number(scored[seat])}`);
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
      style: { ...at(rect), "--hole": `${hole}px` },
    },
    h(
      "svg",
      { width: rect.w, height: rect.h, "aria-hidden": "true" },
      milestones(goal).map((mark) => {
        const { x, y } = place(0, mark);
        return h("text", { x, y: y - hole * ABOVE, "text-anchor": "middle", key: mark }, number(mark));
      }),
      of.seats.map((_, seat) => {
        const [front, back] = [place(seat, scored[seat]), place(seat, state.values_before[seat] ?? scored[seat])];
        return h(
          "g",
          { class: `seat-${seat}`, key: seat },
          h("path", { class: "holes", d: dots(seat) }),
          h("circle", { class: "goal", cx: place(seat, goal).x, cy: place(seat, goal).y, r: hole * 0.45 }),
          h("circle", { class: "peg was", cx: back.x, cy: back.y, r: hole * 0.45 }),
          h("circle", { class: "peg", cx: front.x, cy: front.y, r: hole * 0.6 }),
        );
      }),
    ),
  );
}

const TRACK = 0.42; // of a cloth's height, that a race takes at most

// The room of a race at the upper edge of the cloth, and what it leaves of that.
/** @param {Table} of @param {number} goal @param {Rect} cloth @param {boolean} phone */
export function trackOn(of, goal, cloth, phone) {
  const { x, y, w, h: high } = cloth;
  const wide = w * (phone ? 0.96 : 0.76);
  const hole = holeIn(goal, of.seats.length, wide, high * TRACK);
  const rect = { x: x + (w - wide) / 2, y: y + 10, w: wide, h: heightOf(goal, of.seats.length, wide, hole) };
  return { rect, hole, below: { ...cloth, y: y + rect.h + 10, h: high - rect.h - 10 } };
}
