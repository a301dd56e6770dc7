// After the game: the chances through it, and each of one's own decisions: how good it was, what was better, what was
// offered, what one took, and what came of it.

import { chances, counts, progress } from "./chances.js";
import { shown } from "./log.js";
import { h } from "./preact.js";
import { isError } from "./review.js";
import { entry, filled, number, row, say } from "./words.js";

/** @import { JudgedTold } from "./protocol" */
/** @import { Review } from "./review.js" */
/** @import { Child, LogLine, Redraw, Table } from "./types" */

const FEW = 12; // answers, which are told without being asked for

// open: looks back at the table as it was at a step.
/** @param {Review} review @param {Table} of @param {(step: number) => void} open @param {Redraw} redraw */
export function reviewed(review, of, open, redraw) {
  const one = review.found.get(review.at);
  next = () => toError(review, redraw);
  return h(
    "div",
    { class: "review", key: "review" },
    progress(review),
    chances(review, of, redraw),
    one && heading(review, one, open, redraw),
    one && all(review, one.count, redraw),
    counts(review, of),
    one && decided(one),
  );
}

let next = () => {};

addEventListener("keydown", (event) => {
  const { key, target, defaultPrevented, ctrlKey, altKey, metaKey } = event;
  if (key.toLowerCase() !== "m" || defaultPrevented || ctrlKey || altKey || metaKey) return;
  if (!document.querySelector(".review") || (target instanceof Element && target.closest("input, textarea, select")))
    return;
  event.preventDefault();
  next();
});

/** @param {Review} review @param {Redraw} redraw */
function toError(review, redraw) {
  const { nextError } = review;
  if (nextError === null) return;
  review.to(nextError);
  redraw();
}

// What a decision is judged to be, and the answers that were judged, each with its interval.
// scale: what the values mean; lookBack: the button that shows the table then.
/** @param {JudgedTold} judged @param {string} scale @param {Child} lookBack */
function verdict(
  { verdict, sign, word, summary, meaning, certainty, answers, line = [], followed = [] },
  scale,
  lookBack,
) {
  return h(
    "section",
    { class: "verdict", "aria-label": word },
    h(
      "div",
      { class: "judged-head" },
      h(
        "p",
        { class: "judged" },
        h("span", { class: `sign ${verdict}`, "aria-hidden": "true" }, sign),
        h("span", {}, h("strong", {}, word), ` ${summary}`),
      ),
      lookBack,
    ),
    meaning && h("p", { class: "meaning" }, meaning),
    h(
      "ul",
      { class: "compared" },
      answers.map(({ text, told, value, margin, kind = "" }) =>
        h(
          "li",
          { key: text, class: kind },
          h("span", {}, kind === "best" ? "★ " : kind ? `${sign} ` : "", text),
          h(
            "span",
            { class: "interval", "aria-hidden": "true" },
            h("i", { style: { left: `${part(value - margin)}%`, right: `${100 - part(value + margin)}%` } }),
            h("b", { style: { left: `${part(value)}%` } }),
          ),
          h("span", { class: "worth" }, told),
        ),
      ),
    ),
    h("details", { class: "certainty" }, h("summary", {}, say("how sure")), h("p", {}, `${certainty} ${scale}`)),
    line.length > 1 && h("p", {}, h("strong", {}, entry(say("may follow"), "")), ` ${line.join(" · ")}`),
    followed.length > 1 && h("p", {}, h("strong", {}, entry(say("in the game"), "")), ` ${followed.join(" · ")}`),
  );
}

/** @param {number} value */
const part = (value) => Math.round(100 * Math.max(0, Math.min(1, value)));

// Every decision by its number, to go to; one that has been looked at also says what was taken.
/** @param {Review} review @param {number} count @param {Redraw} redraw */
const all = (review, count, redraw) =>
  h(
    "div",
    { class: "decisions", role: "group", "aria-label": say("decisions") },
    Array.from({ length: count }, (_, at) => {
      const judged = review.of(at);
      const name = filled("decision", { number: number(at + 1), last: number(count) });
      return h(
        "button",
        {
          type: "button",
          key: at,
          "aria-current": at === review.at ? "true" : null,
          class: judged && isError(judged) ? judged.verdict : null,
          "aria-label": judged ? entry(name, judged.word) : name,
          title: review.found.get(at)?.taken ?? null,
          onclick: () => {
            review.to(at);
            redraw();
          },
        },
        number(at + 1),
        judged && h("span", { class: `sign ${judged.verdict}` }, judged.sign),
      );
    }),
  );

// The way through the decisions, and the verdict on the one that is looked at.
/** @param {Review} review @param {any} one @param {(step: number) => void} open @param {Redraw} redraw */
function heading(review, one, open, redraw) {
  const judged = review.of(one.number);
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
  const lookBack = h(
    "button",
    { type: "button", class: "plain", key: "then", onclick: () => open(one.step) },
    `↺ ${say("table then")}`,
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
      review.nextError !== null &&
        h(
          "button",
          { type: "button", class: "main", "aria-keyshortcuts": "M", onclick: () => toError(review, redraw) },
          say("next mistake"),
        ),
      !judged && lookBack,
    ),
    judged && verdict(judged, review.analysis?.meaning ?? "", lookBack),
  );
}

/** @param {any} one */
function decided(one) {
  const lines = shown(
    one.lines.slice(0, 1 + one.lines.findLastIndex((/** @type {LogLine} */ { heading }) => !heading)),
  );
  return h(
    "div",
    {},
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
