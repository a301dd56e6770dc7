// The middle of the stage: what is shared, and on the cloth before each seat what it offers, such as a card of a trick.

import { largest } from "./fan.js";
import { heaps, runs } from "./pieces.js";
import { flowOf, regionOf, SHARED } from "./place.js";
import { h } from "./preact.js";
import { largestFree, slotRow, slots } from "./ring.js";
import { explains } from "./explain.js";
import { avatar } from "./seat_parts.js";
import { number, say } from "./words.js";
import { figures, lying, ofWords, zone, zoneKey } from "./zones.js";

/** @import { Regions } from "./arrange.js" */
/** @import { Child, Picking, Rect, State, Table, Zone } from "./types" */

const RATIO = 88 / 63;
const LETTER = 8; // px, of names above zones
const MANY = 8; // sorts of things, of which more have no names below them

/** @param {Rect} rect @returns {Record<string, string>} */
export const at = ({ x, y, w, h: high }) => ({ left: `${x}px`, top: `${y}px`, width: `${w}px`, height: `${high}px` });

// order: seats as they follow each other around, the reader's first if there is one; caption: what has just happened in
// the middle.
/**
 * @param {Table} of
 * @param {State} state
 * @param {Picking | null} picking
 * @param {Regions} regions
 * @param {{ order: number[], caption: Child }} given
 */
export function middle(of, state, picking, regions, { order, caption }) {
  const { cloth, things, scale, mode, phone } = regions;
  const offers = cloth ? offered(of, state, cloth, order, regions) : [];
  const room = cloth ? free(cloth, offers, scale) : things;
  return h(
    "section",
    { class: "middle", "aria-label": say("table") },
    cloth && h("div", { class: "cloth", style: at(cloth) }),
    offers.map((one) => offer(of, state, picking, one, mode === "strip")),
    room &&
      shared(of, state, picking, room, {
        most: (phone ? 84 : cloth ? 124 : 100) * scale,
        row: mode === "strip" && !cloth,
      }),
    caption,
  );
}

// ── offers ──

/** @typedef {{ seat: number, rect: Rect, zones: Zone[], wanted: boolean }} Offer */

/** @param {Table} of @param {State} state @param {Rect} cloth @param {number[]} order @param {Regions} regions @returns {Offer[]} */
function offered(of, state, cloth, order, { scale, phone }) {
  const kinds = Object.keys(of.zones).filter((name) => regionOf(of, name) === "offer");
  if (!kinds.length) return [];
  const much = centre(of, state).length > 0;
  const most = (much ? (phone ? 42 : 52) : phone ? 92 : 124) * scale;
  const size = { ratio: RATIO, most, least: 36, apart: much ? 1 : 0.42 };
  const inner = { x: cloth.x + 8, y: cloth.y + 8, w: cloth.w - 16, h: cloth.h - 16 };
  const rects = much && phone ? slotRow(order.length, inner, size) : slots(order.length, inner, size);
  return order.map((seat, place) => ({
    seat,
    rect: rects[place],
    zones: state.zones.filter((one) => one.owner === seat && kinds.includes(one.zone)),
    wanted: state.waiting.includes(seat) && kinds.some((name) => flowOf(of, name).into),
  }));
}

/** @param {Table} of @param {State} state @param {Picking | null} picking @param {Offer} given @param {boolean} signed */
function offer(of, state, picking, { seat, rect, zones, wanted }, signed) {
  const full = zones.filter((one) => one.count > 0);
  if (!full.length && !wanted) return null;
  const count = Math.max(
    1,
    full.reduce((sum, one) => sum + groups(of, one), 0),
  );
  const card = count > 1 ? rect.w * 0.74 : rect.w; // several lie over each other
  return h(
    "div",
    {
      class: `offer seat-${seat}${full.length ? "" : " slot"}${leads(state, seat, full) ? " ahead" : ""}`,
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
    signed && full.length > 0 && avatar(of, state, seat),
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

// What has to be scrolled can be reached with the keyboard.
/** @param {HTMLElement | null} element */
function reachable(element) {
  if (!element) return;
  const scrolled = element.scrollHeight > element.clientHeight + 1 || element.scrollWidth > element.clientWidth + 1;
  if (scrolled) element.tabIndex = 0;
  else element.removeAttribute("tabindex");
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
      !["aside", "away"].includes(of.zones[one.zone].layout),
  );

// How many things lie side by side in a zone.
/** @param {Table} of @param {Zone} one */
function groups(of, { zone: name, pieces, count, known }) {
  const { pile, layout } = of.zones[name];
  if (pieces === null) return layout === "pile" || count > 12 ? 1 + known.length : Math.max(1, count);
  if (pile) return 1;
  return layout === "heaps" ? heaps(pieces).length : runs(pieces).length;
}

/** @param {Table} of @param {Zone} one @returns {import("./fan.js").Things} */
function setOf(of, one) {
  const name = one.pieces?.[0];
  const count = groups(of, one);
  const label = of.zones[one.zone].label.length * LETTER + 34;
  return {
    count,
    label,
    flat: name !== undefined && !of.pieces[name].card,
    names: count <= MANY,
    pile: of.zones[one.zone].layout === "pile",
  };
}

/**
 * @param {Table} of
 * @param {State} state
 * @param {Picking | null} picking
 * @param {Rect} room
 * @param {{ most: number, row: boolean }} given
 */
function shared(of, state, picking, room, { most, row }) {
  const zones = centre(of, state);
  const aside = state.zones.filter(
    (one) => one.owner === null && !one.word && of.zones[one.zone].layout === "aside" && one.count > 0,
  );
  const figured = figures(of, state, "", (held) =>
    of.nothings.includes(held) || holds(of, held) !== -1 ? undefined : held,
  );
  const loose = aside.length > 0 || figured;
  const size = row
    ? Math.min(most, (room.h - 30) / RATIO)
    : largest(
        zones.map((one) => setOf(of, one)),
        { w: room.w - 4, h: room.h - (loose ? 48 : 6) },
        { most, least: 42 },
      );
  const listed = ofWords(of, state, picking);
  if (!zones.length && !loose && !listed.some(Boolean)) return null;
  return h(
    "div",
    {
      class: `shared${row ? " in-row" : ""}`,
      role: "group",
      "aria-label": say("table"),
      ref: reachable,
      style: { ...at(room), "--size": `${size}px` },
    },
    h(
      "div",
      { class: "zones" },
      zones.map((one) => zone(of, state, picking, one)),
      listed,
    ),
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
}
