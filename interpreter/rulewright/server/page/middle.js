// The middle of the stage: what is shared, and on the cloth before each seat what it offers, such as a card of a trick.

import { classes, coming } from "./dom.js";
import { CLOSE, shareOut, SIGN } from "./cloth.js";
import { bare, below, closesUp, fewer, groups, MANY, most, partOf, setOf, takesRoom, tells } from "./extents.js";
import { largest } from "./fan.js";
import { grouped, groups as suppliesOf } from "./groups.js";
import { flowOf, isPointed, regionOf, SHARED } from "./place.js";
import { cloneElement, h } from "./preact.js";
import { isOver } from "./ring.js";
import { explains } from "./explain.js";
import { avatar, lasts } from "./seat_parts.js";
import { alone, entry, noted, number, say } from "./words.js";
import { figures, lying, ofWords, zone, zoneKey } from "./zones.js";

/** @import { Regions } from "./arrange.js" */
/** @import { Child, Picking, Rect, Redraw, State, Table, Zone } from "./types" */

const RATIO = 88 / 63;
const SMALLEST = 42; // px that a card is wide
const ROOMY = 62; // px that it is on a phone beside names of decks
const TINY = 26; // the same where nothing else has room
const NAMED = 70; // px high of a row with names above what lies there

const lazyParts = coming(() => import("./parts.js"));
const lazyTaken = coming(() => import("./last_taken.js"));

// How to draw what only some tables have.
/** @param {Table} of @param {Redraw} redraw */
export const partsFor = (of, redraw) =>
  of.race || of.pad || Object.values(of.zones).some(({ layout }) => layout === "chain") ? lazyParts(redraw) : null;

/** @param {Rect} rect @returns {Record<string, string>} */
export const at = ({ x, y, w, h: high }) => ({
  "inset-inline-start": `${x}px`,
  top: `${y}px`,
  width: `${w}px`,
  height: `${high}px`,
});

// order: seats as they follow each other around, the reader's first if there is one; above: what lies over it all.
/**
 * @param {Table} of
 * @param {State} state
 * @param {Picking | null} picking
 * @param {Regions} regions
 * @param {{ order: number[], above: Child, redraw: Redraw }} given
 */
export function middle(of, state, picking, regions, { order, above, redraw }) {
  const { bar, board, things, scale, letters, mode, phone, low } = regions;
  const drawing = partsFor(of, redraw);
  const track = drawing && regions.cloth && of.race ? drawing.trackOn(of, of.race.goal, regions.cloth, phone) : null;
  const cloth = track?.below ?? regions.cloth;
  const row = mode === "strip" && !cloth;
  const onlyDecks = centre(of, state).every(({ zone }) => regionOf(of, zone) === "deck");
  const alone = cloth && onlyDecks && !offering(of).length;
  const most =
    largestOf({ alone: Boolean(alone), phone, cloth: cloth !== null, offered: offering(of).length > 0 }) * scale;
  const share = cloth && shareOut(cloth, whatShares(of, state, order.length, most, regions));
  const offers = share ? offered(of, state, share.slots, order) : [];
  const whole = share ? share.room : things;
  const chains = state.zones.filter((one) => one.owner === null && of.zones[one.zone].layout === "chain");
  const { room, rest } = parted(whole, chains.length > 0, phone, scale);
  return h(
    "section",
    { class: "middle", "aria-label": cloth || things ? say("table") : null }, // of boards alone it is empty
    regions.cloth && h("div", { class: "cloth", style: at(regions.cloth) }),
    track && drawing?.race(of, state, track.rect, track.hole),
    spreadOut(of, offers, cloth, { room, sign: share?.isRow ? SIGN : 0 }).map((one) =>
      offer(of, state, picking, one, mode === "strip" || share?.isRow),
    ),
    regions.cloth &&
      offers.length > 0 &&
      state.steps > 0 &&
      !(phone && share?.isRow) &&
      lazyTaken(redraw)?.takenLast(of, state, regions.cloth, redraw),
    rest && drawing && chains.map((one) => drawing.chain(of, picking, one, rest, scale)),
    room &&
      shared(of, state, picking, room, {
        most,
        letters,
        phone,
        named: !low && !(row && room.h < NAMED),
        row,
        column: mode === "column",
        alone: offers.length === 0,
        redraw,
      }),
    above && h("div", { class: "told-here", style: at(cloth ?? board ?? bar) }, above),
  );
}

