// Somebody at the table: a plate with their name and numbers, and what lies before them.

import { bubble } from "./chat.js";
import { clock } from "./clock.js";
import { memo } from "./dom.js";
import { largest } from "./fan.js";
import { at, holds } from "./middle.js";
import { attendance } from "./people.js";
import { offering } from "./picking.js";
import { arrived } from "./pictures.js";
import { back } from "./pieces.js";
import { regionOf } from "./place.js";
import { lineHigh } from "./plates.js";
import {
  arePartners,
  avatar,
  counting,
  hidden,
  mark,
  open,
  played,
  points,
  seen,
  shown,
  standsIn,
  tallies,
  teamOf,
  trophies,
} from "./seat_parts.js";
import { level, levelWord } from "./levels.js";
import { h } from "./preact.js";
import { openSheet } from "./opened.js";
import { measures, measuresBelow } from "./seat_figures.js";
import { alone, filled, noted, number, say } from "./words.js";
import { zone } from "./zones.js";

/** @import { Regions } from "./arrange.js" */
/** @import { Chat } from "./chat.js" */
/** @import { Child, OpenZone, Picking, Rect, Redraw, State, Table, Zone } from "./types" */

const SHORT = 150; // px, of a plate in a column that has no room for large pictures
const PLATE = 66; // px high
const AVATAR = 62; // px, with the room around
const [LETTER, SMALL] = [10, 7]; // px, of a name and of what stands beside it
const [SCORED, SIGNS] = [110, 40]; // px, of points after a name, and of marks
const RING = 222; // px, of a plate around a cloth
const MOST_BACKS = 13;
const BACKS = { w: 150, least: 96, h: 82 }; // px that a fan of backs takes beside other things; least: where several sit above the table
const BROAD = 520; // px of each of these, from which on there is a fan
const RATIO = 88 / 63;
const SMALL_CARD = { most: 48, least: 40 }; // px wide, that cards before people are at least; most: where two lines of them have room
const WHOLE = { flank: 3, top: 2 }; // cards of a zone before somebody that lie side by side without overlapping
const ACROSS = 8; // widths of a card that all zones before who sits above the table take
const LINES = 6; // px between zones one below the other

/** @typedef {{ picking: Picking | null, regions: Regions, away: Record<string, number> | null, chat: Chat | null, caption: Child, redraw: Redraw }} Given */

// caption: what has just happened to them; redraw: when all that is theirs is to be seen.
/** @param {Table} of @param {State} state @param {number} seat @param {Rect} rect @param {Given} given */
export function seatAt(of, state, seat, rect, { picking, regions, away, chat, caption, redraw }) {
  const { kind } = of.seats[seat];
  const awaited = state.waiting.includes(seat);
  const zones = state.zones.filter((one) => one.owner === seat);
  const offer = offering(picking, (choice) => choice.owner === seat);
  const from = [
    of,
    arrived(of),
    ...seen(state, seat),
    state.measures,
    awaited,
    state.ready.includes(seat),
    state.deadline,
    state.standings,
    away?.[seat],
    caption,
    chat?.fresh.get(seat),
    offer,
    regions,
    ...zones,
    ...lostZones(of, state),
  ];
  const mine = seat === of.seat;
  const isShort = regions.mode === "column" && rect.h < SHORT * regions.scale;
  const ring = regions.mode === "ring";
  const beside = ring && isFronted(of) ? " beside" : "";
  const where = ring ? sideOf(rect, regions) + beside : regions.phone ? size(rect.w) : "";
  const fans = ring && !(isFronted(of) && isCrowded(rect, regions) && rect.w < BROAD);
  return h(
    "li",
    {
      class: `player seat-${teamOf(of, state, seat)} ${mine ? (where === "lined" ? "me lined" : "me") : where}${awaited ? " awaited" : ""}${isShort ? " short" : ""} ${kind}`,
      key: `seat ${seat}`,
      "data-seat": seat,
      style: { ...at(rect), "--line": regions.phone ? `${lineHigh(rect.h)}px` : "" },
    },
    memo(from, () => [
      ring && lies(of, state, offer, rect, zones, { ...regions, fans }),
      plate(
        of,
        state,
        seat,
        zones,
        { ...regions, short: isShort, fans },
        { away, chat, caption, redraw, wide: rect.w },
      ),
    ]),
  );
}

// At which side of the cloth somebody sits.
/** @param {Rect} rect @param {Regions} regions */
const sideOf = (rect, { cloth }) =>
  cloth && rect.y + rect.h <= cloth.y ? "top" : cloth && rect.x < cloth.x ? "left" : "right";

