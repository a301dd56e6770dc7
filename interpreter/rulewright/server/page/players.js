// Who sits here: a strip with all that lies before each, always in view; and, further down, the same at its full size.

import { laidOn, smallChart } from "./charts.js";
import { bubble } from "./chat.js";
import { clock } from "./clock.js";
import { memo } from "./dom.js";
import { explains } from "./explain.js";
import { attendance } from "./people.js";
import { offering } from "./picking.js";
import { arrived } from "./pictures.js";
import { chip, heaps, isDrawn, picture, sorted } from "./pieces.js";
import { h } from "./preact.js";
import { entry, filled, number, say } from "./words.js";
import { figuresOf, isHeld, ofSeat } from "./zones.js";

/** @import { Chat } from "./chat.js" */
/** @import { Child, OpenZone, Picking, Score, Sitting, State, Table, Zone } from "./types" */

const MOST_IN_A_ROW = 4;
const MOST_IN_WORDS = 4; // where more pieces have nothing but a name, they are counted

// away: of the seats that are not there, since when; chat: what is said; caption: what has just happened to a seat.
/**
 * @param {Table} of
 * @param {State} state
 * @param {Record<string, number>} [away]
 * @param {Chat | null} [chat]
 * @param {(seat: number) => Child} [caption]
 */
export function players(of, state, away = {}, chat = null, caption = () => null) {
  const count = of.seats.length;
  return h(
    "section",
    {
      class: "players",
      "aria-label": say("players"),
      style: { "--columns": count > MOST_IN_A_ROW ? Math.ceil(count / 2) : count },
    },
    h(
      "ul",
      { class: count > MOST_IN_A_ROW ? "many" : "" },
      of.seats.map((_, seat) => strip(of, state, seat, away, chat, caption(seat))),
    ),
  );
}

// What lies in it is told, not tapped: all of it is one large button.
/**
 * @param {Table} of
 * @param {State} state
 * @param {number} seat
 * @param {Record<string, number>} away
 * @param {import("./chat.js").Chat | null} chat
 * @param {Child} caption
 */
function strip(of, state, seat, away, chat, caption) {
  const { kind } = of.seats[seat];
  const awaited = state.waiting.includes(seat);
  const zones = state.zones.filter(
    (one) => one.owner === seat && one.count > 0 && of.zones[one.zone].layout !== "aside",
  );
  const from = [
    of,
    arrived(of),
    ...seen(state, seat),
    awaited,
    state.ready.includes(seat),
    state.deadline,
    away[seat],
    caption,
    chat?.fresh.get(seat),
    ...zones,
  ];
  return h(
    "li",
    {
      class: `player seat-${seat}${seat === of.seat ? " me" : ""}${awaited ? " awaited" : ""} ${kind}`,
      key: `seat ${seat}`,
      "data-seat": seat,
    },
    memo(from, () => told(of, state, seat, zones, away, chat, caption)),
  );
}

// What of a state is drawn of a seat, but for its zones.
/**
 * @param {{ scores: State["scores"], counters: State["counters"], powers: string[][], owners: State["owners"] }} given
 * @param {number} seat
 */
export const seen = ({ scores, counters, powers, owners }, seat) => [scores[seat], counters, powers[seat], owners];

/**
 * @param {Table} of
 * @param {State} state
 * @param {number} seat
 * @param {Zone[]} zones
 * @param {Record<string, number>} away
 * @param {import("./chat.js").Chat | null} chat
 * @param {Child} caption
 */
