// What the edition's looks have beside a name: measures of that seat, such as how far it still has to go.

import { h } from "./preact.js";
import { number } from "./words.js";

/** @import { State, Table } from "./types" */

/** @param {Table} of @param {State} state @param {number} seat */
export const measures = (of, state, seat) =>
  figures(of, state, seat).map(([name, value]) =>
    h(
      "span",
      { class: "measure", key: `measure ${name}` },
      h("strong", {}, number(value)),
      " ",
      h("span", { class: "words" }, of.measures[name]),
    ),
  );

// The same in a line of their own, where points stand beside the name.
/** @param {Table} of @param {State} state @param {number} seat */
export const measuresBelow = (of, state, seat) =>
  figures(of, state, seat).map(([name, value]) =>
    h(
      "span",
      { class: "tally named counted", key: `measure ${name}` },
      h("span", { class: "label" }, of.measures[name]),
      h("strong", {}, number(value)),
    ),
  );

// Whether anybody has something of what all have said they would have.
/** @param {State} state @param {string} name */
export const isBegun = ({ counters }, name) =>
  (counters[name] ?? []).some((/** @type {string} */ one) => one && one !== number(0));

// Without those that are nothing at the end of a game, such as of a deal that is over, and without any of a seat that has
// still to say what it will have.
/** @param {Table} of @param {State} state @param {number} seat @returns {[string, number][]} */
function figures(of, state, seat) {
  const goals = Object.entries(of.counters).flatMap(([name, { goal }]) =>
    goal && !isBegun(state, name) ? [goal] : [],
  );
  if (goals.some((goal) => (state.counters[goal]?.[seat] || number(0)) === number(0))) return [];
  return Object.entries(state.measures).flatMap(([name, all]) => {
    const value = name === of.ahead ? null : all[seat];
    const isNothing = value === null || (value === 0 && state.over);
    return isNothing ? [] : [/** @type {[string, number]} */ ([name, value])];
  });
}

// How far a seat is ahead of the only other one in what looks say; nothing where it is not.
/** @param {Table} of @param {State} state @param {number} seat */
export function ahead(of, state, seat) {
  const [own, other] = [seat, 1 - seat].map((one) => state.measures[of.ahead]?.[one]);
  const by = (own ?? 0) - (other ?? 0);
  return by > 0 && h("strong", { title: of.measures[of.ahead] }, `+${number(by)}`);
}