// Whether somebody sits above the cloth beside others.
/** @param {Rect} rect @param {Regions} regions */
const isCrowded = (rect, regions) =>
  sideOf(rect, regions) === "top" && regions.seats.filter((one) => sideOf(one, regions) === "top").length > 1;

// Whether pieces may come to lie before people, and so beside the plate of who sits above the table.
/** @param {Table} of */
const isFronted = (of) => Object.keys(of.zones).some((zone) => regionOf(of, zone) === "front");

// A narrow plate has the name above all else, a very narrow one a sign for it; one that is lined has the points at the
// end of the name's line, in a low window.
/** @param {number} wide */
const size = (wide) => (wide < 78 ? "terse" : wide < 108 ? "narrow" : wide < 150 || wide > 280 ? "" : "lined");

// Name, points and numbers; all of it is one large button, which shows what else there is.
/**
 * @param {Table} of
 * @param {State} state
 * @param {number} seat
 * @param {Zone[]} zones
 * @param {Regions & { short: boolean, fans: boolean }} regions
 * @param {Omit<Given, "picking" | "regions"> & { wide: number }} given
 */
function plate(
  of,
  state,
  seat,
  zones,
  { mode, phone, cloth, scale, short, fans },
  { away, chat, caption, redraw, wide },
) {
  const { name, kind, player } = of.seats[seat];
  const sitting = played(kind, player);
  const full = zones.filter((one) => one.count > 0);
  const numbers = full.filter((one) => isNumber(of, one) && !(fans && isFanned(of, one)));
  const listed =
    mode === "ring"
      ? []
      : full.filter(
          (one) => one.pieces !== null && (isBefore(of, one) || (!cloth && regionOf(of, one.zone) === "offer")),
        );
  const shelf = open(of, state, /** @type {OpenZone[]} */ (listed));
  const powers = state.powers[seat].filter((power) => !shown(of, zones, power));
  const scored = points(state.scores[seat], of.pad !== null || (mode === "ring" && !worded(of)));
  const room = wide / Math.max(1, scale) - (phone ? 0 : scored ? SCORED : SIGNS);
  const word = kind === "bot" && !state.over && mode !== "ring" && leveled(name, player, room);
  const standing = state.over ? state.standings.find((one) => one.seat === seat) : null;
  const rank =
    standing &&
    h("span", { class: `rank${standing.rank === 1 ? " first" : ""}` }, standing.rank === 1 && "★ ", standing.place);
  const told = scored ?? (rank || measures(of, state, seat)); // beside the name, or after it in little room
  return h(
    "div",
    { class: "plate" },
    h("button", {
      type: "button",
      class: "whole",
      "aria-label": filled("more about", { name }),
      title: sitting || null,
      "aria-haspopup": "dialog",
      onclick: () => {
        openSheet(seat);
        redraw();
      },
    }),
    h(
      "div",
      { class: "who" },
      avatar(of, state, seat),
      kind === "person" && away && attendance(away, seat),
      kind === "bot" && !word && h("span", { class: `strength of-${level(player)}`, "aria-hidden": "true" }),
      h("strong", { class: "seat-name", title: sitting ? noted(name, sitting) : name }, name),
      word && h("span", { class: "level", "aria-hidden": "true" }, word),
      !rank && !phone && mark(state, seat, of.seats[seat]),
      !phone && [scored && short && measures(of, state, seat), told],
    ),
    h(
      "div",
      { class: "sum" },
      phone && told,
      scored && rank,
      Object.entries(of.counters)
        .filter(([name, counter]) => counter.of === "" && holds(of, state.counters[name]) === seat)
        .map(([name, { label }]) => h("span", { class: "sign-of", key: `sign ${name}` }, label)),
      arePartners(of, state, seat, of.seat) && h("span", { class: "partner" }, say("partner")),
      tallies(of, state, seat, true),
      scored && !short && measuresBelow(of, state, seat),
      captured(of, state, seat),
      numbers.map((one) => (one.pieces === null ? hidden(of, one) : counting(of, one))),
      standsIn(of.seats[seat]),
      kind === "person" && !of.seats[seat].away && state.waiting.includes(seat) && clock(state.deadline),
    ),
    (shelf.some(Boolean) || powers.length > 0) &&
      h(
        "div",
        { class: "holdings" },
        shelf,
        powers.map((power) => h("span", { class: "chip", key: `power ${power}` }, `★ ${of.powers[power].label}`)),
      ),
    caption,
    bubble(chat, seat),
  );
}

// Whether the word of points has room on all plates around a cloth: each plate has it, or none.
/** @param {Table} of */
const worded = ({ seats }) => AVATAR + Math.max(...seats.map(({ name }) => name.length)) * LETTER + SCORED <= RING;

