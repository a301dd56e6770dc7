// The end of a game, on the same stage: who has won, in the bar; beside the table, as tabs, the points line by line with the
// course of the game, each of one's decisions, and what happened.

import { curve } from "./curve.js";
import { copied } from "./lobby.js";
import { scoreSheet } from "./score_sheet.js";
import { avatar } from "./seat_parts.js";
import { pictured } from "./editions.js";
import { h } from "./preact.js";
import { reviewed } from "./review.js";
import { entry, filled, number, say } from "./words.js";

/** @import { Review } from "./review.js" */
/** @import { Child, KeyEvent, Redraw, Send, State, Table } from "./types" */

/** @typedef {"result" | "decisions" | "log"} Tab */

/** @type {Tab} */
let tab = "result";

// Who has won, by how much or why, and what can be done next. last: the last line of the log; again: how to play with the
// same people; replay: looks back from the beginning; open: opens the result, where it is not in sight.
/** @param {Table} of @param {State} state @param {{ last: Child, again: Child, replay: () => void, open: (() => void) | null }} given */
export function outcome(of, state, { last, again, replay, open }) {
  const best = state.standings.filter(({ rank }) => rank === 1);
  const won = of.you === "seat" && best.some(({ seat }) => seat === of.seat);
  const alone = best.length === 1 && state.standings.length > 1;
  return h(
    "div",
    { class: `question ended${won ? " won" : ""}`, key: "ended" },
    h(
      "h2",
      { class: "winner calmly", tabindex: -1 },
      best.map((one) => avatar(of, state, one.seat)),
      h(
        "span",
        {},
        h("b", {}, (won && alone && say("you win")) || state.headline || state.result || say("result")),
        h("small", { class: "margin" }, state.reason || level(state) || last),
      ),
    ),
    again,
    h(
      "button",
      { type: "button", class: "replay", "aria-label": say("replay"), onclick: replay },
      "▶ ",
      h("span", {}, say("replay")),
    ),
    open && h("button", { type: "button", class: "opens-result", onclick: open }, say("result")),
  );
}

// Who has come in which place, in the middle of a table from which everything has been cleared.
/** @param {Table} of @param {State} state */
export const podium = (of, state) =>
  state.standings.length > 0 &&
  !state.zones.some((one) => one.pieces?.length) &&
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

// review: of who has a seat; open: looks back at a step; log: what happened; shared: the link of the replay, if there is
// one.
/**
 * @param {Table} of
 * @param {State} state
 * @param {{ review: Review, open: (step: number) => void, log: Child, send: Send, shared: string | null, redraw: Redraw }} given
 */
export function ended(of, state, { review, open, log, send, shared, redraw }) {
  /** @type {[Tab, string][]} */
  const tabs = [
    ["result", say("result")],
    ...(of.you === "seat" ? [/** @type {[Tab, string]} */ (["decisions", say("decisions")])] : []),
    ["log", say("record")],
  ];
  const at = tabs.some(([name]) => name === tab) ? tab : "result";
  const choose = (/** @type {Tab} */ name) => {
    tab = name;
    if (name === "decisions") review.to(review.at);
    redraw();
  };
  return h(
    "section",
    { class: "ending", key: "ending", "aria-label": say("result"), style: { "--seats": state.standings.length } },
    h(
      "div",
      {
        class: "end-tabs",
        role: "tablist",
        "aria-label": say("result"),
        onkeydown: (event) => walk(event, tabs, at, choose),
      },
      tabs.map(([name, label]) =>
        h(
          "button",
          {
            type: "button",
            role: "tab",
            id: `tab-${name}`,
            key: name,
            "aria-selected": String(name === at),
            "aria-controls": "ended",
            tabindex: name === at ? 0 : -1,
            onclick: () => choose(name),
          },
          label,
        ),
      ),
    ),
    h(
      "div",
      { class: "panel-of-tab", role: "tabpanel", id: "ended", key: at, "aria-labelledby": `tab-${at}` },
      at === "result" && [
        h("h2", { class: "printed" }, entry(of.title, state.result)),
        sheet(of, state),
        curve(of, state.curve, state.standings),
        state.curve.length > 1 && scoreSheet(of, state, state.curve),
        kept(of, state, send, shared, redraw),
      ],
      at === "decisions" && reviewed(review, open, redraw),
      at === "log" && log,
    ),
  );
}

