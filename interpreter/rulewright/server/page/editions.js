// The editions to choose from.

import { fetched } from "./fetched.js";
import { h } from "./preact.js";
import { entry, filled, row, say, span } from "./words.js";

/** @import { Change, Differences, Listed, Redraw } from "./types" */

/** @param {{ edition: string }} of @param {string} name */
export function pictured(of, name) {
  return `/editions/${of.edition}/pictures/${name}.svg`;
}

// The games, each with its editions under one cover; those of a series below its heading.
/** @param {Listed[]} listed @param {(name: string) => void} pick @param {Redraw} redraw */
export function editions(listed, pick, redraw) {
  const games = [...Map.groupBy(listed, (one) => one.game).values()];
  const series = Map.groupBy(games, ([first]) => first.series);
  return [...series]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([heading, games]) =>
      h("section", { key: heading, class: "series" }, heading && h("h3", {}, heading), shelf(games, pick, redraw)),
    );
}

/** @param {Listed[][]} games @param {(name: string) => void} pick @param {Redraw} redraw */
function shelf(games, pick, redraw) {
  return h(
    "ul",
    { class: "editions" },
    games.map(([first, ...others]) =>
      h(
        "li",
        { key: first.edition },
        h(
          "button",
          { class: "edition", onclick: () => pick(first.edition) },
          h("span", { class: "art" }, cover(first)),
          h("strong", { class: "title" }, others.length ? first.name : first.title),
          facts(first),
          h("span", { class: "blurb" }, first.text),
        ),
        others.length > 0
          ? h(
              "ul",
              { class: "variants" },
              [first, ...others].map((one) => variant(one, pick, redraw)),
            )
          : state(first),
      ),
    ),
  );
}

/** @param {Listed} of */
export function cover(of) {
  return of.cover
    ? h("img", { src: pictured(of, of.cover), alt: "" })
    : h("span", { class: "initials", "aria-hidden": "true" }, of.title.slice(0, 1));
}

/** @param {Listed} one @param {(name: string) => void} pick @param {Redraw} redraw */
function variant(one, pick, redraw) {
  const differs = differencesOf(one, redraw);
  return h(
    "li",
    { key: one.edition },
    h(
      "button",
      { type: "button", class: "plain variant", onclick: () => pick(one.edition), "aria-label": one.title },
      one.label,
    ),
    differs && differs.changes.length > 0 && h("span", { class: "faint brief" }, brief(differs.changes)),
    state(one),
  );
}

// What has become of its file since the server began.
/** @param {Listed} one */
function state(one) {
  return [
    one.changed && h("p", { class: "faint changed" }, say("file changed")),
    one.mistake &&
      h(
        "p",
        { class: "trouble" },
        say("file broken"),
        " ",
        h("code", {}, [one.mistake.file, one.mistake.line].join(":")),
        ` ${one.mistake.text}`,
      ),
  ];
}

/** @param {Listed} one @param {Redraw} redraw @returns {Differences | null} */
export const differencesOf = (one, redraw) => fetched(`/editions/${one.edition}/differences`, {}, redraw);

const SHORT = 30; // what is not longer is told whole
const LEAST = 3; // so many names of each kind stand in a brief

// In a line: figures with what they were, of rules only which.
/** @param {Change[]} changes */
function brief(changes) {
  const figures = changes
    .filter((one) => one.before && one.now && one.before.length < SHORT && one.now.length < SHORT)
    .map(inFigures);
  /** @type {Change["kind"][]} */
  const kinds = ["new", "gone", "changed"];
  const named = kinds.map((kind) => {
    const titles = changes
      .filter((one) => one.kind === kind && !(one.before && one.now && one.before.length < SHORT))
      .map((one) => one.title);
    return titles.length > 0 && entry(ofKind(kind), row(titles.slice(0, LEAST))) + (titles.length > LEAST ? " …" : "");
  });
  return [...figures, ...named.filter(Boolean)].join(" · ");
}

/** @param {{ before: string, now: string }} given */
const isText = ({ before, now }) => /\D/.test(now || before); // how many there were of what is gone says nothing
/** @param {Change["kind"]} kind */
const ofKind = (kind) => ({ new: say("rule new"), gone: say("rule gone"), changed: say("rule changed") })[kind];
/** @param {{ title: string, before: string, now: string }} given */
const inFigures = ({ title, before, now }) => entry(title, filled("instead", { now, before }));

// All of it.
/** @param {Listed} one @param {Redraw} redraw */
export function differences(one, redraw) {
  const found = differencesOf(one, redraw);
  return (
    found &&
    found.changes.length > 0 &&
    h(
      "details",
      { class: "panel differences", key: "differences" },
      h("summary", {}, filled("differs from", { edition: found.from })),
      h("p", {}, brief(found.changes)),
      h(
        "dl",
        {},
        found.changes.map((change) =>
          h(
            "div",
            { key: `${change.kind} ${change.title}` },
            h("dt", {}, h("span", { class: "mark" }, ofKind(change.kind)), ` ${change.title}`),
            change.before && change.now && change.before.length < SHORT
              ? h("dd", {}, filled("instead", { now: change.now, before: change.before }))
              : isText(change) && h("dd", {}, change.now || h("s", {}, change.before)),
          ),
        ),
      ),
    )
  );
}

// How many can play, and how long.
/** @param {{ people: [number, number], minutes: number[] }} of */
export function facts(of) {
  return h(
    "span",
    { class: "facts" },
    h("span", {}, entry(say("players"), span(...of.people))),
    of.minutes.length > 0 && h("span", {}, filled("minutes", { minutes: span(of.minutes[0], of.minutes[1]) })),
  );
}
