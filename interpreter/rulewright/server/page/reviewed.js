// After the game: each of one's own decisions, what was offered, what one took, and what came of it.

import { shown } from "./log.js";
import { h } from "./preact.js";
import { entry, filled, number, row, say } from "./words.js";

/** @import { Review } from "./review.js" */
/** @import { LogLine, Redraw } from "./types" */

const FEW = 12; // answers, which are told without being asked for

// open: looks back at the table as it was at a step.
/** @param {Review} review @param {(step: number) => void} open @param {Redraw} redraw */
export function reviewed(review, open, redraw) {
  const one = review.found.get(review.at);
  return h("div", { class: "review", key: "review" }, one && decided(review, one, open, redraw));
}

// Every decision by its number, to go to; one that has been looked at also says what was taken.
/** @param {Review} review @param {number} count @param {Redraw} redraw */
const all = (review, count, redraw) =>
  h(
    "div",
    { class: "decisions", role: "group", "aria-label": say("decisions") },
    Array.from({ length: count }, (_, at) =>
      h(
        "button",
        {
          type: "button",
          key: at,
          "aria-current": at === review.at ? "true" : null,
          "aria-label": filled("decision", { number: number(at + 1), last: number(count) }),
          title: review.found.get(at)?.taken ?? null,
          onclick: () => {
            review.to(at);
            redraw();
          },
        },
        number(at + 1),
      ),
    ),
  );

/** @param {Review} review @param {any} one @param {(step: number) => void} open @param {Redraw} redraw */
function decided(review, one, open, redraw) {
  const way = (/** @type {string} */ sign, /** @type {string} */ name, /** @type {number} */ at) =>
    h(
      "button",
      {
        type: "button",
        key: name,
        "aria-label": name,
        title: name,
        disabled: at < 0 || at >= one.count,
        onclick: () => {
          review.to(at);
          redraw();
        },
      },
      sign,
    );
  const lines = shown(
    one.lines.slice(0, 1 + one.lines.findLastIndex((/** @type {LogLine} */ { heading }) => !heading)),
  );
  return h(
    "div",
    { "aria-live": "polite" },
    h(
      "div",
      { class: "row ways" },
      way("◀", say("earlier decision"), one.number - 1),
      h("strong", {}, filled("decision", { number: number(one.number + 1), last: number(one.count) })),
      way("▶", say("later decision"), one.number + 1),
      h("button", { type: "button", class: "plain", onclick: () => open(one.step) }, `↺ ${say("table then")}`),
    ),
    all(review, one.count, redraw),
    h("h3", {}, one.prompt),
    h("p", {}, h("strong", {}, entry(say("taken"), "")), ` ${one.taken}`),
    h(
      "details",
      { key: `offered ${one.number}`, open: one.offered.length <= FEW },
      h("summary", {}, entry(say("offered"), number(one.offered.length))),
      h("p", {}, row(one.offered)),
    ),
    lines.length > 0 &&
      h(
        "section",
        {},
        h("h3", {}, say("came of it")),
        lines.map((line, n) =>
          h(line.heading ? "h4" : "p", { class: line.heading ? "heading" : "line", key: n }, line.text),
        ),
      ),
  );
}
