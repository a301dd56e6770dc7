// The middle of the stage: what is shared, and on the cloth before each seat what it offers, such as a card of a trick.

import { chain } from "./chain.js";
import { classes } from "./dom.js";
import { largest } from "./fan.js";
import { grouped, groups as suppliesOf } from "./groups.js";
import { takenLast } from "./last_taken.js";
import { heaps, runs } from "./pieces.js";
import { flowOf, regionOf, SHARED } from "./place.js";
import { cloneElement, h } from "./preact.js";
import { heightOf, race } from "./race.js";
import { isOver, largestFree, slotRow, slots } from "./ring.js";
import { explains } from "./explain.js";
import { avatar, lasts } from "./seat_parts.js";
import { number, say } from "./words.js";
import { figures, lying, ofWords, zone, zoneKey } from "./zones.js";

/** @import { Regions } from "./arrange.js" */
/** @import { Child, Picking, Rect, Redraw, State, Table, Zone } from "./types" */

const RATIO = 88 / 63;
const LETTER = 8; // px, of names above zones
const SMALLEST = 42; // px that a card is wide
const TINY = 34; // the same where nothing else has room
const NAMED = 70; // px high of a row with names above what lies there
const MANY = 8; // sorts of things, of which more have no names below them

/** @param {Rect} rect @returns {Record<string, string>} */
export const at = ({ x, y, w, h: high }) => ({
  "inset-inline-start": `${x}px`,
  top: `${y}px`,
  width: `${w}px`,
  height: `${high}px`,
});

// order: seats as they follow each other around, the reader's first if there is one; caption: what has just happened in
// the middle.
/**
 * @param {Table} of
 * @param {State} state
 * @param {Picking | null} picking
 * @param {Regions} regions
 * @param {{ order: number[], caption: Child, redraw: Redraw }} given
 */
export function middle(of, state, picking, regions, { order, caption, redraw }) {
  const { bar, board, things, scale, letters, mode, phone, low } = regions;
  const track = regions.cloth && of.race ? trackOn(of, of.race.goal, regions.cloth, phone) : null;
  const cloth = track && regions.cloth ? under(regions.cloth, track) : regions.cloth;
  const row = mode === "strip" && !cloth;
  const offers = cloth ? offered(of, state, cloth, order, regions) : [];
  const whole = cloth ? free(cloth, offers, scale) : things;
  const chains = state.zones.filter((one) => one.owner === null && of.zones[one.zone].layout === "chain");
  const { room, rest } = parted(whole, chains.length > 0, phone, scale);
  return h(
    "section",
    { class: "middle", "aria-label": say("table") },
    regions.cloth && h("div", { class: "cloth", style: at(regions.cloth) }),
    track && race(of, state, track),
    offers.map((one) => offer(of, state, picking, spreadOut(of, one, offers, cloth, room), mode === "strip")),
    regions.cloth && takenLast(of, state, regions.cloth, redraw),
    rest && chains.map((one) => chain(of, one, rest, scale)),
    room &&
      shared(of, state, picking, room, {
        most: (phone ? 84 : cloth ? 124 : 100) * scale,
        letters,
        phone,
        named: !low && !(row && room.h < NAMED),
        row,
        redraw,
      }),
    caption && h("div", { class: "told-here", style: at(cloth ?? board ?? bar) }, caption),
  );
}

// The room of a race at the upper edge of the cloth, and what it leaves of that.
/** @param {Table} of @param {number} goal @param {Rect} cloth @param {boolean} phone @returns {Rect} */
function trackOn(of, goal, { x, y, w }, phone) {
  const wide = Math.min(w * (phone ? 0.96 : 0.76), 1100);
  return { x: x + (w - wide) / 2, y: y + 10, w: wide, h: heightOf(goal, of.seats.length, wide) };
}
/** @param {Rect} cloth @param {Rect} track @returns {Rect} */
const under = (cloth, { h: tall }) => ({ ...cloth, y: cloth.y + tall + 10, h: cloth.h - tall - 10 });