// How wide a card is at most, of what is shared: with tricks or bids around it, less.
/** @param {{ alone: boolean, phone: boolean, cloth: boolean, offered: boolean }} given */
function largestOf({ alone, phone, cloth, offered }) {
  if (offered) return phone ? 84 : 124;
  if (alone) return phone ? 110 : 150;
  return phone ? 104 : cloth ? 170 : 100;
}

const BESIDE = { w: 112, h: 118 }; // px, of decks beside a chain, and of those above it

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

// kept: its place is seen also while nothing lies there; wanted: something is asked of its owner; tall: several lie one
// below the other; toward: where it goes; card: how wide one of several is.
/** @typedef {{ told: string, turn: number }} Toward */
/** @typedef {{ seat: number, rect: Rect, zones: Zone[], kept: boolean, wanted: boolean, toward: Toward | null, tall?: boolean, card?: number }} Offer */

// Zones of which all that lies there before somebody is offered.
/** @param {Table} of */
const offering = (of) => Object.keys(of.zones).filter((name) => regionOf(of, name) === "offer");

/** @param {Table} of @param {State} state @param {Rect[]} rects @param {number[]} order @returns {Offer[]} */
function offered(of, state, rects, order) {
  const kinds = offering(of);
  const asked = kinds.some((name) => flowOf(of, name).into);
  return rects.map((rect, place) => ({
    seat: order[place],
    rect,
    zones: state.zones.filter((one) => one.owner === order[place] && kinds.includes(one.zone)),
    kept: asked && !state.over,
    wanted: asked && state.waiting.includes(order[place]),
    toward: towards(of, state, order, rects, place),
  }));
}

// In which direction what somebody offers goes, in degrees from the right, where a counter says to whom.
/** @param {Table} of @param {State} state @param {number[]} order @param {Rect[]} rects @param {number} place @returns {Toward | null} */
function towards(of, state, order, rects, place) {
  for (const name of Object.keys(of.counters).filter((one) => isPointed(of, one))) {
    const other = holds(of, state.counters[name]?.[order[place]]);
    const end = rects[order.indexOf(other)];
    if (!end || other === order[place]) continue;
    const { x, y } = rects[place];
    return {
      told: entry(of.counters[name].label, of.seats[other].name),
      turn: Math.round((Math.atan2(end.y - y, end.x - x) * 180) / Math.PI),
    };
  }
  return null;
}

// What a cloth is shared out to, and how large all that may be.
/**
 * @param {Table} of
 * @param {State} state
 * @param {number} seats
 * @param {number} most
 * @param {Regions} regions
 * @returns {import("./cloth.js").Sharing}
 */
function whatShares(of, state, seats, most, { scale, letters, phone }) {
  const all = centre(of, state);
  const sets = all.filter((one) => takesRoom(of, one)).map((one) => setOf(of, one, phone));
  const decks = all.length > 0 && all.every(({ zone }) => regionOf(of, zone) === "deck");
  return {
    seats: offering(of).length ? seats : 0,
    sets: phone ? sets.map(bare) : sets,
    decks,
    below: below(of, phone),
    most,
    scale,
    letters,
    phone,
  };
}

// What is seen of each card of several, of its width side by side or of its height one below the other.
const SEEN = { across: [0.6, 0.5, 0.42, 0.3], down: [0.5, 0.44, 0.38, 0.26] };

