// The small card over the table that tells the rules of a thing.

import { fill } from "./dom.js";
import { face } from "./pieces.js";
import { h } from "./preact.js";
import { entry, say } from "./words.js";

/** @import { ExampleTold, Explained, RuleTold } from "./protocol" */
/** @import { Table } from "./types" */

/** @type {Record<string, "zones" | "counters" | "powers">} */
const LISTS = { zone: "zones", counter: "counters", power: "powers" };

// of: what the table is made of; book: where the rules stand at a passage.
/** @param {HTMLDialogElement} card @param {Table} of @param {Explained} given @param {(passage?: string) => string} book */
export function explained(card, of, { what, name, told, carries = [] }, book) {
  const piece = what === "piece" ? of.pieces[name] : null;
  const title = what === "reasons" ? name : (piece?.label ?? of[LISTS[what]]?.[name]?.label ?? told[0]?.title ?? "");
  card.setAttribute("aria-label", title);
  fill(
    card,
    h(
      "div",
      { class: "about", key: `${what} ${name}` },
      piece && h("div", { class: "shown", "aria-hidden": "true" }, face(of, name)),
      h(
        "div",
        {},
        h("h2", {}, title),
        carries.length > 0 &&
          h(
            "dl",
            { class: "figures" },
            carries.map(([label, held]) => h("div", {}, h("dt", {}, entry(label, "")), h("dd", {}, held))),
          ),
        told.length + carries.length === 0 && h("p", { class: "faint" }, say("nothing told")),
        told.map((rule) => ruled(rule, title, { edition: of.edition, card, book })),
      ),
    ),
    h("button", { type: "button", class: "main", autofocus: true, onclick: () => card.close() }, say("close")),
  );
  if (!card.open) card.showModal();
}

/** @typedef {{ edition: string, card: HTMLDialogElement, book: (passage?: string) => string }} Around */

/** @param {RuleTold} given @param {string} shown @param {Around} around */
function ruled({ title, text, passage, rulings = [], examples = [] }, shown, around) {
  return h(
    "section",
    { key: passage },
    title.toLocaleLowerCase() !== shown.toLocaleLowerCase() && h("h3", {}, title),
    h("p", {}, text, " ", h("a", { href: around.book(passage), target: "_blank" }, `${say("rulebook")} ›`)),
    rulings.length > 0 &&
      h(
        "dl",
        {},
        rulings.map((ruling) => h("div", {}, h("dt", {}, entry(ruling.title, "")), h("dd", {}, ruling.text))),
      ),
    examples.map((one) => played(one, around)),
  );
}

// What was played to show a rule, and where one may play it oneself.
/** @param {ExampleTold} given @param {Around} around */
function played({ lesson, title, text, lines = [] }, { edition, card }) {
  const learning = `/editions/${edition}/learn`;
  return h(
    "details",
    { class: "example", key: `example ${lesson}` },
    h("summary", {}, entry(say("example"), title)),
    h("p", {}, text),
    lines.map((line) =>
      h("p", { class: line.said ? "said" : "line" }, line.heading ? h("strong", {}, line.text) : line.text),
    ),
    h(
      "p",
      {},
      h(
        "a",
        {
          href: `${learning}#${lesson + 1}`,
          target: location.pathname === learning ? undefined : "_blank",
          onclick: () => card.close(),
        },
        `${say("try it")} ›`,
      ),
    ),
  );
}