const BESIDE = { w: 130, h: 118 }; // px, of decks beside a chain, and of those above it

// The room of what is shared, and the rest, where a chain lies.
/** @param {Rect | null} whole @param {boolean} chained @param {boolean} phone @param {number} scale @returns {{ room: Rect | null, rest: Rect | null }} */
function parted(whole, chained, phone, scale) {
  if (!whole || !chained) return { room: whole, rest: null };
  const { x, y, w, h: high } = whole;
  const [wide, tall] = [BESIDE.w * scale, BESIDE.h * scale];
  return phone
    ? { room: { ...whole, h: tall }, rest: { x, y: y + tall, w, h: high - tall } }
    : { room: { ...whole, w: wide }, rest: { x: x + wide, y, w: w - wide, h: high } };
}

// ── offers ──

const ABOVE = 140; // px, of decks above a trick where there is little room

// tall: several lie one below the other; card: how wide one of several is.
/** @typedef {{ seat: number, rect: Rect, zones: Zone[], wanted: boolean, tall?: boolean, card?: number }} Offer */

/** @param {Table} of @param {State} state @param {Rect} cloth @param {number[]} order @param {Regions} regions @returns {Offer[]} */
function offered(of, state, cloth, order, { scale, phone }) {
  const kinds = Object.keys(of.zones).filter((name) => regionOf(of, name) === "offer");
  if (!kinds.length) return [];
  const shared = centre(of, state);
  const much = shared.some(({ zone }) => regionOf(of, zone) !== "deck"); // decks have room beside a trick
  const decks = shared.length > 0 && !much;
  const most = (much ? (phone ? 42 : 52) : phone ? (decks ? 70 : 92) : decks ? 108 : 124) * scale;
  const size = { ratio: RATIO, most, least: 36, apart: much ? 1 : 0.42 };
  const above = decks && phone ? ABOVE * scale : 0;
  const inner = { x: cloth.x + 8, y: cloth.y + 8 + above, w: cloth.w - 16, h: cloth.h - 16 - above };
  const rects = much && phone ? slotRow(order.length, inner, size) : slots(order.length, inner, size);
  return order.map((seat, place) => ({
    seat,
    rect: rects[place],
    zones: state.zones.filter((one) => one.owner === seat && kinds.includes(one.zone)),
    wanted: state.waiting.includes(seat) && kinds.some((name) => flowOf(of, name).into),
  }));
}

// What is seen of each card of several, of its width side by side or of its height one below the other.
const SEEN = { across: [0.6, 0.5, 0.42, 0.3], down: [0.5, 0.44, 0.38, 0.26] };

// The room that several cards before somebody take, so that the corners of all are seen: along the cloth's edge, over
// nothing else.
/** @param {Table} of @param {Offer} one @param {Offer[]} offers @param {Rect | null} cloth @param {Rect | null} room */
function spreadOut(of, one, offers, cloth, room) {
  const count = one.zones.reduce((sum, zone) => sum + (zone.count > 0 ? groups(of, zone) : 0), 0);
  if (count < 2 || !cloth) return one;
  const { x, y, w, h: high } = one.rect;
  const [right, low] = [x + w / 2 - cloth.x - cloth.w / 2, y + high / 2 - cloth.y - cloth.h / 2];
  const tall = Math.abs(right) / cloth.w > Math.abs(low) / cloth.h;
  const taken = [...offers.filter((other) => other !== one).map(({ rect }) => rect), ...(room ? [room] : [])];
  const rects = SEEN[tall ? "down" : "across"].map((seen) => {
    const grown = (count - 1) * seen * (tall ? high : w);
    return tall ? { x, y: y - grown / 2, w, h: high + grown } : { x: x - grown / 2, y, w: w + grown, h: high };
  });
  const rect = rects.find((tried) => isWithin(tried, cloth) && !taken.some((other) => isOver(tried, other)));
  return { ...one, rect: rect ?? one.rect, tall, card: w };
}

