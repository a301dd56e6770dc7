// The tables where somebody has sat at this device: first those where it is their turn.

import { el } from "./dom.js";
import { forget, tables } from "./kept.js";
import { turnAt } from "./turns.js";
import { entry, language, row, say } from "./words.js";

export function yours(redraw) {
  const when = new Intl.DateTimeFormat(language().replace("_", "-"), { dateStyle: "medium", timeStyle: "short" });
  const sorted = tables().map((one) => ({ ...one, ...turnAt(one.hash) })).sort((one, other) => rank(one) - rank(other));
  const entries = sorted.map((one) => {
    const remove = () => { forget(one.hash); redraw(); };
    return el("li", { key: one.hash, class: one.yours ? "now" : "" },
      el("a", { href: `/table${one.hash}` }, one.yours && el("span", { class: "mark" }, `● ${say("your turn")} `), el("strong", {}, one.title), " ",
        el("span", {}, row(one.names))),
      el("span", { class: "faint" }, state(one) || when.format(one.when)),
      el("button", { class: "plain", onclick: remove, "aria-label": entry(say("forget"), row([one.title, ...one.names])) }, "×"));
  });
  return entries.length > 0 && el("section", { class: "yours", "aria-label": say("your tables") }, el("h2", {}, say("your tables")), el("ul", {}, entries));
}

const rank = (one) => (one.over ? 2 : one.yours ? 0 : 1);

function state({ over, yours: mine, waiting }) {
  if (over) return say("over");
  return !mine && waiting?.length ? entry(say("waiting"), row(waiting)) : "";
}
