// What never happens in a table's games: sentences that are not reached, answers, pieces and powers that are not used.

import { button } from "./controls.js";
import { h } from "./preact.js";
import { entry, filled, number, say } from "./words.js";

/** @import { NeverSeen, SourcePlace } from "./answers" */
/** @import { Figures } from "./figures.js" */
/** @import { Child, VNode } from "./types" */

const MOST = 8; // before the rest is folded away

/** @param {NeverSeen["sentences"]} found */
const onePerLine = (found) =>
  found.filter(({ own, line }, n) => found.findIndex((other) => other.own === own && other.line === line) === n);

/** @param {Figures} pane */
export function never(pane) {
  const { powers } = pane.known;
  const { games, never } = pane.results;
  const { sentences, of, answers, pieces, powers: unused } = never;
  const goes = (/** @type {SourcePlace} */ { own, file, line, column }, /** @type {Child} */ text) =>
    own || file
      ? button(text, () => pane.bench.open(file || pane.bench.file, line, column), {
          class: "plain goes",
          title: filled(own ? "figures line" : "figures elsewhere", { line: number(line) }),
        })
      : h(
          "span",
          {},
          text,
          " ",
          line > 0 && h("span", { class: "faint" }, filled("figures elsewhere", { line: number(line) })),
        );
  const list = (/** @type {string} */ name, /** @type {string} */ title, /** @type {VNode[]} */ rows) =>
    rows.length > 0 &&
    h(
      "div",
      { key: name },
      h("h4", {}, title),
      h("ul", {}, rows.slice(0, MOST)),
      rows.length > MOST &&
        h(
          "details",
          {},
          h("summary", {}, filled("figures more of", { count: number(rows.length - MOST) })),
          h("ul", {}, rows.slice(MOST)),
        ),
    );
  return pane.part(
    "figures never",
    "never",
    h("p", { class: "faint" }, filled("figures looked at", { games: number(games) })),
    list(
      "sentences",
      filled("figures sentences", { count: number(sentences.length), of: number(of) }),
      onePerLine(sentences).map((one) =>
        h("li", {}, one.own && h("span", { class: "where" }, number(one.line)), goes(one, h("code", {}, one.text))),
      ),
    ),
    list(
      "answers",
      say("figures answers"),
      answers.map((one) =>
        h(
          "li",
          {},
          goes(
            one.place,
            entry(pane.known.decisions[one.decision]?.title ?? one.step, pane.answer(one.decision, one.name)),
          ),
          " ",
          h(
            "span",
            { class: "faint" },
            one.offered ? filled("figures never taken", { count: number(one.offered) }) : say("figures never offered"),
          ),
        ),
      ),
    ),
    list(
      "pieces",
      say("figures pieces"),
      pieces.map((name) => h("li", {}, name)),
    ),
    list(
      "powers",
      say("figures powers"),
      unused.map(({ name, held }) =>
        h("li", {}, entry(powers[name] ?? name, say(held ? "figures held unused" : "figures never held"))),
      ),
    ),
    !sentences.length && !answers.length && !pieces.length && !unused.length && h("p", {}, say("figures all happens")),
  );
}