/** @param {Rect} one @param {Rect} room */
const isWithin = (one, { x, y, w, h: high }) =>
  one.x >= x && one.y >= y && one.x + one.w <= x + w && one.y + one.h <= y + high;

/** @param {Table} of @param {State} state @param {Picking | null} picking @param {Offer} given @param {boolean} signed */
function offer(of, state, picking, { seat, rect, zones, wanted, tall = false, card = rect.w }, signed) {
  const full = zones.filter((one) => one.count > 0);
  if (!full.length && !wanted) return null;
  const kind = [!full.length && " slot", leads(state, seat, full) && " ahead", tall && " tall"].filter(Boolean);
  return h(
    "div",
    {
      class: `offer seat-${seat}${kind.join("")}`,
      key: `offer ${seat}`,
      role: "group",
      "aria-label": of.seats[seat].name,
      style: { ...at(rect), "--size": `${card}px` },
    },
    full.map((one) =>
      h(
        "div",
        {
          class: "pieces",
          key: zoneKey(one),
          "data-zone": zoneKey(one),
          role: "group",
          "aria-label": of.zones[one.zone].label,
        },
        lying(of, state, picking, one),
      ),
    ),
    (signed || !full.length) && avatar(of, state, seat),
  );
}

// Whether what somebody has there leads, such as in a trick, by what the edition's looks say; not if all is equal.
/** @param {State} state @param {number} seat @param {Zone[]} full */
const leads = (state, seat, full) =>
  full.some(({ zone }) => {
    const leading = state.leading[zone] ?? [];
    return (
      leading.includes(seat) &&
      state.zones.some((one) => one.zone === zone && one.count > 0 && !leading.includes(one.owner ?? -1))
    );
  });

// What is left of the cloth between the offers.
/** @param {Rect} cloth @param {Offer[]} offers @param {number} scale @returns {Rect} */
function free(cloth, offers, scale) {
  const inner = { x: cloth.x + 14 * scale, y: cloth.y + 8 * scale, w: cloth.w - 28 * scale, h: cloth.h - 16 * scale };
  const taken = offers.map(({ rect }) => rect);
  return taken.length ? largestFree(inner, taken, 8 * scale) : inner;
}

// ── what is shared ──

// What has to be scrolled can be reached with the keyboard; what is larger by a rounded pixel is not scrolled.
/** @param {HTMLElement} element */
export function reachable(element) {
  const scrolled = element.scrollHeight > element.clientHeight + 1 || element.scrollWidth > element.clientWidth + 1;
  element.style.overflow = scrolled ? "" : "hidden";
  if (!scrolled) element.removeAttribute("tabindex");
  else if (element.tabIndex !== 0) element.tabIndex = 0;
}

// The seat that a counter of the table holds, such as the dealer, which is shown there; -1 if it holds none.
/** @param {Table} of @param {unknown} held */
export const holds = (of, held) => of.seats.findIndex(({ name }) => name !== "" && name === held);

// Zones of the table that are shown one by one.
/** @param {Table} of @param {State} state */
const centre = (of, state) =>
  state.zones.filter(
    (one) =>
      !one.word &&
      (of.zones[one.zone].place ? SHARED.includes(regionOf(of, one.zone)) : one.owner === null) &&
      !["aside", "away", "chain"].includes(of.zones[one.zone].layout),
  );

// How many things lie side by side in a zone.
/** @param {Table} of @param {Zone} one */
function groups(of, { zone: name, pieces, count, known }) {
  const { pile, layout } = of.zones[name];
  if (pieces === null) return layout === "pile" || count > 12 ? 1 + known.length : Math.max(1, count);
  if (pile) return 1;
  return layout === "heaps" ? heaps(pieces).length : runs(pieces).length;
}

/** @type {WeakMap<Table["zones"], Map<string, number>>} */
const widest = new WeakMap();
/** @type {WeakSet<Table["zones"]>} */
const told = new WeakSet(); // tables of which numbers have stood below what is shared

