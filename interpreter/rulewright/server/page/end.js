// The end of a game, on the same stage: who has won and in which place one is, in the bar and in a middle that is empty.
// What stands beside the table then is in `result.js`.

import { classes } from "./dom.js";
import { h } from "./preact.js";
import { regionOf, SHARED } from "./place.js";
import { hasPoints } from "./result.js";
import { avatar } from "./seat_parts.js";
import { filled, number, say } from "./words.js";

/** @import { Child, State, Table } from "./types" */

// Who has won, by how much or why, one's own place, and what can be done next. last: the last line of the log; again: how to play with the
// same people; replay: looks back from the beginning; open: opens or closes the result, where it is a drawer; opened:
// whether it is open.
/** @param {Table} of @param {State} state @param {{ last: Child, again: Child, replay: () => void, open: (() => void) | null, opened: boolean }} given */
export function outcome(of, state, { last, again, replay, open, opened }) {
  const best = state.standings.filter(({ rank }) => rank === 1);
  const won = of.you === "seat" && best.some(({ seat }) => seat === of.seat);
  // of two, one's own place follows from who has won
  const mine = of.you === "seat" && state.standings.length > 2 && state.standings.find(({ seat }) => seat === of.seat);
  const alone = best.length === 1 && state.standings.length > 1;
  const conceded = of.seats.flatMap((one, seat) => (one.conceded ? [seat] : []));
  const reason = conceded.length === 1 && conceded[0] === of.seat ? say("you gave up") : state.reason;
  const title = (won && alone && say("you win")) || state.headline || reason || state.result || say("result");
  return h(
    "div",
    {
      class: classes("question ended", won && "won", mine && !won && "placed"),
      key: "ended",
      ...(open && drawnUp(opened, open)),
    },
    h(
      "h2",
      { class: "winner calmly", tabindex: -1 },
      best.map((one) => avatar(of, state, one.seat)),
      h(
        "span",
        {},
        h("b", {}, title),
        h("small", { class: "margin" }, (reason !== title && reason) || level(state) || last),
      ),
    ),
    mine && !won && h("p", { class: "own-place" }, h("b", {}, mine.told), h("small", { class: "margin" }, mine.margin)),
    again,
    h("button", { type: "button", class: "replay", title: say("whole game"), onclick: replay }, `▶ ${say("replay")}`),
    open &&
      h(
        "button",
        {
          type: "button",
          class: "opens-result",
          "aria-expanded": String(opened),
          "aria-controls": "rail",
          onclick: open,
        },
        hasPoints(state) ? say("result") : say("rest"),
      ),
  );
}

const FAR = 24; // px that a finger moves at least
let from = 0; // where it began

// A finger that moves up opens the result, and one that moves down closes it.
/** @param {boolean} opened @param {() => void} turn */
const drawnUp = (opened, turn) => ({
  ontouchstart: (/** @type {TouchEvent} */ { touches }) => {
    from = touches[0].clientY;
  },
  ontouchend: (/** @type {TouchEvent} */ { changedTouches }) => {
    const up = from - changedTouches[0].clientY;
    if ((opened ? -up : up) > FAR) turn();
  },
});

// Whether nothing is left on the table but decks.
/** @param {Table} of @param {State} state */
const isCleared = (of, { zones }) =>
  !of.boards.some(({ drawn }) => drawn) &&
  !zones.some(
    ({ zone, pieces }) => pieces?.length && !of.zones[zone].pile && [...SHARED, "offer"].includes(regionOf(of, zone)),
  );

// Who has come in which place, in the middle of a table from which everything has been cleared. deal: draws the last deal,
// of which that is told, too.
/** @param {Table} of @param {State} state @param {() => Child} deal */
export const podium = (of, state, deal) =>
  state.standings.length > 0 &&
  isCleared(of, state) &&
  ((of.deals && state.curve.length > 0 && deal()) || list(of, state));

/** @param {Table} of @param {State} state */
const list = (of, state) =>
  h(
    "ol",
    { class: "podium", key: "podium" },
    state.standings.map(({ seat, rank, place, total, lines }) =>
      h(
        "li",
        { key: seat, class: rank === 1 ? "first" : null },
        h("span", {}, rank === 1 && "★ ", place),
        avatar(of, state, seat),
        h("strong", {}, of.seats[seat].name),
        lines.length > 0 && h("b", {}, number(total)),
      ),
    ),
  );

// What decided between equal points; null where there are none.
/** @param {State} state */
function level({ standings }) {
  const [first, next] = [standings[0], standings.find(({ rank }) => rank > 1)];
  if (!first?.lines.length || !next || first.total !== next.total) return null;
  const tie = first.ties.find(([, value], n) => value !== next.ties[n]?.[1]);
  return tie ? filled("level", { what: tie[0] }) : null;
}
