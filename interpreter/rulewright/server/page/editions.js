// The editions to choose from, and the tables where one has sat.

import { el } from "./dom.js";
import { forget, tables } from "./kept.js";
import { entry, filled, language, row, say, span } from "./words.js";

export function pictured(of, name) {
  return `/editions/${of.edition}/pictures/${name}.svg`;
}

export function editions(listed, pick) {
  return el("ul", { class: "editions" }, listed.map((one) => el("li", { key: one.edition },
    el("button", { class: "edition", onclick: () => pick(one.edition) },
      el("span", { class: "art" }, one.cover ? el("img", { src: pictured(one, one.cover), alt: "" }) : el("span", { class: "initials", "aria-hidden": "true" }, one.title.slice(0, 1))),
      el("strong", { class: "title" }, one.title), facts(one), el("span", { class: "blurb" }, one.text)))));
}

// How many can play, and how long.
export function facts(of) {
  return el("span", { class: "facts" }, el("span", {}, entry(say("players"), span(...of.people))),
    of.minutes.length > 0 && el("span", {}, filled("minutes", { minutes: span(...of.minutes) })));
}

// Where one has sat before, the last one first.
export function yours(redraw) {
  const when = new Intl.DateTimeFormat(language().replace("_", "-"), { dateStyle: "medium", timeStyle: "short" });
  const entries = tables().map((one) => {
    const remove = () => { forget(one.hash); redraw(); };
    return el("li", { key: one.hash }, el("a", { href: `/table${one.hash}` }, el("strong", {}, one.title), " ",
      el("span", {}, row(one.names))), el("span", { class: "faint" }, when.format(one.when), one.over && ` · ${say("over")}`),
    el("button", { class: "plain", onclick: remove, "aria-label": entry(say("forget"), row([one.title, ...one.names])) }, "×"));
  });
  return entries.length > 0 && el("section", { class: "yours", "aria-label": say("your tables") }, el("h2", {}, say("your tables")), el("ul", {}, entries));
}