function told(of, state, seat, zones, away, chat, caption) {
  const { name, kind } = of.seats[seat];
  const awaited = state.waiting.includes(seat);
  const counted = (/** @type {Zone} */ one) => one.pieces === null || isHeld(of, one);
  return [
    h("button", { type: "button", class: "whole", "aria-label": entry(say("table"), name), onclick: () => show(seat) }),
    h(
      "div",
      { class: "who" },
      avatar(of, state, seat),
      kind === "person" && attendance(away, seat),
      h("strong", { class: "seat-name", title: name }, name),
      arePartners(of, state, seat, of.seat) && h("span", { class: "partner" }, say("partner")),
      mark(state, seat, of.seats[seat]),
    ),
    h(
      "div",
      { class: "sum" },
      points(state.scores[seat]),
      tallies(of, state, seat),
      zones.filter(counted).map((one) => hidden(of, one)),
      standsIn(of.seats[seat]),
      kind === "person" && !of.seats[seat].away && awaited && clock(state.deadline),
    ),
    h(
      "div",
      { class: "holdings" },
      open(of, /** @type {OpenZone[]} */ (zones.filter((one) => !counted(one)))),
      state.powers[seat]
        .filter((power) => !shown(of, zones, power))
        .map((power) => h("span", { class: "chip", key: `power ${power}` }, `★ ${of.powers[power].label}`)),
    ),
    caption,
    bubble(chat, seat),
  ];
}

/** @param {number} seat */
function show(seat) {
  const found = document.querySelector(`[data-seat-table="${seat}"]`);
  found?.scrollIntoView({ block: "nearest", behavior: "smooth" });
  found?.querySelector("h2")?.focus({ preventScroll: true });
}

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
    { class: "tally", key: one.zone, role: "group", "aria-label": label, title: label },
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

// Counters, by the pictures of their tokens where they have some, without the one that is all of the points.
// full: only those that hold something.
/** @param {Table} of @param {State} state @param {number} seat */
export function tallies(of, state, seat, full = false) {
  const held = (/** @type {string} */ name) =>
    state.counters[name]?.[seat] && !(full && state.counters[name][seat] === "0");
  return Object.entries(of.counters)
    .filter(([name, counter]) => counter.of === "seat" && held(name) && name !== of.total)
    .map(([name, { label, picture: drawn }]) =>
      h(
        "span",
        {
          class: `tally${drawn ? "" : " named"}`,
          key: `counter ${name}`,
          role: "group",
          "aria-label": label,
          title: label,
        },
        h("span", { class: "label" }, label),
        drawn && picture(of, drawn),
        h("strong", {}, state.counters[name][seat]),
      ),
    );
}

/** @param {Table} of @param {OpenZone[]} zones */
export function open(of, zones) {
  const names = zones.flatMap((one) => one.pieces);
  const charts = names.flatMap((name) => of.pieces[name].chart ?? []);
  const laid = new Map(charts.flatMap((chart) => [...laidOn(of, chart, names)]));
  return zones.map((one) => {
    const rest = sorted(of, heaps(one.pieces.filter((name) => !laid.has(name))));
    if (rest.filter(({ name }) => !isDrawn(of, name)).length > MOST_IN_WORDS) return counting(of, one);
    return (
      rest.length > 0 &&
      h(
        "div",
        { class: "has", key: one.zone, role: "group", "aria-label": of.zones[one.zone].label },
        !rest.some(({ name }) => of.pieces[name].chart) && h("span", { class: "label" }, of.zones[one.zone].label),
        rest.map(({ name, count }) => {
          const { chart } = of.pieces[name];
          return chart ? smallChart(of, of.pieces[name], chart, laid) : chip(of, name, count);
        }),
      )
    );
  });
}

// A seat's sign: a piece that is its own, else how its name begins; always in its colour.
/** @param {Table} of @param {Pick<State, "owners">} state @param {number} seat */
export function avatar(of, state, seat) {
  const own = Object.keys(state.owners).find((name) => state.owners[name] === seat && of.pieces[name].picture);
  return h(
    "span",
    { class: `avatar seat-${seat}`, "aria-hidden": "true" },
    own ? picture(of, of.pieces[own].picture) : [...of.seats[seat].name][0]?.toUpperCase(),
  );
}

