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
/** @param {Listed[]} listed @param {(name: string) => void} pick */
export function editions(listed, pick) {
  const games = [...Map.groupBy(listed, (one) => one.game).values()];
  const series = Map.groupBy(games, ([first]) => first.series);
  return [...series]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([heading, games]) =>
      h(
        "section",
        { key: heading, class: heading ? "series" : "series featured" },
        heading && h("h3", {}, heading),
        shelf(games, pick),
      ),
    );
}

/** @param {Listed[][]} games @param {(name: string) => void} pick */
function shelf(games, pick) {
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
        others.length > 0 ? variants([first, ...others], pick) : state(first),
      ),
    ),
  );
}

const SIZE = /^\d+ ?×/; // such as 9 × 9

// The editions of a game, or the sizes of its board, the smallest first.
/** @param {Listed[]} all @param {(name: string) => void} pick */
function variants(all, pick) {
  const sized = all.every(({ label }) => SIZE.test(label));
  const title = sized ? say("sizes") : say("editions");
  const ordered = sized
    ? all.toSorted((one, other) => Number.parseInt(one.label, 10) - Number.parseInt(other.label, 10))
    : all;
  return h(
    "ul",
    { class: `variants${sized ? " sized" : ""}`, "aria-label": title },
    h("li", { class: "faint", "aria-hidden": "true" }, entry(title, "")),
    ordered.map((one) => variant(one, pick)),
  );
}

/** @param {Listed} of */
export function cover(of) {
  return of.cover
    ? h("img", { src: pictured(of, of.cover), alt: "" })
    : h("span", { class: "initials", "aria-hidden": "true" }, of.title.slice(0, 1));
}

/** @param {Listed} one @param {(name: string) => void} pick */
function variant(one, pick) {
  return h(
    "li",
    { key: one.edition },
    h(
      "button",
      { type: "button", class: "plain variant", onclick: () => pick(one.edition), "aria-label": one.title },
      one.label,
    ),
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
const differencesOf = (one, redraw) => fetched(`/editions/${one.edition}/differences`, {}, redraw);

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

// All of it: from the edition that this one extends, and in those that extend this one. others: the game's other editions.
/** @param {Listed} one @param {Listed[]} others @param {Redraw} redraw */
export const differences = (one, others, redraw) => [
  difference(differencesOf(one, redraw), (from) => filled("differs from", { edition: from })),
  others.map((other) => {
    const found = differencesOf(other, redraw);
    return found?.from === one.title && difference(found, () => filled("differs in", { edition: other.title }));
  }),
];

/** @param {Differences | null} found @param {(from: string) => string} heading */
function difference(found, heading) {
  return (
    found &&
    found.changes.length > 0 &&
    h(
      "details",
      { class: "panel differences", key: heading(found.from) },
      h("summary", {}, heading(found.from)),
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
    fact(PEOPLE, say("players"), span(...of.people)),
    of.minutes.length > 0 &&
      fact(WATCH, say("duration"), filled("minutes", { minutes: span(of.minutes[0], of.minutes[1]) })),
  );
}

const PEOPLE =
  "M9 11a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM2 21v-2a5 5 0 0 1 5-5h4a5 5 0 0 1 5 5v2M16 3.5a4 4 0 0 1 0 7.2M22 21v-2a5 5 0 0 0-4-4.6";
const WATCH = "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 7v5l3 2";

// A sign instead of the label, which is read out and shown where one points.
/** @param {string} sign @param {string} label @param {string} what */
const fact = (sign, label, what) =>
  h(
    "span",
    { title: entry(label, what) },
    h("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, h("path", { d: sign })),
    h("span", { class: "unseen" }, entry(label, "")),
    what,
  );