// Arrows go from tab to tab.
/** @param {KeyEvent} event @param {[Tab, string][]} tabs @param {Tab} at @param {(name: Tab) => void} choose */
function walk(event, tabs, at, choose) {
  const way = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!way) return;
  event.preventDefault();
  const place = tabs.findIndex(([name]) => name === at) + way;
  const [name] = tabs[(place + tabs.length) % tabs.length];
  choose(name);
  requestAnimationFrame(() => document.getElementById(`tab-${name}`)?.focus());
}

// A column for each seat, the best first; a line for each sort of points.
/** @param {Table} of @param {State} state */
function sheet(of, state) {
  const { standings } = state;
  if (!standings.length) return null;
  const [{ lines, ties }] = standings;
  const best = (/** @type {number} */ rank) => (rank === 1 ? "first" : null);
  const line = (/** @type {string} */ title, /** @type {(one: (typeof standings)[number]) => Child} */ cell) =>
    h(
      "tr",
      { key: title },
      h("th", { scope: "row" }, title),
      standings.map((one) => h("td", { key: one.seat, class: best(one.rank) }, cell(one))),
    );
  return h(
    "div",
    { class: "score-sheet wide", tabindex: 0, role: "group", "aria-label": say("result") },
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
          standings.map((one) =>
            h(
              "th",
              { scope: "col", key: one.seat, class: best(one.rank) },
              avatar(of, state, one.seat),
              h("span", { class: "scored-seat", title: of.seats[one.seat].name }, of.seats[one.seat].name),
            ),
          ),
        ),
      ),
      h(
        "tbody",
        {},
        line(standings.length > 2 ? say("rank") : say("result"), (one) => `${one.rank === 1 ? "★ " : ""}${one.place}`),
        lines.length > 0 && line(say("total"), (one) => h("strong", {}, number(one.total))),
        (ties ?? []).map(([title], n) => line(title, (one) => one.ties[n][1])),
        lines.length > 1 && lines.map(([title], n) => line(title, (one) => number(one.lines[n][1]))),
      ),
    ),
  );
}

/** @param {Table} of @param {State} state @param {Send} send @param {string | null} shared @param {Redraw} redraw */
function kept(of, state, send, shared, redraw) {
  return [
    h(
      "div",
      { class: "keeping" },
      h("button", { onclick: () => send({ type: "share" }) }, say("share")),
      h("button", { onclick: () => shareAsPicture(of, state) }, say("as picture")),
      h("button", { onclick: () => print() }, say("print")),
      h("button", { onclick: () => send({ type: "save" }) }, say("save")),
      h("a", { class: "main", href: "/" }, say("new game")),
    ),
    shared && copied(say("replay link"), shared, redraw),
  ];
}

/** @param {Table} of @param {State} state */
async function shareAsPicture(of, state) {
  const { sharePicture } = await import("./result_picture.js");
  await sharePicture(of, state, rows(of, state), of.cover && pictured(of, of.cover));
}

// Each seat with its rank and its points, the best first.
/** @param {Table} of @param {State} state */
const rows = (of, state) =>
  state.standings.map(({ seat, rank, place, total, lines }) => [
    rank === 1 ? `★ ${place}` : place,
    of.seats[seat].name,
    lines.length ? number(total) : "",
    lines.length > 1 ? lines.map(([title, points]) => `${title} ${number(points)}`).join(" · ") : "",
  ]);
