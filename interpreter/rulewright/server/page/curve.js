// The course of a game: points over rounds, one line for each seat; small beside the table, and large in a dialog.

import { h } from "./preact.js";
import { entry, filled, number, say } from "./words.js";

/** @import { RoundPoints } from "./protocol" */
/** @import { State, Table } from "./types" */

/** @typedef {{ wide: number, high: number, names: number, letters: number, marks: number }} Size names: room for names beside
 * the lines' ends; letters: their height; marks: on the axis of rounds, at most */

/** @type {Size} */
const SMALL = { wide: 320, high: 210, names: 92, letters: 13, marks: 6 };
/** @type {Size} */
const LARGE = { wide: 1000, high: 520, names: 190, letters: 17, marks: 16 };
const LEVELS = 5; // marks on the axis of points, at most
const NICE = [1, 2, 5, 10];

// Who has led since a round.
/** @param {Table} of @param {number} seat @param {string} round */
const leads = (of, seat, round) =>
  seat === of.seat ? filled("own lead since", { round }) : filled("led since", { name: of.seats[seat].name, round });

/** @param {Table} of @param {RoundPoints[]} rounds @param {State["standings"]} standings */
export function curve(of, rounds, standings) {
  const seats = of.seats.map((_, seat) => seat).filter((seat) => rounds.some(({ points }) => points[seat] !== null));
  if (rounds.length < 3 || !seats.length || !Object.keys(of.scoring).length) return null;
  const lead = lastLead(rounds, standings);
  const since = lead && leads(of, lead.seat, number(rounds[lead.at].round));
  const drawn = (/** @type {Size} */ size) => chart(of, rounds, seats, lead, size);
  return h(
    "figure",
    { class: "curve" },
    h("figcaption", {}, h("h3", {}, say("curve")), since),
    h(
      "button",
      {
        type: "button",
        class: "plain",
        "aria-haspopup": "dialog",
        "aria-label": entry(say("curve"), say("larger")),
        title: say("larger"),
        onclick: ({ currentTarget }) => /** @type {any} */ (currentTarget.nextElementSibling).showModal(),
      },
      drawn(SMALL),
    ),
    h(
      "dialog",
      {
        class: "sheet course-sheet",
        "aria-label": say("curve"),
        onclick: (/** @type {any} */ { currentTarget }) => currentTarget.close(),
      },
      h("h2", {}, say("curve")),
      since && h("p", {}, since),
      drawn(LARGE),
      h("button", { type: "button", class: "main" }, say("close")),
    ),
  );
}

/** @param {Table} of @param {RoundPoints[]} rounds @param {number[]} seats @param {ReturnType<typeof lastLead>} lead @param {Size} size */
function chart(of, rounds, seats, lead, { wide, high, names, letters, marks }) {
  const all = rounds.flatMap(({ points }) => points.filter((held) => held !== null));
  const [least, most] = [Math.min(0, ...all), Math.max(1, ...all)];
  const levels = steps(least, most, LEVELS);
  const [top, bottom, right] = [letters, high - 1.8 * letters, wide - names];
  const left = letters * (0.4 + 0.6 * Math.max(...levels.map((mark) => number(mark).length)));
  const y = (/** @type {number | null} */ points) => top + ((most - (points ?? 0)) / (most - least)) * (bottom - top);
  const x = (/** @type {number} */ n) => left + (n / (rounds.length - 1)) * (right - left);
  const turns = new Set(steps(rounds[0].round, rounds[rounds.length - 1].round, marks));
  const last = rounds[rounds.length - 1];
  const ends = spread(
    seats.map((seat) => [seat, y(last.points[seat])]),
    1.3 * letters,
    bottom,
  );
  return h(
    "svg",
    { viewBox: `0 0 ${wide} ${high}`, role: "img", "aria-label": say("curve"), "font-size": letters },
    levels.map((mark) =>
      h(
        "g",
        {},
        h("path", { class: mark === 0 ? "grid zero" : "grid", d: `M${left} ${y(mark)}H${right}` }),
        h("text", { x: left - 0.4 * letters, y: y(mark) + 0.35 * letters, class: "end" }, number(mark)),
      ),
    ),
    rounds.map(
      ({ round }, n) =>
        turns.has(round) && h("text", { x: x(n), y: high - 0.4 * letters, class: "middle" }, number(round)),
    ),
    lead && h("g", { class: `seat-${lead.seat}` }, h("path", { class: "since", d: `M${x(lead.at)} ${top}V${bottom}` })),
    seats.map((seat) => {
      const [end, name] = [y(last.points[seat]), ends.get(seat) ?? 0];
      const line = rounds.map(({ points }, n) => `${x(n).toFixed(1)} ${y(points[seat]).toFixed(1)}`);
      return h(
        "g",
        { class: `seat-${seat}${seat === of.seat ? " own" : ""}` },
        h("path", { class: "course", d: `M${line.join("L")}` }),
        h("path", { class: "reaches", d: `M${right} ${end}L${right + 0.7 * letters} ${name}` }),
        h("circle", { cx: right, cy: end, r: 0.3 * letters }),
        h(
          "text",
          { class: "who", x: right + letters, y: name + 0.35 * letters },
          cut(of.seats[seat].name, (names - letters) / (0.62 * letters)),
        ),
      );
    }),
  );
}

/** @param {string} name @param {number} most */
const cut = (name, most) => (name.length > most ? `${[...name].slice(0, Math.floor(most) - 1).join("")}…` : name);

// Round numbers from one to another: so many at most, with a nought where it lies between.
/** @param {number} least @param {number} most @param {number} count */
function steps(least, most, count) {
  const rough = Math.max(1, (most - least) / count);
  const ten = 10 ** Math.floor(Math.log10(rough));
  const step = ten * (NICE.find((one) => one * ten >= rough) ?? 10);
  const first = Math.ceil(least / step);
  return Array.from({ length: Math.floor(most / step) - first + 1 }, (_, n) => (first + n) * step);
}

// Names beside the ends of their lines, one below the other.
/** @param {[number, number][]} ends @param {number} apart @param {number} bottom */
function spread(ends, apart, bottom) {
  /** @type {Map<number, number>} */
  const found = new Map();
  let below = -Infinity;
  ends.sort((one, other) => one[1] - other[1]);
  for (const [n, [seat, y]] of ends.entries()) {
    below = Math.max(Math.min(y, bottom - (ends.length - 1 - n) * apart), below + apart);
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
