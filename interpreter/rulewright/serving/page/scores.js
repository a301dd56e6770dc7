// The result, as a table: one row for each seat, best first.

import { el } from "./dom.js";
import { number } from "./players.js";
import { say } from "./words.js";

export function result(of, state, send) {
  const titles = state.standings[0]?.lines.map(([title]) => title) ?? [];
  const heads = [say("rank"), say("name"), ...titles, say("total")].map((head) => el("th", { scope: "col" }, head));
  const rows = state.standings.map((one) => el("tr", {}, el("td", {}, String(one.rank)), el("th", { scope: "row" }, of.seats[one.seat].name),
    one.lines.map(([, points]) => el("td", {}, number(points))), el("td", {}, el("strong", {}, number(one.total)))));
  return el("section", { class: "result" }, el("h2", {}, say("result")),
    el("table", {}, el("thead", {}, el("tr", {}, heads)), el("tbody", {}, rows)),
    el("p", { class: "row" }, el("button", { onclick: () => send({ type: "save" }) }, say("save")),
      el("a", { href: "/" }, say("new game"))));
}
