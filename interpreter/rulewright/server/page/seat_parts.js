// What is told of a seat on its plate: its sign, its marks, points, tokens, and pieces as chips.

import { laidOn, smallChart } from "./charts.js";
import { classes } from "./dom.js";
import { chip, heaps, inDisc, isDrawn, picture, sorted } from "./pieces.js";
import { isPointed } from "./place.js";
import { computer } from "./levels.js";
import { h } from "./preact.js";
import { ahead, isBegun } from "./seat_figures.js";
import { alone, entry, number, say, times } from "./words.js";

/** @import { Child, OpenZone, Score, Sitting, State, Table, Zone } from "./types" */

const MOST_IN_WORDS = 4; // where more pieces have nothing but a name, they are counted

// What of a state is drawn of a seat, but for its zones.
/**
 * @param {{ scores: State["scores"], counters: State["counters"], powers: string[][], owners: State["owners"] }} given
 * @param {number} seat
 */
export const seen = ({ scores, counters, powers, owners }, seat) => [scores[seat], counters, powers[seat], owners];

// Whether a piece that is seen gives a power.
/** @param {Table} of @param {Zone[]} zones @param {string} power */
export const shown = (of, zones, power) =>
  zones.some((one) =>
    one.pieces?.some((name) => of.pieces[name].power === power && of.pieces[name]["power in"] === one.zone),
  );

// How many pieces there are that may not be seen, beside their back.
/** @param {Table} of @param {Zone} one */
export function hidden(of, one) {
  const { label, back } = of.zones[one.zone];
  return h(
    "span",
    {
      class: "tally",
      key: one.zone,
      role: "img",
      "aria-label": entry(label, one.hidden || number(one.count)),
      title: label,
    },
    h("span", { class: "label" }, label),
    back ? picture(of, back) : h("span", { class: "plain-back" }),
    h("strong", {}, number(one.count)),
  );
}

// How many there are whose names would take too much room.
/** @param {Table} of @param {Zone} one */
export function counting(of, one) {
  const { label } = of.zones[one.zone];
  return h(
    "span",
    { class: "tally named", key: one.zone },
    h("span", { class: "label" }, label),
    h("strong", {}, number(one.count)),
  );
}

// Counters, by the pictures of their tokens where they have some, without what the points tell: those of a seat, and of
// its side. full: only those that hold something which neither the seat's sign, its partner nor its side of a board tells.
/** @param {Table} of @param {State} state @param {number} seat */
export function tallies(of, state, seat, full = false) {
  const sign = full && ownPiece(of, state, seat);
  const isSign = (/** @type {string} */ name) =>
    (full && name === of.sides && (sign || hasPartners(of, state) || of.boards.some(({ upper }) => upper.length))) ||
    (sign && state.counters[name]?.[seat] === of.pieces[sign].label);
  const goals = Object.values(of.counters).map(({ goal }) => goal);
  return Object.entries(of.counters)
    .filter(([name]) => ![of.total, ...goals, ...(of.pad?.counters ?? [])].includes(name) && !isSign(name))
    .sort(([, one], [, other]) => Number(other.goal !== "") - Number(one.goal !== ""))
    .flatMap(([name, { of: whose, goal }]) => {
      const own =
        whose === "seat"
          ? state.counters[name]?.[seat]
          : of.sides && whose === of.sides && sideCounter(of, state, name, seat);
      if (full && isPointed(of, name)) return [];
      if (goal) return ratio(of, state, seat, name, goal);
      const held = own && lasts(state, own) && !(full && of.nothings.includes(own));
      return held ? [tally(of, name, own, full && own === of.truth)] : [];
    });
}

// isHeld: its label says it all.
/** @param {Table} of @param {string} name @param {string} value @param {boolean} isHeld */
function tally(of, name, value, isHeld, kept = "") {
  const { label, picture: drawn } = of.counters[name];
  const kind = [!drawn && "named", isHeld && "holds", COUNTED.test(value) && "counted", kept];
  return h(
    "span",
    { class: classes("tally", ...kind), key: `counter ${name}`, role: "group", "aria-label": label, title: label },
    h("span", { class: "label" }, label),
    drawn && picture(of, drawn),
    !isHeld && h("strong", {}, value),
  );
}

// What somebody has, beside what they have said they would have; nothing before they have said it, and only what they have
// said before anybody has something.
/** @param {Table} of @param {State} state @param {number} seat @param {string} name @param {string} goal */
function ratio(of, state, seat, name, goal) {
  const none = number(0);
  const [has, said] = [name, goal].map((one) => state.counters[one]?.[seat] || none);
  if (!isBegun(state, name)) return said !== none && !state.over ? [tally(of, goal, said, false)] : [];
  const kept = Number(has) === Number(said) ? "kept" : Number(has) > Number(said) ? "beyond" : "";
  return !state.over ? [tally(of, name, `${has}/${said}`, false, kept)] : [];
}

// What a counter of sides holds for the side of a seat, unless the points tell it.
/** @param {Table} of @param {State} state @param {string} name @param {number} seat @returns {string | undefined} */
function sideCounter(of, state, name, seat) {
  const side = state.counters[of.sides]?.[seat];
  const [word = ""] = Object.entries(of.words[of.sides].words).find(([, label]) => label === side) ?? [];
  return of.scored.includes(name) ? undefined : state.counters[name]?.[word];
}

// Whether a counter is still worth telling: at the end only what is counted is, where that is anything.
/** @param {State} state @param {string} value */
export const lasts = (state, value) => !state.over || (COUNTED.test(value) && value !== number(0));

