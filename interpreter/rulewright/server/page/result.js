// Beside the table when the game is over, as tabs: the points line by line with what they came from and the course of the
// game, each of one's decisions, and what happened.

import { chances } from "./chances.js";
import { curve } from "./curve.js";
import { pictured } from "./editions.js";
import { copied } from "./lobby.js";
import { h } from "./preact.js";
import { noteAt } from "./judged.js";
import { Review } from "./review.js";
import { reviewed } from "./reviewed.js";
import { scoreSheet } from "./score_sheet.js";
import { avatar } from "./seat_parts.js";
import { entry, filled, number, say } from "./words.js";

/** @import { SheetRow } from "./protocol" */
/** @import { Child, KeyEvent, Redraw, Send, Side, State, Table } from "./types" */

/** @typedef {"result" | "decisions" | "log"} Tab */

/** @type {Tab} */
let tab = "result";

// Whether there are points to be told, and not only who has won.
/** @param {State} state */
export const hasPoints = ({ standings: [first], sources, final }) =>
  Boolean(first?.lines.length || first?.ties.length || sources.length || final.length);

// brief: only what tells most; side: of this reader; open: looks back at a step; log: what happened; more: what can be done besides; shared: the
// link of the replay, if there is one.
/**
 * @param {Table} of
 * @param {State} state
 * @param {{ brief: boolean, side: Side, open: (step: number) => void, log: Child, more: Child, send: Send, shared: string | null, redraw: Redraw }} given
 */
export function ended(of, state, { brief, side, open, log, more, send, shared, redraw }) {
  const scored = hasPoints(state);
  side.review ??= new Review(side);
  const { review } = side;
  if (of.you === "seat") review.begin();
  if (brief) {
    const chart = of.you === "seat" && chances(review, of, openDecisions);
    return scored || chart
      ? h("section", { class: "ending brief", key: "brief" }, scored && sheet(of, state), chart)
      : log;
  }
  /** @type {[Tab, string][]} */
  const tabs = [
    ...(scored ? [/** @type {[Tab, string]} */ (["result", say("result")])] : []),
    ...(of.you === "seat" ? [/** @type {[Tab, string]} */ (["decisions", say("decisions")])] : []),
    ["log", say("record")],
  ];
  const at = tabs.some(([name]) => name === tab) ? tab : "log";
  side.history.note = (step) => noteAt(review, of, step);
  const choose = (/** @type {Tab} */ name) => {
    tab = name;
    if (name === "decisions") review.open();
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
          name === "decisions" && judgingSign(review),
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
      ],
      at === "decisions" && reviewed(review, of, (step) => back(open, step), redraw),
      at === "log" && log,
    ),
    kept(of, state, { more, send, shared, redraw }),
  );
}

// Opens the decisions in what lies over the table.
function openDecisions() {
  tab = "decisions";
  /** @type {HTMLElement | null} */ (document.querySelector(".opens-result"))?.click();
}

// Beside the name of a tab: a dot while decisions are judged, then how many were not good enough.
/** @param {Review} review */
function judgingSign({ analysis, errors }) {
  if (!analysis?.ended) return h("span", { class: "judging-dot", "aria-hidden": "true" });
  return errors > 0 && h("span", { class: "count", "aria-hidden": "true" }, number(errors));
}

// Looks back at a step, on a table that nothing lies over.
/** @param {(step: number) => void} open @param {number} step */
function back(open, step) {
  /** @type {HTMLElement | null} */ (document.querySelector(".drawer > .closes"))?.click();
  open(step);
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

// A column for each seat, the best first; a line for each sort of points, and one for each thing that they came from.
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
  const row = (/** @type {SheetRow} */ { title, values }) => {
    const most = Math.max(...values.map((value) => value ?? 0));
    const told = (/** @type {number} */ value) =>
      value === most && value > 0 ? h("b", {}, number(value)) : number(value);
    return line(title, ({ seat }) => (values[seat] === null ? "" : told(values[seat])));
  };
  const heading = (/** @type {string} */ text) =>
    h("tr", { key: text, class: "over" }, h("th", { colspan: standings.length + 1, scope: "colgroup" }, text));
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
          standings.map((one) => head(of, state, one.seat, best(one.rank))),
        ),
      ),
      h(
        "tbody",
        {},
        line(standings.length > 2 ? say("rank") : say("result"), (one) => `${one.rank === 1 ? "★ " : ""}${one.place}`),
        lines.length > 0 && line(say("total"), (one) => h("strong", {}, number(one.total))),
        (ties ?? []).map(([title], n) => line(title, (one) => one.ties[n][1])),
        lines.length > 1 && lines.map(([title], n) => line(title, (one) => number(one.lines[n][1]))),
        state.sources.length > 0 && [heading(say("points from")), state.sources.map(row)],
        state.final.length > 0 && [heading(say("at the end")), state.final.map(row)],
      ),
    ),
    decisive(of, state),
  );
}

/** @param {Table} of @param {State} state @param {number} seat @param {string | null} best */
const head = (of, state, seat, best) =>
  h(
    "th",
    { scope: "col", key: seat, class: best },
    avatar(of, state, seat),
    h("span", { class: "scored-seat", title: of.seats[seat].name }, of.seats[seat].name),
  );

// What the winner has more of than whoever comes next, by the most; null where points came from one thing only.
/** @param {Table} of @param {State} state */
function decisive(of, { standings, sources }) {
  const [first, next] = [standings[0], standings.find(({ rank }) => rank > 1)];
  if (!next || !sources.length || first.total === next.total) return null;
  const way = Math.sign(first.total - next.total);
  const ahead = (/** @type {SheetRow} */ { values }) => way * ((values[first.seat] ?? 0) - (values[next.seat] ?? 0));
  const most = sources.reduce((one, other) => (ahead(other) > ahead(one) ? other : one));
  const [points, others] = [first, next].map(({ seat }) => number(most.values[seat] ?? 0));
  const names = { winner: of.seats[first.seat].name, other: of.seats[next.seat].name };
  return h("p", { class: "decisive" }, filled("decisive", { what: most.title, points, others, ...names }));
}

// What can be done with a game that is over: in one row what most people do, and the rest behind a button.
/** @param {Table} of @param {State} state @param {{ more: Child, send: Send, shared: string | null, redraw: Redraw }} given */
function kept(of, state, { more, send, shared, redraw }) {
  return h(
    "div",
    { class: "keeping", key: "keeping" },
    shared && copied(say("replay link"), shared, redraw),
    h("a", { class: "button", href: "/" }, say("new game")),
    h("button", { type: "button", onclick: () => send({ type: "share" }) }, say("share")),
    h(
      "details",
      { key: "more" },
      h("summary", {}, say("rest")),
      h(
        "div",
        { class: "kept" },
        h("button", { type: "button", onclick: () => shareAsPicture(of, state) }, say("as picture")),
        of.record &&
          h(
            "button",
            { type: "button", onclick: () => send({ type: "record" }) },
            filled("save as", { what: format(of) }),
          ),
        h("button", { type: "button", onclick: () => send({ type: "save" }) }, say("save")),
        state.standings[0]?.lines.length > 0 && h("button", { type: "button", onclick: () => print() }, say("print")),
      ),
      more,
    ),
  );
}

/** @param {Table} of */
const format = ({ record }) => record.toUpperCase();

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
