// The end of a game, on the same stage: who has won, in the bar; beside the table, as tabs, the points line by line with the
// course of the game, each of one's decisions, and what happened.

import { curve } from "./curve.js";
import { copied } from "./lobby.js";
import { avatar } from "./seat_parts.js";
import { h } from "./preact.js";
import { reviewed } from "./review.js";
import { sharePicture } from "./result_picture.js";
import { entry, filled, number, say } from "./words.js";

/** @import { Review } from "./review.js" */
/** @import { Child, KeyEvent, Redraw, Send, State, Table } from "./types" */

/** @typedef {"result" | "decisions" | "log"} Tab */

/** @type {Tab} */
let tab = "result";

// Who has won, by how much or why, and what can be done next. last: the last line of the log; again: how to play with the
// same people; replay: looks back from the beginning.
/** @param {Table} of @param {State} state @param {{ last: Child, again: Child, replay: () => void }} given */
export function outcome(of, state, { last, again, replay }) {
  return h(
    "div",
    { class: "question ended", key: "ended" },
    h(
      "h2",
      { class: "winner calmly", tabindex: -1 },
      state.standings.filter((one) => one.rank === 1).map((one) => avatar(of, state, one.seat)),
      h("span", {}, state.result || say("result"), h("small", { class: "margin" }, margin(of, state) ?? last)),
    ),
    h("button", { type: "button", class: "replay", onclick: replay }, `▶ ${say("replay")}`),
    again,
  );
}

// By how much the next one is behind, or what decided between equal points; null where there are none.
/** @param {Table} of @param {State} state */
function margin(of, { standings }) {
  const [first, next] = [standings[0], standings.find(({ rank }) => rank > 1)];
  if (!first?.lines.length || !next) return null;
  const apart = Math.abs(first.total - next.total);
  if (apart) return filled("behind", { name: of.seats[next.seat].name, points: number(apart) });
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
    ...(of.you === "seat" ? [/** @type {[Tab, string]} */ (["decisions", say("your decisions")])] : []),
    ["log", say("log")],
  ];
  const at = tabs.some(([name]) => name === tab) ? tab : "result";
  const choose = (/** @type {Tab} */ name) => {
    tab = name;
    if (name === "decisions") review.to(review.at);
    redraw();
  };
  return h(
    "section",
    { class: "ending", key: "ending", "aria-label": say("result") },
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
              h("span", { class: "scored-seat" }, of.seats[one.seat].name),
            ),
          ),
        ),
      ),
      h(
        "tbody",
        {},
        line(say("rank"), (one) => `${one.rank === 1 ? "★ " : ""}${one.place}`),
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
      { class: "row" },
      h("button", { onclick: () => send({ type: "share" }) }, say("share")),
      h("button", { onclick: () => sharePicture(of, state) }, say("as picture")),
      h("button", { onclick: () => print() }, say("print")),
      h("button", { onclick: () => send({ type: "save" }) }, say("save")),
      h("a", { href: "/" }, say("new game")),
    ),
    shared && copied(say("replay link"), shared, redraw),
  ];
}
