// The reader's hand: a fan at the lower edge of the stage.

import { classes, memo } from "./dom.js";
import { fan } from "./fan.js";
import { at } from "./middle.js";
import { asksFor, offering } from "./picking.js";
import { arrived } from "./pictures.js";
import { isIn, regionOf } from "./place.js";
import { cloneElement, h } from "./preact.js";
import { row } from "./words.js";
import { lying, zoneKey } from "./zones.js";

/** @import { Picking, Rect, State, Table, Zone } from "./types" */

const BETWEEN = 18; // px between several hands

// phone: held straight, in one row or in two.
/** @param {Table} of @param {State} state @param {Picking | null} picking @param {Rect} room @param {boolean} phone */
export function hand(of, state, picking, room, phone) {
  const zones = state.zones.filter(
    (one) => one.owner === of.seat && one.count > 0 && regionOf(of, one.zone) === "hand",
  );
  const widths = shares(of, state, zones, room.w);
  let x = 0;
  return h(
    "section",
    { class: "held", "aria-label": row(zones.map((one) => of.zones[one.zone].label)), style: at(room) },
    zones.map((one, place) => {
      const rect = { x, y: 0, w: widths[place], h: room.h };
      x += widths[place] + BETWEEN;
      return held(of, state, picking, one, rect, phone);
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
const how = (of, { pieces }, phone) => ({
  bent: !phone,
  close: pieces !== null && pieces.every((name) => of.pieces[name].corner !== "" && of.pieces[name].suit !== ""),
});

/** @param {Table} of @param {State} state @param {Picking | null} picking @param {Zone} one @param {Rect} rect @param {boolean} phone */
function held(of, state, picking, one, rect, phone) {
  const offer = offering(picking, (choice) => isIn(one, choice));
  const from = [of, arrived(of), one, state.powers, offer, rect.w, rect.h, rect.x];
  const hold = how(of, one, phone);
  const { tight } = fan(lying(of, state, null, one).length, rect, hold);
  return h(
    "div",
    {
      class: classes(
        "fan",
        asksFor(offer, (choice) => isIn(one, choice)) && "asked-of",
        tight && "tight",
        hold.close && "close",
      ),
      key: zoneKey(one),
      "data-zone": zoneKey(one),
      role: "group",
      "aria-label": of.zones[one.zone].label,
      style: at(rect),
    },
    memo(from, () => cards(of, state, picking, one, rect, phone)),
  );
}

/** @param {Table} of @param {State} state @param {Picking | null} picking @param {Zone} one @param {Rect} rect @param {boolean} phone */
function cards(of, state, picking, one, rect, phone) {
  const pieces = lying(of, state, picking, one).filter((piece) => piece !== false);
  const { card, places } = fan(pieces.length, rect, how(of, one, phone));
  return pieces.map((piece, n) => {
    const { x, y, turn } = places[n];
    const next = places[n + 1];
    const seen = next && next.x > x ? next.x - x : card; // what comes next may begin another row
    return cloneElement(piece, {
      class: `${piece.props.class}${seen < card * 0.8 ? " covered" : ""}`,
      style: {
        left: `${x.toFixed(1)}px`,
        top: `${y.toFixed(1)}px`,
        rotate: turn ? `${turn.toFixed(2)}deg` : "none",
        "--card": `${card.toFixed(1)}px`,
        "--seen": `${Math.min(seen, card).toFixed(1)}px`,
      },
    });
  });
}
