// The editions to choose from.

import { h } from "./preact.js";
import { entry, filled, language, row, say, span } from "./words.js";

export function pictured(of, name) {
  return `/editions/${of.edition}/pictures/${name}.svg`;
}

// The games, each with its editions under one cover; those of a series below its heading.
export function editions(listed, pick, redraw) {
  const games = Object.values(Object.groupBy(listed, (one) => one.game));
  const series = Object.groupBy(games, ([first]) => first.series);
  return Object.keys(series).sort().map((heading) => h("section", { key: heading, class: "series" },
    heading && h("h3", {}, heading), shelf(series[heading], pick, redraw)));
}

function shelf(games, pick, redraw) {
  return h("ul", { class: "editions" }, games.map(([first, ...others]) => h("li", { key: first.edition },
    h("button", { class: "edition", onclick: () => pick(first.edition) },
      h("span", { class: "art" }, cover(first)), h("strong", { class: "title" }, others.length ? first.name : first.title), facts(first), h("span", { class: "blurb" }, first.text)),
    others.length > 0 ? h("ul", { class: "variants" }, [first, ...others].map((one) => variant(one, pick, redraw))) : state(first))));
}

export function cover(of) {
  return of.cover ? h("img", { src: pictured(of, of.cover), alt: "" }) : h("span", { class: "initials", "aria-hidden": "true" }, of.title.slice(0, 1));
}

function variant(one, pick, redraw) {
  const differs = differencesOf(one, redraw);
  return h("li", { key: one.edition }, h("button", { type: "button", class: "plain variant", onclick: () => pick(one.edition), "aria-label": one.title }, one.label),
    differs?.changes.length > 0 && h("span", { class: "faint brief" }, brief(differs.changes)), state(one));
}

// What has become of its file since the server began.
function state(one) {
  return [one.changed && h("p", { class: "faint changed" }, say("file changed")),
    one.mistake && h("p", { class: "trouble" }, say("file broken"), " ", h("code", {}, [one.mistake.file, one.mistake.line].join(":")), ` ${one.mistake.text}`)];
}

const told = new Map(); // address -> the differences there; null while they are under way

export function differencesOf(one, redraw) {
  const address = `/editions/${one.edition}/differences?${new URLSearchParams({ language: language() })}`;
  if (!told.has(address)) {
    told.set(address, null);
    fetch(address).then((answer) => (answer.ok ? answer.json() : null)).then((found) => { told.set(address, found); redraw(); })
      .catch(() => told.delete(address));
  }
  return told.get(address);
}

const SHORT = 30; // what is not longer is told whole
const LEAST = 3; // so many names of each kind stand in a brief

// In a line: figures with what they were, of rules only which.
function brief(changes) {
  const figures = changes.filter((one) => one.before && one.now && one.before.length < SHORT && one.now.length < SHORT).map(inFigures);
  const named = ["new", "gone", "changed"].map((kind) => {
    const titles = changes.filter((one) => one.kind === kind && !(one.before && one.now && one.before.length < SHORT)).map((one) => one.title);
    return titles.length > 0 && entry(ofKind(kind), row(titles.slice(0, LEAST))) + (titles.length > LEAST ? " …" : "");
  });
  return [...figures, ...named.filter(Boolean)].join(" · ");
}

const isText = ({ before, now }) => /\D/.test(now || before); // how many there were of what is gone says nothing
const ofKind = (kind) => ({ new: say("rule new"), gone: say("rule gone"), changed: say("rule changed") })[kind];
const inFigures = ({ title, before, now }) => entry(title, filled("instead", { now, before }));

// All of it.
export function differences(one, redraw) {
  const found = differencesOf(one, redraw);
  return found?.changes.length > 0 && h("details", { class: "panel differences", key: "differences" },
    h("summary", {}, filled("differs from", { edition: found.from })), h("p", {}, brief(found.changes)),
    h("dl", {}, found.changes.map((change) => h("div", { key: `${change.kind} ${change.title}` },
      h("dt", {}, h("span", { class: "mark" }, ofKind(change.kind)), ` ${change.title}`),
      change.before && change.now && change.before.length < SHORT ? h("dd", {}, filled("instead", change))
        : isText(change) && h("dd", {}, change.now || h("s", {}, change.before))))));
}

// How many can play, and how long.
export function facts(of) {
  return h("span", { class: "facts" }, h("span", {}, entry(say("players"), span(...of.people))),
    of.minutes.length > 0 && h("span", {}, filled("minutes", { minutes: span(...of.minutes) })));
}
