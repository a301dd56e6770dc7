// The score sheet: what each round has brought every seat, with sums, during the game and at its end.

import { h } from "./preact.js";
import { avatar } from "./seat_parts.js";
import { known } from "./scores_heard.js";
import { number, say } from "./words.js";

/** @import { RoundPoints } from "./protocol" */
/** @import { Child, State, Table } from "./types" */

// Of a game that goes on, as soon as the server has told it.
/** @param {Table} of @param {State} state @returns {Child} */
export function scoresSoFar(of, state) {
  if (!known.ask || !Object.keys(of.scoring).length) return null;
  if (known.asked !== state.steps) {
    known.asked = state.steps;
    known.ask({ type: "scores" });
  }
  return scoreSheet(of, state, known.rounds);
}

// A row for each round, a column for each seat that scores.
/** @param {Table} of @param {State} state @param {RoundPoints[]} rounds @returns {Child} */
export function scoreSheet(of, state, rounds) {
  const seats = of.seats.map((_, seat) => seat).filter((seat) => rounds.some(({ points }) => points[seat] !== null));
  if (!rounds.length || !seats.length || !Object.keys(of.scoring).length) return null;
  const gained = (/** @type {number} */ n, /** @type {number} */ seat) => {
    const now = rounds[n].points[seat];
    return now === null ? "" : number(now - (rounds[n - 1]?.points[seat] ?? 0));
  };
  const last = /** @type {RoundPoints} */ (rounds.at(-1));
  const counted = rounds.map((one, n) => ({ ...one, n })).filter(({ round }) => round > 0);
  return h(
    "div",
    { class: "score-sheet wide", key: "score sheet", tabindex: 0, role: "group", "aria-label": say("score sheet") },
    h(
      "table",
      {},
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          h("th", { scope: "col" }, say("round")),
          seats.map((seat) =>
            h(
              "th",
              { scope: "col", key: seat },
              avatar(of, state, seat),
              h("span", { class: "scored-seat", title: of.seats[seat].name }, of.seats[seat].name),
            ),
          ),
        ),
      ),
      h(
        "tbody",
        {},
        counted.map(({ round, n }) =>
          h(
            "tr",
            { key: round },
            h("th", { scope: "row" }, number(round)),
            seats.map((seat) => h("td", { key: seat }, gained(n, seat))),
          ),
        ),
        h(
          "tr",
          { class: "sums" },
          h("th", { scope: "row" }, say("total")),
          seats.map((seat) => h("td", { key: seat }, h("strong", {}, number(last.points[seat] ?? 0)))),
        ),
      ),
    ),
  );
}
