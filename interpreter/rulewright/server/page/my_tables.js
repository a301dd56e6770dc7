// The tables where somebody has sat at this device: first those where it is their turn.

import { forgetTable, savedTables } from "./saved_tables.js";
import { h } from "./preact.js";
import { turnAt } from "./turns.js";
import { entry, language, row, say } from "./words.js";

/** @import { KeptTable, Redraw, Turn } from "./types" */

/** @param {Redraw} redraw */
export function myTables(redraw) {
  const when = new Intl.DateTimeFormat(language().replace("_", "-"), { dateStyle: "medium", timeStyle: "short" });
  const sorted = savedTables()
    .map((one) => ({ ...one, ...turnAt(one.hash) }))
    .sort((one, other) => rank(one) - rank(other));
  const entries = sorted.map((one) => {
    const remove = () => {
      forgetTable(one.hash);
      redraw();
    };
    return h(
      "li",
      { key: one.hash, class: one.yours ? "now" : "" },
      h(
        "a",
        { href: `/table${one.hash}` },
        one.yours && h("span", { class: "mark" }, `● ${say("your turn")} `),
        h("strong", {}, one.title),
        " ",
        h("span", {}, row(one.names)),
        h("span", { class: "faint" }, [state(one), when.format(one.when)].filter(Boolean).join(" · ")),
      ),
      h(
        "button",
        { class: "plain", onclick: remove, "aria-label": entry(say("forget"), row([one.title, ...one.names])) },
        "×",
      ),
    );
  });
  return (
    entries.length > 0 &&
    h(
      "section",
      { class: "my-tables", "aria-label": say("your tables") },
      h("h2", {}, say("your tables")),
      h("ul", {}, entries),
    )
  );
}

/** @param {KeptTable & Turn} one */
const rank = (one) => (one.over ? 2 : one.yours ? 0 : 1);

/** @param {KeptTable & Turn} given */
function state({ over, yours: mine, waiting }) {
  if (over) return say("over");
  return !mine && waiting?.length ? entry(say("waiting"), row(waiting)) : "";
}
