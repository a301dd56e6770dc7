// Finding a game on the shelf: by words, what it is played with, how many play, and how long it takes.

import { h } from "./preact.js";
import { filled, number, say } from "./words.js";

/** @import { Child, FormEvent, GameKind, Listed, Redraw } from "./types" */

const MANY = 8; // games, from which on they are searched
const TIMES = [15, 30, 60]; // minutes

const wanted = {
  words: "",
  /** @type {GameKind | ""} */
  kind: "",
  people: 0,
  minutes: 0,
};

/** @param {string} text */
const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

// What is wanted of all that there is; all of it where there is little.
/** @param {Listed[]} all */
export const found = (all) => (all.length < MANY ? all : all.filter(fits));

/** @param {Listed} one */
function fits({ title, name, series, text, kinds, people, minutes }) {
  const told = plain([title, name, series, text].join(" "));
  return (
    plain(wanted.words)
      .split(/\s+/)
      .every((word) => told.includes(word)) &&
    (!wanted.kind || kinds.includes(wanted.kind)) &&
    (!wanted.people || (people[0] <= wanted.people && wanted.people <= people[1])) &&
    (!wanted.minutes || (minutes.length > 0 && minutes[minutes.length - 1] <= wanted.minutes))
  );
}

// Above the games; Enter opens the first that is found. more: whether others are still to come.
/** @param {Listed[]} all @param {boolean} more @param {(name: string) => void} pick @param {Redraw} redraw @returns {Child} */
export function finder(all, more, pick, redraw) {
  if (all.length < MANY) return null;
  const set = (/** @type {Partial<typeof wanted>} */ change) => {
    Object.assign(wanted, change);
    redraw();
  };
  const shown = found(all);
  const most = Math.max(...all.map(({ people }) => people[1]));
  const submit = (/** @type {FormEvent} */ event) => {
    event.preventDefault();
    if (wanted.words && shown.length) pick(shown[0].edition);
  };
  return h(
    "form",
    { class: "finder", role: "search", onsubmit: submit },
    h("input", {
      type: "search",
      value: wanted.words,
      placeholder: say("find game"),
      "aria-label": say("find game"),
      oninput: (event) => set({ words: event.target.value }),
    }),
    h(
      "span",
      { class: "row", role: "group", "aria-label": say("find game") },
      kindsOf(all).map((kind) => toggle(kind, set)),
      choice(say("players"), wanted.people, numbers(most), number, (people) => set({ people })),
      choice(say("duration"), wanted.minutes, TIMES, upTo, (minutes) => set({ minutes })),
    ),
    h(
      "p",
      { role: "status", class: shown.length || more ? "unseen" : null },
      shown.length || more ? filled("games found", { count: number(shown.length) }) : say("no such game"),
    ),
    !shown.length &&
      !more &&
      h(
        "button",
        { type: "button", onclick: () => set({ words: "", kind: "", people: 0, minutes: 0 }) },
        say("all games"),
      ),
  );
}

/** @param {number} most */
const numbers = (most) => Array.from({ length: most }, (_, n) => n + 1);

/** @param {number} minutes */
const upTo = (minutes) => filled("up to", { what: filled("minutes", { minutes: number(minutes) }) });

/** @param {Listed[]} all */
const kindsOf = (all) =>
  /** @type {GameKind[]} */ (["cards", "board", "dice"]).filter((kind) =>
    all.some(({ kinds }) => kinds.includes(kind)),
  );

/** @param {GameKind} kind @param {(change: { kind: GameKind | "" }) => void} set */
function toggle(kind, set) {
  const on = wanted.kind === kind;
  const label = { cards: say("played with cards"), board: say("played with board"), dice: say("played with dice") }[
    kind
  ];
  return h(
    "button",
    { type: "button", key: kind, "aria-pressed": String(on), onclick: () => set({ kind: on ? "" : kind }) },
    label,
  );
}

/** @param {string} label @param {number} value @param {number[]} values @param {(value: number) => string} told @param {(value: number) => void} set */
const choice = (label, value, values, told, set) =>
  h(
    "label",
    {},
    h("span", {}, label),
    h(
      "select",
      { value: String(value), onchange: (event) => set(Number(event.target.value)) },
      [0, ...values].map((one) => h("option", { key: one, value: String(one) }, one ? told(one) : say("any"))),
    ),
  );