// The most things that have lain side by side there, so that nothing grows or moves while some are taken.
/** @param {Table} of @param {Zone} one */
function most(of, one) {
  const known = widest.get(of.zones) ?? new Map();
  widest.set(of.zones, known);
  const all = one.pieces && !of.zones[one.zone].pile && one.count <= MANY ? one.count : 0;
  const count = Math.max(groups(of, one), all, known.get(one.zone) ?? 0);
  known.set(one.zone, count);
  return count;
}

/** @param {Table} of @param {Zone} one @returns {import("./fan.js").Things} */
function setOf(of, one) {
  const { label, layout, table } = of.zones[one.zone];
  const name = one.pieces?.[0];
  const count = most(of, one);
  const words = layout === "pile" || count < 2 ? label.split(" ") : [label]; // may stand in two lines
  return {
    count,
    label: Math.max(...words.map((word) => word.length)) * LETTER + (words.length > 1 ? 2 : 34),
    flat: name !== undefined && !of.pieces[name].card,
    names: count <= MANY,
    pile: layout === "pile",
    table: table && { columns: table.columns.length + 1, rows: table.rows.length + 1 },
  };
}

// A zone that keeps its room while few things lie there.
/** @param {Table} of @param {Zone} one @param {import("./types").VNode | null} drawn */
function placed(of, one, drawn) {
  const wide = Math.min(MANY, most(of, one));
  const kept = one.count === 0 && wide > 0 ? " kept" : "";
  return (
    drawn && cloneElement(drawn, { class: drawn.props.class + kept, style: { ...drawn.props.style, "--most": wide } })
  );
}

/**
 * @param {Table} of
 * @param {State} state
 * @param {Picking | null} picking
 * @param {Rect} room
 * @param {{ most: number, letters: number, phone: boolean, named: boolean, row: boolean, redraw: Redraw }} given
 */
function shared(of, state, picking, room, { most: largestCard, letters, phone, named, row, redraw }) {
  const all = centre(of, state);
  const supplies = row ? grouped(of, all) : [];
  const zones = all.filter((one) => !supplies.includes(one));
  const aside = state.zones.filter(
    (one) => one.owner === null && !one.word && of.zones[one.zone].layout === "aside" && one.count > 0,
  );
  const figured = figures(of, state, "", (held) =>
    of.nothings.includes(held) || holds(of, held) !== -1 || !lasts(state, held) ? undefined : held,
  );
  const loose = aside.length > 0 || figured;
  if (loose) told.add(of.zones);
  const sets = zones.map((one) => setOf(of, one));
  const inner = { w: room.w - 4, h: room.h - (told.has(of.zones) ? 48 : 6) * letters };
  const fit = (/** @type {import("./fan.js").Things[]} */ all, least = SMALLEST) =>
    largest(all, inner, { most: largestCard, least, letters });
  const bare = sets.map((set) => ({ ...set, label: 0 }));
  const isNamed = named && (row || !phone || fit(sets) > SMALLEST); // on a phone names are the first to go
  const size = row ? Math.min(largestCard, (room.h - (named ? 30 : 8)) / RATIO) : isNamed ? fit(sets) : fit(bare, TINY);
  const listed = ofWords(of, state, picking);
  if (!all.length && !loose && !listed.some(Boolean)) return null;
  const { names, sheet } = suppliesOf(of, state, picking, supplies, redraw);
  const drawn = h(
    "div",
    {
      class: classes("shared", row && "in-row", !isNamed && "bare"),
      role: "group",
      "aria-label": say("table"),
      style: { ...at(room), "--size": `${size}px` },
    },
    h(
      "div",
      { class: "zones" },
      zones.map((one) => placed(of, one, zone(of, state, picking, one))),
      listed,
    ),
    names,
    loose &&
      h(
        "div",
        { class: "loose" },
        aside.map((one) =>
          h(
            "span",
            { class: "aside", "data-zone": zoneKey(one) },
            explains("zone", one.zone, of.zones[one.zone].label),
            ` ${number(one.count)}`,
          ),
        ),
        figured,
      ),
  );
  return [drawn, sheet];
}
