// The reader's hand: a fan at the lower edge of the stage.

import { classes, memo } from "./dom.js";
import { fan } from "./fan.js";
import { at } from "./middle.js";
import { orderOf } from "./own_order.js";
import { asksFor, offering } from "./picking.js";
import { arrived } from "./pictures.js";
import { heaps } from "./pieces.js";
import { isIn, regionOf } from "./place.js";
import { cloneElement, h } from "./preact.js";
import { COLOURS, hasOn, RANKS } from "./switches.js";
import { alone, row } from "./words.js";
import { grouping, lying, zoneKey } from "./zones.js";

/** @import { Picking, Rect, Redraw, State, Table, TapEvent, Zone } from "./types" */

const BETWEEN = 18; // px between several hands
const TOOLS = 74; // px beside cards that can be sorted
const DEALT = 2; // cards: when more than that come at once, they are another deal
const NAMED = 62; // px of a card, from which its name has room below its picture
const SHAKE = { translate: ["0", "-5px", "5px", "-3px", "0"] };
const still = matchMedia("(prefers-reduced-motion: reduce)");

/** @type {Map<string, { count: number, most: number }>} */
const counts = new Map(); // of cards in a zone, by its key: now, and at most since they were dealt

// The most cards that have been held since they were dealt, so that they keep their size while they are played.
/** @param {string} zone @param {number} count */
function mostHeld(zone, count) {
  const last = counts.get(zone);
  const most = !last || count > last.count + DEALT ? count : Math.max(last.most, count);
  counts.set(zone, { count, most });
  return most;
}

// phone: held straight, in one row or in two; axis: around which a single hand lies; tools: what stands beside the cards.
/** @typedef {typeof import("./hand_tools.js").handTools} Tools */
/** @param {Table} of @param {State} state @param {Picking | null} picking @param {Rect} room @param {{ phone: boolean, axis?: number, tools?: Tools, redraw: Redraw }} given */
export function hand(of, state, picking, room, { phone, axis, tools, redraw }) {
  const zones = state.zones.filter(
    (one) => one.owner === of.seat && one.count > 0 && regionOf(of, one.zone) === "hand",
  );
  const widths = shares(of, state, zones, room.w);
  let x = 0;
  return h(
    "section",
    { class: "held", "aria-label": alone(row(zones.map((one) => of.zones[one.zone].label))), style: at(room) },
    zones.map((one, place) => {
      const rect = { x, y: 0, w: widths[place], h: room.h };
      x += widths[place] + BETWEEN;
      const only = zones.length === 1;
      return held(of, state, picking, one, rect, { phone, only, axis: only ? axis : undefined, tools, redraw });
    }),
  );
}

// The room is shared out by how much lies in each.
/** @param {Table} of @param {State} state @param {Zone[]} zones @param {number} wide */
function shares(of, state, zones, wide) {
  const counts = zones.map((one) => Math.max(1, lying(of, state, null, one).length));
  const all = counts.reduce((sum, count) => sum + count, 0);
  return counts.map((count) => ((wide - BETWEEN * (zones.length - 1)) * count) / all);
}

// How cards are held: bent where there is room, and close where each has a corner by which it is known.
/** @param {Table} of @param {Zone} one @param {boolean} phone */
const how = (of, { zone, pieces }, phone) => ({
  bent: !phone && !of.zones[zone].tiles,
  ratio: of.zones[zone].tiles ? 2 : undefined,
  close: pieces !== null && pieces.every((name) => of.pieces[name].corner !== "" && of.pieces[name].suit !== ""),
});

// only: whether nothing else is held, so that its name is that of the hand.
/** @param {Table} of @param {State} state @param {Picking | null} picking @param {Zone} one @param {Rect} rect @param {{ phone: boolean, only: boolean, axis?: number, tools?: Tools, redraw: Redraw }} given */
function held(of, state, picking, one, rect, { phone, only, axis, tools, redraw }) {
  const offer = offering(picking, (choice) => isIn(one, choice));
  const from = [
    of,
    arrived(of),
    hasOn(COLOURS),
    hasOn(RANKS),
    orderOf(zoneKey(one)),
    one,
    state.powers,
    state.apart_pieces[one.zone],
    offer,
    state.received,
    rect.w,
    rect.h,
    rect.x,
    axis,
    tools,
  ];
  const { length } = lying(of, state, null, one);
  const [dealt, kinds] = [mostHeld(zoneKey(one), one.count), mostHeld(`kinds ${zoneKey(one)}`, length) + 1];
  const hold = { ...how(of, one, phone), held: dealt, kinds, axis };
  const room = { ...rect, w: rect.w - (hold.close && !phone ? TOOLS : 0) };
  const { tight, card } = fan(length, room, hold);
  return h(
    "div",
    {
      class: classes(
        "fan",
        isAsked(offer, one) && "asked-of",
        picking?.picked.refused && "refusing",
        tight && "tight",
        !tight && card >= NAMED && "named",
        hold.close && "close",
      ),
      key: zoneKey(one),
      "data-zone": zoneKey(one),
      role: only ? null : "group",
      "aria-label": only ? null : alone(of.zones[one.zone].label),
      style: at(rect),
    },
    memo(from, () => cards(of, state, picking, one, room, { phone, hold, tools, wide: rect.w, redraw })),
  );
}

