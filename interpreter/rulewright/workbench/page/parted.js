// Where a line of play has come out otherwise: what it did before the rules changed, beside what it does now.

import { button } from "./controls.js";
import { required } from "./dom.js";
import { chip } from "./pieces.js";
import { h } from "./preact.js";
import { lineOf } from "./tree.js";
import { say } from "./words.js";

/** @import { CountedPiece, PartedLine } from "./answers" */
/** @import { Play } from "./play.js" */
/** @import { Child } from "./types" */

/** @param {Play} play @param {PartedLine} found */
export function parted(play, found) {
  const { line, node: here } = required(play.found);
  const at = line.findIndex(({ node }) => node === found.node);
  const one = line[at];
  const accept = () => play.take(play.bench.post("play/accept", { node: found.node, sight: play.sight }));
  const both = () => play.take(play.bench.post("play/both", { node: found.node, sight: play.sight }));
  return h(
    "section",
    { class: "parted panel", key: "parted", "aria-label": say("play parted") },
    h("h3", {}, say("play parted")),
    h("p", {}, at > 0 && h("strong", {}, `${lineOf(one)} `), say(at > 0 ? "play parted told" : "play parted start")),
    h(
      "div",
      { class: "wide", tabindex: 0, role: "group", "aria-label": say("play parted") },
      h(
        "table",
        {},
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            h("td", {}),
            h("th", { scope: "col" }, say("play before")),
            h("th", { scope: "col" }, say("play after")),
          ),
        ),
        h(
          "tbody",
          {},
          found.lines &&
            row("log", say("log"), told(found.lines[0], found.lines[1]), told(found.lines[1], found.lines[0])),
          found.zones.map((zone) =>
            row(
              zone.zone,
              zone.whose ? `${zone.whose}: ${zone.label}` : zone.label,
              pieces(play, zone.before, zone.now),
              pieces(play, zone.now, zone.before),
            ),
          ),
          found.figures.map(([label, was, is], n) =>
            row(
              `figure ${n}`,
              label,
              was ?? h("span", { class: "faint" }, say("play as before")),
              is ?? h("span", { class: "faint" }, say("play as before")),
            ),
          ),
        ),
      ),
    ),
    h(
      "div",
      { class: "row" },
      button(say("play go on"), accept, { class: "main" }),
      button(say("play keep both"), both),
      found.node !== here && button(`${say("play go there")} ›`, () => play.go(found.node), { class: "plain" }),
    ),
  );
}

/** @param {string} key @param {string} label @param {Child} was @param {Child} is */
const row = (key, label, was, is) =>
  h("tr", { key }, h("th", { scope: "row" }, label), h("td", { class: "was" }, was), h("td", {}, is));

// Lines of the log; those that the other one has, too, are quiet.
/** @param {string[]} lines @param {string[]} other */
function told(lines, other) {
  if (!lines.length) return h("span", { class: "faint" }, say("play nothing told"));
  return lines.map((text, n) => h("p", { key: n, class: other.includes(text) ? "faint" : "" }, text));
}

const MOST = 12;

// Pieces as signs, or by their names where the rules do not have them any more; those that are new stand out.
/** @param {Play} play @param {CountedPiece[]} found @param {CountedPiece[]} other */
function pieces(play, found, other) {
  if (!found.length) return h("span", { class: "faint" }, say("play nothing"));
  const counts = new Map(other.map(([name, count]) => [name, count]));
  const changed = found.filter(([name, count]) => counts.get(name) !== count);
  const shown = found.length > MOST && changed.length > 0 ? changed.slice(0, MOST) : found.slice(0, MOST);
  return h(
    "span",
    { class: "signs" },
    shown.map(([name, count, label]) => {
      const drawn =
        play.of && name in play.of.pieces ? chip(play.of, name, count) : h("span", { class: "chip" }, label);
      return h("span", { key: name, class: counts.get(name) === count ? "same" : "differs", title: label }, drawn);
    }),
    shown.length < found.length && " …",
  );
}
