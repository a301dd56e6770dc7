// The end: who has won, the points line by line, the course of the game, and what can be done with it.

import { curve } from "./curve.js";
import { copied } from "./lobby.js";
import { avatar } from "./players.js";
import { h } from "./preact.js";
import { number, say } from "./words.js";

/** @import { Child, Redraw, Send, State, Table } from "./types" */

// replay: looks back from the beginning; shared: the link of the replay, if there is one; redraw: when it has come;
// again: how to play with the same people.
/**
 * @param {Table} of
 * @param {State} state
 * @param {{ send: Send, replay: () => void, shared: string | null, redraw: Redraw, again: Child }} given
 */
export function result(of, state, { send, replay, shared, redraw, again }) {
  const titles = state.standings[0]?.lines.map(([title]) => title) ?? [];
  const ties = (state.standings[0]?.ties ?? []).map(([title]) => title);
  const heads = [
    say("rank"),
    say("name"),
    ...(titles.length ? [say("total")] : []),
    ...ties,
    ...(titles.length > 1 ? titles : []),
  ].map((head) => h("th", { scope: "col" }, head));
  const rows = state.standings.map((one) =>
    h(
      "tr",
      { class: one.rank === 1 ? "first" : null },
      h("td", {}, `${one.rank === 1 ? "★ " : ""}${one.place}`),
      h("th", { scope: "row" }, of.seats[one.seat].name),
      titles.length > 0 && h("td", {}, h("strong", {}, number(one.total))),
      (one.ties ?? []).map(([, told]) => h("td", {}, told)),
      titles.length > 1 && one.lines.map(([, points]) => h("td", {}, number(points))),
    ),
  );
  return h(
    "section",
    { class: "ending", "aria-label": say("result") },
    h(
      "h2",
      { class: "winner" },
      state.standings.filter((one) => one.rank === 1).map((one) => avatar(of, state, one.seat)),
      state.result || say("result"),
    ),
    again,
    h(
      "div",
      { class: "both" },
      rows.length > 0 &&
        h(
          "div",
          { class: "result wide", tabindex: 0, role: "group", "aria-label": say("result") },
          h("table", {}, h("thead", {}, h("tr", {}, heads)), h("tbody", {}, rows)),
        ),
      curve(of, state.curve),
    ),
    h(
      "div",
      { class: "row" },
      h("button", { onclick: replay }, `▶ ${say("replay")}`),
      h("button", { onclick: () => send({ type: "share" }) }, say("share")),
      h("button", { onclick: () => send({ type: "save" }) }, say("save")),
      h("a", { href: "/" }, say("new game")),
    ),
    shared && copied(say("replay link"), shared, redraw),
  );
}
