// What whoever is invited reads: by whom and to what, how many can play and how long, and the game in a minute.

import { facts, pictured } from "./editions.js";
import { fetched } from "./fetched.js";
import { h } from "./preact.js";
import { filled, say } from "./words.js";

/** @import { Child, Glance, Redraw, Table } from "./types" */

// of: a lobby; redraw: what to do when it has come.
/** @param {{ edition: string, chosen: Record<string, string> }} of @param {Redraw} redraw @returns {Glance | null} */
export const glanceOf = (of, redraw) => fetched(`/editions/${of.edition}/glance`, of.chosen, redraw);

// Names may be written from right to left: they keep to themselves.
/** @param {string} text */
const isolated = (text) => `\u2068${text}\u2069`;

// form: how one sits down.
/** @param {Table} of @param {Child} form @param {Redraw} redraw */
export function invitation(of, form, redraw) {
  const glance = glanceOf(of, redraw);
  const game = isolated(of.title);
  return h(
    "section",
    { class: "about invitation" },
    glance?.cover && h("img", { class: "cover", src: pictured(of, glance.cover), alt: "" }),
    h(
      "div",
      {},
      h(
        "h2",
        {},
        of.inviter ? filled("invites you", { name: isolated(of.inviter), game }) : filled("invited", { game }),
      ),
      glance && facts(glance),
      form,
    ),
  );
}

// A minute's reading. rules: the address of the rulebook; open: whether one sees it at once.
/**
 * @param {{ edition: string, chosen: Record<string, string> }} of
 * @param {string} rules
 * @param {boolean} open
 * @param {Redraw} redraw
 */
export function inAMinute(of, rules, open, redraw) {
  const glance = glanceOf(of, redraw);
  return (
    glance &&
    h(
      "details",
      { class: "panel minute", open, key: "minute" },
      h("summary", {}, h("h2", {}, say("in a minute"))),
      summary(glance, rules),
      h("p", {}, h("a", { href: rules, target: "_blank" }, say("rulebook"))),
    )
  );
}

// What the game is about, a round, how it is won, and the options that are not as usual.
/** @param {Glance} glance @param {string} rules */
export function summary(glance, rules) {
  return [
    h("p", {}, glance.text),
    glance.parts.map((part) => points(part, rules)),
    glance.chosen.length > 0 &&
      h(
        "section",
        {},
        h("h3", {}, say("options")),
        h(
          "dl",
          {},
          glance.chosen.map(([option, choice]) => h("div", {}, h("dt", {}, option), h("dd", {}, choice))),
        ),
      ),
  ];
}

/** @param {Glance["parts"][number]} part @param {string} rules */
function points(part, rules) {
  return h(
    "section",
    { key: part.title },
    h("h3", {}, part.title),
    h(
      part.ordered ? "ol" : "ul",
      {},
      part.points.map((point) =>
        h(
          "li",
          {},
          h("a", { href: `${rules}#${point.passage}`, target: "_blank" }, point.title),
          point.text && ` ${point.text}`,
        ),
      ),
    ),
  );
}