const COUNTED = /^[−-]?\p{Nd}/u; // by its first sign, in any language's digits

/** @param {Table} of @param {State} state @param {OpenZone[]} zones */
export function open(of, state, zones) {
  const names = zones.flatMap((one) => one.pieces);
  const charts = names.flatMap((name) => of.pieces[name].chart ?? []);
  const laid = new Map(charts.flatMap((chart) => [...laidOn(of, chart, names)]));
  return zones.map((one) => {
    const rest = sorted(of, heaps(one.pieces.filter((name) => !laid.has(name))));
    if (rest.filter(({ name }) => !isDrawn(of, name)).length > MOST_IN_WORDS) return counting(of, one);
    if (one.pieces.length && one.pieces.every((name) => (state.owners[name] ?? one.owner) !== one.owner))
      return trophies(of, state, /** @type {number} */ (one.owner), one.pieces, of.zones[one.zone].label);
    return (
      rest.length > 0 &&
      h(
        "div",
        { class: "has", key: one.zone, role: "group", "aria-label": alone(of.zones[one.zone].label) },
        !rest.some(({ name }) => of.pieces[name].chart) && h("span", { class: "label" }, of.zones[one.zone].label),
        rest.map(({ name, count }) => {
          const { chart } = of.pieces[name];
          return chart ? smallChart(of, of.pieces[name], chart, laid) : chip(of, name, count);
        }),
      )
    );
  });
}

// What a seat has taken from others: all of it, equal pieces one over the other, and how far the seat is ahead.
/** @param {Table} of @param {State} state @param {number} seat @param {string[]} names @param {string} label */
export function trophies(of, state, seat, names, label) {
  return h(
    "span",
    { class: "lost", key: "lost", role: "group", "aria-label": label },
    sorted(of, heaps(names)).map(({ name, count }) => {
      if (!of.pieces[name].picture) return chip(of, name, count);
      const told = times(of.pieces[name].label, count);
      const drawn = Array.from({ length: count }, () => inDisc(of, of.pieces[name]));
      return h("span", { class: "of-one", role: "img", "aria-label": told, title: told }, drawn);
    }),
    ahead(of, state, seat),
  );
}

// A piece that only this seat has, and that tells which side it plays.
/** @param {Table} of @param {Pick<State, "owners">} state @param {number} seat */
const ownPiece = (of, state, seat) =>
  Object.keys(state.owners).find((name) => state.owners[name] === seat && of.pieces[name].picture);

// A piece that is a seat's own, else how its name begins.
/** @param {Table} of @param {Pick<State, "owners">} state @param {number} seat */
export function sign(of, state, seat) {
  const own = ownPiece(of, state, seat);
  return own ? picture(of, of.pieces[own].picture) : [...of.seats[seat].name][0]?.toUpperCase();
}

// The same, always in the seat's colour.
/** @param {Table} of @param {Pick<State, "owners">} state @param {number} seat */
export const avatar = (of, state, seat) =>
  h("span", { class: `avatar seat-${seat}`, "aria-hidden": "true" }, sign(of, state, seat));

/** @param {State} state @param {number} seat @param {Sitting} given */
export function mark(state, seat, { kind, player }) {
  const told = (/** @type {Child} */ sign, /** @type {string} */ text) =>
    h("span", { class: "mark", title: text }, sign, h("span", { class: "words" }, ` ${text}`));
  if (state.ready.includes(seat)) return told("✓", say("ready"));
  if (state.waiting.includes(seat)) return told(h("span", { class: "pulse" }, "▸"), say("waiting"));
  return kind !== "person" && h("span", { class: "unseen" }, ` ${played(kind, player)}`);
}

// How a computer that plays is called; nothing for a person.
/** @param {string} kind @param {string} player */
export const played = (kind, player) => (kind === "person" ? "" : computer(player));

// Whether two seats play on one side.
/** @param {Table} of @param {State} state @param {number} seat @param {number | null} other */
export function arePartners(of, state, seat, other) {
  const sides = state.counters[of.sides];
  return other !== null && seat !== other && sides?.[seat] !== undefined && sides[seat] === sides[other];
}

// Whether several play on one side.
/** @param {Table} of @param {State} state */
const hasPartners = (of, state) => of.seats.some((_, seat) => teamOf(of, state, seat) !== seat);

// The first seat of those that play on one side: all of them have its colour.
/** @param {Table} of @param {State} state @param {number} seat */
export const teamOf = (of, state, seat) =>
  of.seats.findIndex((_, other) => other === seat || arePartners(of, state, seat, other));

// That the computer plays for a person, or that they have given up.
/** @param {Sitting} seat */
export const standsIn = (seat) =>
  (seat.conceded || seat.away) && h("span", { class: "faint" }, seat.conceded ? say("has conceded") : say("stands in"));

// isBare: without the word of points, but for who cannot see.
/** @param {Score | null} found @param {boolean} [isBare] */
export function points(found, isBare) {
  if (!found || !found.lines.length) return null;
  const known = found.lines.reduce((sum, [, points]) => sum + (points ?? 0), 0);
  const [before, behind] = found.told.split(number(known));
  const words = isBare ? "unseen" : "words";
  return h(
    "span",
    { class: "points" },
    h("span", { class: words }, before),
    h("strong", { class: "total" }, number(known), found.total === null && " + ?"),
    h("span", { class: words }, behind),
  );
}