// The room that several cards before somebody take, so that the corners of all are seen: along the cloth's edge, over
// nothing else.
// sign: px that signs stand out below.
/** @param {Table} of @param {Offer[]} offers @param {Rect | null} cloth @param {{ room: Rect | null, sign: number }} given */
function spreadOut(of, offers, cloth, { room, sign }) {
  if (!cloth) return offers;
  const result = [...offers];
  for (const [n, one] of offers.entries()) {
    const others = result.filter((_, place) => place !== n).map(({ rect }) => around(rect, sign));
    result[n] = spread(of, one, cloth, room ? [...others, room] : others);
  }
  return result;
}

/** @param {Table} of @param {Offer} one @param {Rect} cloth @param {Rect[]} taken */
function spread(of, one, cloth, taken) {
  const count = one.zones.reduce((sum, zone) => sum + (zone.count > 0 ? groups(of, zone) : 0), 0);
  if (count < 2) return one;
  const { x, y, w, h: high } = one.rect;
  const [right, low] = [x + w / 2 - cloth.x - cloth.w / 2, y + high / 2 - cloth.y - cloth.h / 2];
  const tall = Math.abs(right) / cloth.w > Math.abs(low) / cloth.h && Math.abs(low) < high;
  const rects = SEEN[tall ? "down" : "across"].flatMap((seen) => {
    const grown = (count - 1) * seen * (tall ? high : w);
    return [0.5, 0, 1].map((before) =>
      tall ? { x, y: y - grown * before, w, h: high + grown } : { x: x - grown * before, y, w: w + grown, h: high },
    );
  });
  const rect = rects.find((tried) => isWithin(tried, cloth) && !taken.some((other) => isOver(tried, other)));
  if (rect) return { ...one, rect, tall, card: w };
  return { ...one, card: Math.max(SMALLER.least, 1 / (1 + (count - 1) * SMALLER.seen)) * w };
}

const SMALLER = { least: 0.6, seen: 0.36 }; // of a card, where several have to share the place of one
const CLEAR = 6; // px between several cards and the next place

/** @param {Rect} rect @param {number} sign @returns {Rect} */
const around = ({ x, y, w, h: high }, sign) => ({
  x: x - CLEAR,
  y: y - CLEAR,
  w: w + 2 * CLEAR,
  h: high + 2 * CLEAR + sign,
});

/** @param {Rect} one @param {Rect} room */
const isWithin = (one, { x, y, w, h: high }) =>
  one.x >= x && one.y >= y && one.x + one.w <= x + w && one.y + one.h <= y + high;