// How well a computer plays, where there is room for it beside its name.
/** @param {string} name @param {string} player @param {number} room */
function leveled(name, player, room) {
  const text = levelWord(player);
  return AVATAR + name.length * LETTER + text.length * SMALL < room && text;
}

/** @param {Table} of @param {State} state */
const lostZones = (of, state) =>
  state.zones.filter((one) => one.owner === null && !one.word && regionOf(of, one.zone) === "plate");

// What the other one has lost, where it lies in a zone of the table that looks have beside names.
/** @param {Table} of @param {State} state @param {number} seat */
function captured(of, state, seat) {
  const lost = lostZones(of, state)
    .flatMap((one) => one.pieces ?? [])
    .filter((name) => name in state.owners && state.owners[name] !== seat);
  return lost.length > 0 && trophies(of, state, seat, lost, "");
}

// What is told as a number: hands of others, and what is laid aside.
/** @param {Table} of @param {Zone} one */
function isNumber(of, one) {
  const region = regionOf(of, one.zone);
  return (
    region === "plate" || (one.pieces === null && (region === "front" || (region === "hand" && one.owner !== of.seat)))
  );
}

// Whether pieces lie open before somebody, such as another one's hand once the game is over.
/** @param {Table} of @param {Zone} one */
const isBefore = (of, one) =>
  one.pieces !== null &&
  (regionOf(of, one.zone) === "front" || (regionOf(of, one.zone) === "hand" && one.owner !== of.seat));

// Whether a hand is seen as a fan of backs, which keeps its room while it is empty.
/** @param {Table} of @param {Zone} one */
const isFanned = (of, one) =>
  regionOf(of, one.zone) === "hand" && one.owner !== of.seat && (one.pieces === null || one.count === 0);

// What lies before somebody at a cloth: pieces, and the backs of their hand. Its place and size follow from the room and from
// the zones that there are, so that neither plate nor cards change while these fill: where they are many, they overlap.
/** @param {Table} of @param {State} state @param {Picking | null} picking @param {Rect} rect @param {Zone[]} zones @param {Regions & { fans: boolean }} regions */
function lies(of, state, picking, rect, zones, regions) {
  const { scale } = regions;
  const fronts = zones.filter((one) => isBefore(of, one) && (one.count > 0 || regionOf(of, one.zone) === "front"));
  const fanned = regions.fans && zones.find((one) => isFanned(of, one));
  const top = sideOf(rect, regions) === "top";
  const held = fanned && backs(of, fanned, top);
  if (!fronts.length) return held;
  const across = isCrowded(rect, regions) ? BACKS.least : BACKS.w;
  const beside = held ? (top ? across : BACKS.h) * scale : 0;
  const taken = (top ? RING : PLATE + 6) * Math.max(1, scale) + beside;
  const room = top ? { w: rect.w - taken, h: rect.h } : { w: rect.w, h: rect.h - taken };
  const sets = fronts.map(() => ({ count: WHOLE[top ? "top" : "flank"], label: 0 }));
  const lined = Math.floor((room.h / (top ? 1 : 2) - LINES) / RATIO);
  const least = Math.max(SMALL_CARD.least, Math.min(SMALL_CARD.most, lined));
  const size = largest(sets, room, { most: 64 * scale, least });
  const line = size * RATIO + LINES;
  const kept = top
    ? { width: `${Math.min(room.w, size * ACROSS)}px` }
    : { height: `${Math.min(room.h, line * fronts.length)}px` };
  return [
    h(
      "div",
      { class: "front", style: { "--size": `${size / 0.74}px`, ...kept } },
      fronts.map((one) => one.count > 0 && zone(of, state, picking, one, { small: true })),
    ),
    held,
  ];
}

// Backs of the cards that somebody holds, as they hold them. flat: above the table, else at its side.
/** @param {Table} of @param {Zone} one @param {boolean} flat */
function backs(of, one, flat) {
  const count = Math.min(MOST_BACKS, one.count);
  return h(
    "div",
    {
      class: `backs${flat ? " flat" : ""}`,
      role: "group",
      "aria-label": alone(of.zones[one.zone].label),
      "data-zone": `${one.zone}/${one.owner}/`,
      style: { "--count": count },
    },
    h("span", { class: "unseen" }, one.hidden || number(one.count)),
    Array.from({ length: count }, (_, n) => {
      const aside = count > 1 ? (2 * n) / (count - 1) - 1 : 0;
      return h(
        "span",
        { class: "held-back", "aria-hidden": "true", style: { "--aside": aside.toFixed(3) } },
        back(of, one, 1),
      );
    }),
  );
}
