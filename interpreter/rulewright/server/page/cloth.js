// How a cloth is shared out between what people offer before them and what all share, so that both are as large as they
// can be.

import { largest } from "./fan.js";
import { isFree, largestFree, slotBlock, slotRow, slots } from "./ring.js";

/** @import { Things } from "./fan.js" */
/** @import { Rect } from "./types" */

const RATIO = 88 / 63;
const LEAST = { slot: 36, row: 26 }; // px that a card that is offered is wide
const TINY = 8; // px, of what is shared where there is no room: the less of that is offered, the better
const ABOVE = 140; // px, of decks above a trick where there is little room
const TRICK = { alone: 124, decks: 108, phone: 92, phoneDecks: 70 }; // px that a card of a trick is wide at most
const BIDS = { most: 104, phone: 76 }; // the same where more than decks is shared
const TOLD = 80; // px high, of numbers alone
export const SIGN = 14; // px that the signs of owners stand out below a row
export const CLOSE = 8; // px between sets on a phone
const LARGE = { shared: 70, offered: 56 }; // px that cards are wide at least where bids lie before their owners
const SHARE = 1.3; // how much larger what is shared is than what is offered

// seats: how many offer something, 0 if nobody does; decks: nothing but decks is shared; below: px kept below it; most:
// of a card's width.
/** @typedef {{ seats: number, sets: Things[], decks: boolean, below: number, most: number, scale: number, letters: number,
 *   phone: boolean }} Sharing */
/** @typedef {{ slots: Rect[], room: Rect, isRow: boolean }} Shares */

/** @type {Map<string, Shares>} */
const known = new Map(); // the last one: it is asked for each time the table is drawn

/** @param {Rect} cloth @param {Sharing} given @returns {Shares} */
export function shareOut(cloth, given) {
  const name = JSON.stringify([cloth, given]);
  const shares = known.get(name) ?? shared(cloth, given);
  known.clear();
  known.set(name, shares);
  return shares;
}

/** @param {Rect} cloth @param {Sharing} given @returns {Shares} */
function shared(cloth, given) {
  const { seats, sets, decks, scale, phone } = given;
  const room = inset(cloth, 14 * scale, 8 * scale);
  if (!seats) return { slots: [], room, isRow: false };
  if (sets.length && !decks) return best(cloth, given);
  const above = decks && phone ? ABOVE * scale : 0;
  const inner = inset({ ...cloth, y: cloth.y + above, h: cloth.h - above }, 8, 8);
  const most = (phone ? (decks ? TRICK.phoneDecks : TRICK.phone) : decks ? TRICK.decks : TRICK.alone) * scale;
  const laid = slots(seats, inner, { ratio: RATIO, most, least: LEAST.slot, apart: 0.42 });
  const enough = sets.length ? undefined : TOLD * scale;
  return { slots: laid, room: largestFree(room, laid, 8 * scale, enough), isRow: false };
}

/** @param {Rect} rect @param {number} across @param {number} down @returns {Rect} */
const inset = ({ x, y, w, h }, across, down) => ({ x: x + across, y: y + down, w: w - 2 * across, h: h - 2 * down });

// Before their owners or, where all is small then and it leaves more to both, in a row at the reader's edge; on a phone in
// such a row, or at the end of its cloth where that is wide.
/** @param {Rect} cloth @param {Sharing} given @returns {Shares} */
function best(cloth, { seats, sets, below, most, scale, letters, phone }) {
  const [inner, middle] = [inset(cloth, 8, 8), inset(cloth, 14 * scale, 8 * scale)];
  const gap = 8 * scale;
  const widest = Math.round((phone ? BIDS.phone : BIDS.most) * scale);
  let found = { worth: -1, slots: /** @type {Rect[]} */ ([]), room: middle, isRow: false };
  const size = (/** @type {number} */ most) => ({ ratio: RATIO, most });
  /** @type {((wide: number) => Rect[])[]} */
  const ways = [
    (wide) => slotRow(seats, { ...inner, h: inner.h - SIGN }, size(wide)),
    phone
      ? (wide) => slotBlock(seats, inner, { ...size(wide), sign: SIGN })
      : (wide) => slots(seats, inner, { ...size(wide), least: wide, apart: 1 }),
  ];
  for (const [way, lay] of ways.entries()) {
    const isRow = phone || way === 0;
    for (let wide = widest; wide >= (isRow ? LEAST.row : LEAST.slot); wide -= 4) {
      const laid = lay(wide);
      if (!isFree(laid)) continue;
      const room = way === 0 ? { ...middle, h: laid[0].y - gap - middle.y } : largestFree(middle, laid, gap);
      const free = { w: room.w - 4, h: room.h - below * letters };
      const card = largest(sets, free, { most, least: TINY, letters, gap: phone ? CLOSE : undefined });
      const isLarge = !isRow && card >= LARGE.shared * scale && laid[0].w >= LARGE.offered * scale;
      const worth = Math.min(card, laid[0].w * SHARE) + card / 100 + (isLarge ? most : 0);
      if (worth > found.worth) found = { worth, slots: laid, room, isRow };
    }
  }
  return found;
}
