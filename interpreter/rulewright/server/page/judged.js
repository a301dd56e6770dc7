// Looking back at a decision that was judged: the verdict, and the best and the played answer on the things themselves.

import { h } from "./preact.js";

/** @import { JudgedTold } from "./protocol" */
/** @import { Review } from "./review.js" */
/** @import { Table } from "./types" */

// What is said at a step of the game, if somebody decided something there. Drawing it marks the things.
/** @param {Review} review @param {Table} of @param {number} step */
export function noteAt(review, of, step) {
  const rows = review.rows.filter((row) => row.step === step);
  const row =
    rows.find(({ seat, number }) => seat === of.seat && number === review.at) ??
    rows.find(({ seat }) => seat === of.seat) ??
    rows[0];
  if (!row) return null;
  const { verdict, sign, word, summary, meaning } = row;
  return h(
    "p",
    { class: "judged", key: "judged", ref: (/** @type {unknown} */ drawn) => (drawn ? mark(row) : unmark()) },
    h("span", { class: `sign ${verdict}`, "aria-hidden": "true" }, sign),
    h(
      "span",
      {},
      row.seat !== of.seat && `${of.seats[row.seat].name} `,
      h("strong", {}, word),
      ` ${summary}`,
      meaning && ` ${meaning}`,
    ),
  );
}

function unmark() {
  for (const one of document.querySelectorAll("[data-judged]"))
    delete (/** @type {HTMLElement} */ (one).dataset.judged);
}

/** @param {JudgedTold} row */
function mark({ answers, sign }) {
  unmark();
  for (const { kind = "", keys = [] } of answers)
    if (kind) for (const key of keys) thing(key)?.setAttribute("data-judged", kind === "best" ? "★" : sign);
}

// The first thing that a key of an answer names and that bears no mark yet: a space, or a piece.
/** @param {string} key */
function thing(key) {
  const [, name = key, word = key] = /^(.*?)(?: on (.*?)| in .*?)?(?: \(place \d+\))?$/.exec(key) ?? [];
  const found = [
    ...document.querySelectorAll(`.stage [data-space="${CSS.escape(word)}"]`),
    ...[key, name].flatMap((one) => [
      ...document.querySelectorAll(`.stage .held [data-piece="${CSS.escape(one)}"]`),
      ...document.querySelectorAll(`.stage [data-piece="${CSS.escape(one)}"]`),
    ]),
  ];
  return found.find((one) => !one.hasAttribute("data-judged")) ?? null;
}
