// Score pads of all seats side by side: a line for each word of a list. A free line of the reader's is filled where it
// stands, and tells what it would bring.

import { at } from "./middle.js";
import { h } from "./preact.js";
import { avatar } from "./seat_parts.js";
import { entry, number, say } from "./words.js";

/** @import { Choice, Picking, Rect, State, Table } from "./types" */

// The reader's column comes first.
/** @param {Table} of */
const columns = ({ seat, seats }) => [
  ...(seat === null ? [] : [seat]),
  ...seats.map((_, n) => n).filter((n) => n !== seat),
];

/** @param {Table} of @param {State} state @param {Picking | null} picking @param {Rect} rect */
export function pad(of, state, picking, rect) {
  const list = of.pad?.words ?? "";
  const lines = Object.entries(of.words[list]?.words ?? {});
  const seats = columns(of);
  const asked = picking?.asked.words === list || picking?.things.some(({ words }) => words === list);
  const none = asked && picking?.asked.choices.some((choice) => picking.told(choice)) ? number(0) : "·"; // once all is known
  const cell = (/** @type {number} */ seat, /** @type {string} */ word, /** @type {number} */ n) => {
    const value = state.pad[seat]?.[n] ?? null;
    const own = seat === of.seat ? "own" : "";
    const worth = own ? (state.worth[seat]?.[n] ?? null) : null;
    const choice = own && asked && picking ? picking.find((one) => one.words === list && one.word === word) : null;
    return h(
      "td",
      { key: seat, class: own },
      choice && picking ? line(picking, choice, worth, none) : value === null ? blank(worth) : number(value),
    );
  };
  return h(
    "div",
    {
      class: `pad-sheet${asked ? " now" : ""}`,
      style: { ...at(rect), "--lines": lines.length + 2 },
      role: "group",
      tabindex: 0,
      "aria-label": say("score sheet"),
    },
    h(
      "table",
      {},
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          h("td", {}),
          seats.map((seat) =>
            h(
              "th",
              { scope: "col", key: seat },
              avatar(of, state, seat),
              h("span", { class: "unseen" }, of.seats[seat].name),
            ),
          ),
        ),
      ),
      h(
        "tbody",
        {},
        lines.map(([word, label], n) =>
          h(
            "tr",
            { key: word },
            h("th", { scope: "row" }, label),
            seats.map((seat) => cell(seat, word, n)),
          ),
        ),
        h(
          "tr",
          { class: "sums" },
          h("th", { scope: "row" }, say("total")),
          seats.map((seat) => h("td", { key: seat, class: seat === of.seat ? "own" : "" }, sum(state, seat))),
        ),
      ),
    ),
  );
}

// A free line, with what it would bring now.
/** @param {number | null} worth */
const blank = (worth) =>
  worth === null ? h("span", { class: "unseen" }, "–") : h("span", { class: "worth" }, number(worth));

/** @param {State} state @param {number} seat */
const sum = ({ scores }, seat) =>
  scores[seat] ? number(scores[seat].lines.reduce((all, [, points]) => all + (points ?? 0), 0)) : "";

// What is told of an answer begins with what it brings: a number stands for all of it, unless one is known.
/** @param {Picking} picking @param {Choice} choice @param {number | null} worth @param {string} none */
function line(picking, choice, worth, none) {
  const told = picking.told(choice);
  const [gain = ""] = /[+−-]?\p{Nd}+/u.exec(told) ?? [];
  return h(
    "button",
    {
      type: "button",
      class: `choice ${picking.sort(choice)}`,
      "aria-label": told || worth !== null ? entry(choice.label, told || number(worth ?? 0)) : choice.label,
      "aria-pressed": picking.pressed(choice),
      "data-thing": picking.things.indexOf(choice),
      title: told || null,
      onclick: () => picking.tap(choice),
    },
    worth === null ? gain || none : number(worth),
  );
}
