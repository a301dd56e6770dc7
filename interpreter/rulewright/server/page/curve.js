// The course of a game: points over rounds, one line for each seat, and the same as a table.

import { h } from "./preact.js";
import { filled, number, say } from "./words.js";

/** @import { RoundPoints } from "./protocol" */
/** @import { State, Table } from "./types" */

const [WIDTH, HEIGHT, RIGHT, TOP, BOTTOM] = [640, 280, 160, 16, 34];
const DIGIT = 17; // wide
const LINE = 28; // of letters
const DASHES = ["", "9 5", "2 5", "12 4 2 4", "5 3", "14 6"];

/** @param {Table} of @param {RoundPoints[]} rounds @param {State["standings"]} standings */
export function curve(of, rounds, standings) {
  const seats = of.seats.map((_, seat) => seat).filter((seat) => rounds.some(({ points }) => points[seat] !== null));
  if (rounds.length < 2 || !seats.length || !Object.keys(of.scoring).length) return null;
  const all = rounds.flatMap(({ points }) => points.filter((held) => held !== null));
  const [least, most] = [Math.min(0, ...all), Math.max(1, ...all)];
  const y = (/** @type {number | null} */ points) =>
    TOP + ((most - (points ?? 0)) / (most - least)) * (HEIGHT - TOP - BOTTOM);
  const step = Math.max(1, Math.ceil((most - least) / 5));
  const marks = Array.from(
    { length: Math.floor((most - least) / step) + 1 },
    (_, n) => Math.ceil(least / step) * step + n * step,
  ).filter((mark) => mark <= most);
  const left = 12 + DIGIT * Math.max(2, ...marks.map((mark) => number(mark).length));
  const x = (/** @type {number} */ n) => left + (n / (rounds.length - 1)) * (WIDTH - left - RIGHT);
  const every = Math.ceil(rounds.length / 12);
  const [last] = rounds.slice(-1);
  const lead = lastLead(rounds, standings);
  const ends = spread(seats.map((seat) => [seat, y(last.points[seat])]));
  return h(
    "figure",
    { class: "curve" },
    h(
      "figcaption",
      {},
      h("h3", {}, say("curve")),
      lead && filled("led since", { name: of.seats[lead.seat].name, round: number(rounds[lead.at].round) }),
    ),
    h(
      "svg",
      { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": say("curve") },
      marks.map((mark) =>
        h(
          "g",
          {},
          h("path", { class: "grid", d: `M${left} ${y(mark)}H${WIDTH - RIGHT}` }),
          h("text", { x: left - 8, y: y(mark) + 5, class: "end" }, number(mark)),
        ),
      ),
      rounds.map(
        ({ round }, n) => n % every === 0 && h("text", { x: x(n), y: HEIGHT - 10, class: "middle" }, number(round)),
      ),
      lead &&
        h(
          "g",
          { class: `seat-${lead.seat}` },
          h("path", { class: "since", d: `M${x(lead.at)} ${TOP}V${HEIGHT - BOTTOM}` }),
          h("circle", { class: "since", cx: x(lead.at), cy: y(rounds[lead.at].points[lead.seat]), r: 9 }),
        ),
      seats.map((seat) =>
        h(
          "g",
          { class: `seat-${seat}` },
          h("path", {
            class: "course",
            "stroke-dasharray": DASHES[seat % DASHES.length],
            d: rounds
              .map(({ points }, n) => `${n ? "L" : "M"}${x(n).toFixed(1)} ${y(points[seat]).toFixed(1)}`)
              .join(""),
          }),
          h("circle", { cx: x(rounds.length - 1), cy: y(last.points[seat]), r: 4.5 }),
          h("text", { class: "who", x: WIDTH - RIGHT + 12, y: (ends.get(seat) ?? 0) + 5 }, of.seats[seat].name),
        ),
      ),
    ),
  );
}

// Names beside the ends of their lines, one below the other.
/** @param {[number, number][]} ends */
function spread(ends) {
  /** @type {Map<number, number>} */
  const found = new Map();
  let below = -Infinity;
  ends.sort((one, other) => one[1] - other[1]);
  for (const [n, [seat, y]] of ends.entries()) {
    below = Math.max(Math.min(y, HEIGHT - (ends.length - n) * LINE), below + LINE);
    found.set(seat, below);
  }
  return found;
}

// From which round on the winner has been ahead of everybody else to the end; null where that is the whole game, or never.
/** @param {RoundPoints[]} rounds @param {State["standings"]} standings */
function lastLead(rounds, standings) {
  const [first, next] = standings;
  if (!next || next.rank === 1 || first.total === next.total) return null;
  const way = Math.sign(first.total - next.total); // the fewer the better
  const leads = (/** @type {RoundPoints} */ { points }) =>
    points.every((held, seat) => seat === first.seat || held === null || way * ((points[first.seat] ?? 0) - held) > 0);
  const at = rounds.findLastIndex((one) => !leads(one)) + 1;
  return at > 0 && at < rounds.length ? { seat: first.seat, at } : null;
}