/** @param {Picking | null} picking @param {Zone} one */
const isAsked = (picking, one) => asksFor(picking, (choice) => isIn(one, choice));

// What cannot be taken while other cards can shakes its head, and the bar tells why.
/** @param {Table} of @param {Picking} picking @param {Zone} one @param {string} name */
const refuses = (of, picking, one, name) => ({
  "aria-disabled": "true",
  "aria-haspopup": null,
  onclick: (/** @type {TapEvent} */ { currentTarget }) => {
    if (!still.matches) currentTarget.animate(SHAKE, 300);
    import("./later.js").then(({ refusal }) => picking.refuse(refusal(of, picking.asked, one.pieces ?? [], name)));
  },
});

// Where a hand in two rows can be parted: before each suit but the first. names: undefined where only a back is seen.
/** @param {Table} of @param {(string | undefined)[]} names */
function suitsBegin(of, names) {
  const suits = names.map((name) => name && (of.pieces[name].suit || of.pieces[name].picture));
  return suits.flatMap((suit, n) => (n && suit !== suits[n - 1] ? [n] : []));
}

const NONE = { groups: /** @type {string[][]} */ ([]), begins: /** @type {number[]} */ ([]) };

// What goes together in a hand that is not held in an order of one's own, and before which cards there is a gap.
/** @param {Table} of @param {State} state @param {Zone} one @param {Redraw} redraw */
function partsOf(of, state, one, redraw) {
  const apart = state.apart_pieces[one.zone];
  const found = apart && one.pieces && !orderOf(zoneKey(one)) && grouping(redraw);
  return found ? found.together(of, heaps(one.pieces ?? []), apart) : NONE;
}

/** @param {Table} of @param {State} state @param {Picking | null} picking @param {Zone} one @param {Rect} room @param {{ phone: boolean, hold: import("./fan.js").How, tools?: Tools, wide: number, redraw: Redraw }} given */
function cards(of, state, picking, one, room, { phone, hold, tools, wide, redraw }) {
  const pieces = lying(of, state, picking, one).filter((piece) => piece !== false);
  const names = pieces.map(({ props }) => /** @type {string | undefined} */ (props["data-piece"]));
  const splits = hasOn(RANKS) || orderOf(zoneKey(one)) ? [] : suitsBegin(of, names);
  const { groups, begins: all } = partsOf(of, state, one, redraw);
  const begins = phone ? [] : all;
  const { card, places } = fan(pieces.length + begins.length, room, { ...hold, splits });
  const place = (/** @type {number} */ n) => places[n + begins.filter((first) => first <= n).length];
  const asked = isAsked(picking, one);
  const come = state.received?.get(zoneKey(one));
  const drawn = pieces.map((piece, n) => {
    const { x, y, turn } = place(n);
    const next = place(n + 1);
    const name = names[n];
    const seen = next && next.x > x ? next.x - x : card; // what comes next may begin another row
    const group = groups.findIndex((names) => name && names.includes(name));
    const refused = asked && picking && !/ (offered|picked|instead|direct)/.test(piece.props.class);
    return cloneElement(piece, {
      ...(refused && name ? refuses(of, picking, one, name) : {}),
      class: classes(
        piece.props.class,
        seen < card * 0.8 && "covered",
        name && come?.has(name) && "received",
        refused && "refused",
        group >= 0 && "goes",
        group >= 0 && all.includes(n + 1) && "last",
      ),
      "aria-describedby": group >= 0 ? `goes-${group}` : null,
      style: {
        left: `${x.toFixed(1)}px`,
        top: `${y.toFixed(1)}px`,
        rotate: turn ? `${turn.toFixed(2)}deg` : "none",
        "--card": `${card.toFixed(1)}px`,
        "--seen": `${Math.min(seen, card).toFixed(1)}px`,
      },
    });
  });
  return [...drawn, tools?.(of, one, { groups, places: pieces.map((_, n) => place(n)), card, wide, redraw })];
}