/** @param {State} state @param {number} seat @param {Sitting} given */
export function mark(state, seat, { kind, player }) {
  const told = (/** @type {Child} */ sign, /** @type {string} */ text) =>
    h("span", { class: "mark", title: text }, sign, h("span", { class: "words" }, ` ${text}`));
  if (state.ready.includes(seat)) return told("✓", say("ready"));
  if (state.waiting.includes(seat)) return told(h("span", { class: "pulse" }, "▸"), say("waiting"));
  return (
    kind !== "person" &&
    h(
      "span",
      { class: "mark faint", title: trained(player) ?? say("computer") },
      "⚙",
      h("span", { class: "words" }, ` ${say("computer")}`),
    )
  );
}

/** @param {string} player */
const trained = (player) =>
  player.startsWith("policy:") ? filled("trained", { name: player.slice("policy:".length) }) : undefined;

// Whether two seats play on one side.
/** @param {Table} of @param {State} state @param {number} seat @param {number | null} other */
export function arePartners(of, state, seat, other) {
  const sides = state.counters[of.sides];
  return other !== null && seat !== other && sides?.[seat] !== undefined && sides[seat] === sides[other];
}

// That the computer plays for a person, or that they have given up.
/** @param {Sitting} seat */
export const standsIn = (seat) =>
  (seat.conceded || seat.away) && h("span", { class: "faint" }, seat.conceded ? say("has conceded") : say("stands in"));

/** @param {Score | null} found */
export function points(found) {
  if (!found || !found.lines.length) return null;
  const known = found.lines.reduce((sum, [, points]) => sum + (points ?? 0), 0);
  const [before, behind] = found.told.split(number(known));
  return h(
    "span",
    { class: "points" },
    h("span", { class: "words" }, before),
    h("strong", { class: "total" }, number(known), found.total === null && " + ?"),
    h("span", { class: "words" }, behind),
  );
}

/** @param {Table} of @param {Score | null} found */
function score(of, found) {
  return (
    found !== null &&
    found.lines.length > 0 &&
    h(
      "dl",
      { class: "figures score" },
      found.lines.map(([name, points]) =>
        h(
          "div",
          { key: name },
          h("dt", {}, explains("scoring", name, of.scoring[name])),
          h("dd", {}, points === null ? "?" : number(points)),
        ),
      ),
    )
  );
}

// All that lies open before a seat; empty where its strip tells all of it.
/** @param {Table} of @param {State} state @param {Picking | null} picking @param {number} seat */
export function before(of, state, picking, seat) {
  const zones = state.zones.filter((one) => one.owner === seat);
  const from = [
    of,
    arrived(of),
    ...seen(state, seat),
    state.over,
    offering(picking, (choice) => choice.owner === seat),
    ...zones,
  ];
  return h(
    "section",
    {
      class: `before seat-${seat}${seat === of.seat ? " own" : ""}`,
      key: `before ${seat}`,
      "data-seat-table": seat,
      "aria-label": of.seats[seat].name,
    },
    memo(from, () => spread(of, state, picking, seat)),
  );
}

/** @param {Table} of @param {State} state @param {Picking | null} picking @param {number} seat */
function spread(of, state, picking, seat) {
  const own = seat === of.seat;
  const told = [
    score(of, state.scores[seat]),
    figuresOf(of, state, seat, new Set([...of.scored, of.sides])),
    state.powers[seat].length > 0 &&
      h(
        "ul",
        { class: "powers" },
        state.powers[seat].map((power) => h("li", {}, explains("power", power, `★ ${of.powers[power].label}`))),
      ),
  ];
  const zones = ofSeat(of, state, picking, seat, { small: !own, held: own && !state.over ? false : null });
  return told.some(Boolean) || zones.length > 0
    ? [
        h(
          "h2",
          { tabindex: -1 },
          avatar(of, state, seat),
          h("span", {}, of.seats[seat].name),
          points(state.scores[seat]),
        ),
        told,
        h("div", { class: "zones" }, zones),
      ]
    : [];
}
