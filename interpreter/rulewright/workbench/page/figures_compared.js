// What differs between the games of two sets of rules, the clearest first.

import { wideTable } from "./curves.js";
import { required } from "./dom.js";
import { decimals, figure, plain, told } from "./estimates.js";
import { h } from "./preact.js";
import { filled, number, say } from "./words.js";

/** @import { ComparedFigure } from "./answers" */
/** @import { Figures } from "./figures.js" */

const CLEAREST = 6; // before the rest is folded away

/** @param {Figures} pane */
export function differences(pane) {
  const {
    results: { against, lacking },
    wish,
  } = pane;
  if (!wish.against) return null;
  if (lacking)
    return pane.part(
      "figures differences",
      "differences",
      h("p", { class: "surely" }, say("figures not there")),
      h("p", { class: "faint" }, lacking),
    );
  if (!against)
    return pane.part("figures differences", "differences", h("p", { class: "faint" }, say("figures beginning")));
  const sure = against.rows.filter(({ verdict }) => verdict === "differs");
  const perhaps = against.rows.filter(({ verdict }) => verdict === "perhaps");
  const list = (/** @type {ComparedFigure[]} */ rows) =>
    h(
      "ul",
      { class: "findings" },
      rows.map((row) => h("li", { key: row.key }, sentence(pane, row))),
    );
  const only = (/** @type {string[]} */ keys, /** @type {string} */ word) =>
    keys.length > 0 &&
    h("p", { class: "faint" }, filled(word, { what: keys.map((key) => pane.title(key)).join(", ") }));
  return pane.part(
    "figures differences",
    "differences",
    sure.length
      ? [
          list(sure.slice(0, CLEAREST)),
          sure.length > CLEAREST &&
            h(
              "details",
              { key: "more" },
              h("summary", {}, filled("figures more of", { count: number(sure.length - CLEAREST) })),
              list(sure.slice(CLEAREST)),
            ),
        ]
      : h(
          "p",
          {},
          say(
            against.rows.every(({ verdict }) => verdict === "same")
              ? "figures no difference at all"
              : "figures no difference",
          ),
        ),
    perhaps.length > 0 &&
      h("details", {}, h("summary", {}, say("figures perhaps"), " ", number(perhaps.length)), list(perhaps)),
    only(against.only.after, "figures only here"),
    only(against.only.before, "figures only there"),
    h(
      "details",
      {},
      h("summary", {}, say("figures unclear")),
      wideTable(
        ["", "figures before", "figures now", "figures difference", "figures verdict"].map((word) => word && say(word)),
        against.rows.map((row) =>
          h(
            "tr",
            { key: row.key },
            h("th", { scope: "row" }, pane.title(row.key)),
            h("td", {}, told(row.before, row.shares)),
            h("td", {}, told(row.after, row.shares)),
            h("td", {}, told(row.difference, row.shares)),
            h("td", {}, say(`figures verdict ${row.verdict}`)),
          ),
        ),
      ),
    ),
    h(
      "p",
      { class: "faint" },
      filled("figures compared", { games: number(Math.min(...against.games)) }),
      " ",
      against.paired && say("figures paired"),
    ),
  );
}

/** @param {Figures} pane @param {ComparedFigure} given */
function sentence(pane, { key, shares, before, after, difference: estimate }) {
  const difference = required(estimate);
  const [value, low, high] = difference;
  const [near, far] = [low, high].map(Math.abs).sort((one, other) => one - other);
  const places = decimals(difference, shares);
  const tell = (/** @type {number} */ one) => (shares ? figure(one * 100, places) : figure(one, places));
  const much = shares ? filled("figures percent points", { number: tell(Math.abs(value)) }) : tell(Math.abs(value));
  return filled(value > 0 ? "figures higher" : "figures lower", {
    what: pane.title(key),
    before: plain(before, shares),
    after: plain(after, shares),
    much,
    low: tell(near),
    high: tell(far),
  });
}