/** @param {Table} of @param {State} state @param {Picking | null} picking @param {Offer} given @param {boolean} [signed] */
function offer(of, state, picking, { seat, rect, zones, kept, wanted, toward, tall = false, card = rect.w }, signed) {
  const full = zones.filter((one) => one.count > 0);
  if (!full.length && !kept) return null;
  const kind = [
    !full.length && " slot",
    wanted && " wanted",
    full.length && signed && " signed",
    seat === of.seat && " mine",
    leads(state, seat, full) && " ahead",
    tall && " tall",
  ].filter(Boolean);
  const note = full.length ? kind.includes(" ahead") && say("leads so far") : !toward && say("still to come");
  return h(
    "div",
    {
      class: `offer seat-${seat}${kind.join("")}`,
      key: `offer ${seat}`,
      role: "group",
      "aria-label": note ? noted(of.seats[seat].name, note) : of.seats[seat].name,
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
          "aria-label": alone(of.zones[one.zone].label),
        },
        lying(of, state, picking, one),
      ),
    ),
    toward &&
      !full.length &&
      h(
        "span",
        {
          class: "toward",
          role: "img",
          "aria-label": toward.told,
          title: toward.told,
          style: { rotate: `${toward.turn}deg` },
        },
        h("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, h("path", { d: "M3 12h17m-7-7 7 7-7 7" })),
      ),
    (full.length ? signed : wanted && !toward) && avatar(of, state, seat),
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

// ── what is shared ──

// The seat that a counter of the table holds, such as the dealer, which is shown there; -1 if it holds none.
/** @param {Table} of @param {unknown} held */
export const holds = (of, held) => of.seats.findIndex(({ name }) => name !== "" && name === held);

// Whether another seat's zone is shown in the place of one that is empty.
/** @param {Zone} other @param {Zone} one */
const goesBefore = (other, one) =>
  other.owner !== null &&
  one.count === 0 &&
  other.owner !== one.owner &&
  (other.count > 0 || other.owner < Number(one.owner));

// How a zone of the table is called, with the name of its owner while something lies there.
/** @param {Table} of @param {Zone} one */
const called = (of, { zone, owner, count }) =>
  owner !== null && count > 0 ? entry(of.zones[zone].label, of.seats[owner].name) : of.zones[zone].label;

// Zones of the table that are shown one by one. Of those that each seat has, the one where something lies.
/** @param {Table} of @param {State} state */
const centre = (of, state) =>
  state.zones.filter(
    (one) =>
      !one.word &&
      !state.zones.some((other) => other.zone === one.zone && goesBefore(other, one)) &&
      (of.zones[one.zone].place ? SHARED.includes(regionOf(of, one.zone)) : one.owner === null) &&
      !["aside", "away", "chain"].includes(of.zones[one.zone].layout),
  );

// A zone that keeps its room while few things lie there.
/** @param {Table} of @param {Zone} one @param {import("./types").VNode | null} drawn @param {boolean} phone */
function placed(of, one, drawn, phone) {
  const wide = Math.min(MANY, most(of, one));
  return (
    drawn &&
    cloneElement(drawn, {
      class: classes(
        drawn.props.class,
        one.count === 0 && wide > 0 && "kept",
        wide < 2 && "alone",
        closesUp(of, one.zone) && "closing",
      ),
      style: { ...drawn.props.style, "--most": wide, "--part": partOf(of, one, phone) },
    })
  );
}

/**
 * @param {Table} of
 * @param {State} state
 * @param {Picking | null} picking
 * @param {Rect} room
 * @param {{ most: number, letters: number, phone: boolean, named: boolean, row: boolean, column: boolean, alone: boolean, redraw: Redraw }} given
 */
function shared(of, state, picking, room, { most: largestCard, letters, phone, named, row, column, alone, redraw }) {
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
  const sets = zones.filter((one) => takesRoom(of, one)).map((one) => setOf(of, one, phone, column));
  const inner = { w: room.w - 4, h: room.h - below(of, phone) * letters };
  const fit = (/** @type {import("./fan.js").Things[]} */ all, least = SMALLEST) =>
    largest(all, inner, { most: largestCard, least, letters, gap: phone || column ? CLOSE : undefined });
  // On a phone names are the first to go: those of decks, and then all.
  const isNamed = named && (row || !phone || fit(sets.map(fewer)) > SMALLEST);
  const isFewer = isNamed && !row && phone && fit(sets) < ROOMY;
  const size = row
    ? Math.min(largestCard, (room.h - (named ? 30 : 8)) / RATIO)
    : isNamed
      ? fit(isFewer ? sets.map(fewer) : sets)
      : fit(sets.map(bare), TINY);
  const listed = ofWords(of, state, picking);
  if (!all.length && !loose && !listed.some(Boolean)) return null;
  const { names, sheet } = suppliesOf(of, state, picking, supplies, redraw);
  const drawn = h(
    "div",
    {
      class: classes(
        "shared",
        row && "in-row",
        !isNamed && "bare",
        isFewer && "fewer",
        alone && !all.length && !listed.some(Boolean) && "only-told",
      ),
      style: { ...at(room), "--size": `${size}px` },
    },
    h(
      "div",
      { class: "zones" },
      zones.map((one) => placed(of, one, zone(of, state, picking, one, { label: called(of, one) }), phone)),
      listed,
    ),
    names,
    (loose || (all.length > 0 && !row && tells(of))) &&
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
