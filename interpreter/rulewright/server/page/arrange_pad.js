// Where regions lie at a score pad, in a window that is wide enough: the pad at the right, as high as the table; beside it,
// from above, the others' plates, what is played with, and the question with the reader's plate and hand.

/** @import { Contents } from "./place.js" */
/** @import { Rect } from "./types" */

const PLATE = { wide: 300, high: 68 }; // px
const OWN = 180; // px
const BAR = 116; // px, of a question above its answers
const THINGS = 104; // px
const INNER = 0.95; // of a felt, that a board on it is wide at most
const PAD = { words: 190, seat: 92, most: 0.52 }; // px that words and the points of a seat take, and of the room

/** @typedef {{ room: Rect, gap: number, px: (size: number) => number, hand: number, guide: Rect | null, count: number, mine: boolean,
 *   has: Contents }} Given */

/** @param {Given} given */
export function padRegions({ room, gap, px, hand, guide, count, mine, has }) {
  const wide = Math.min(room.w * PAD.most, px(PAD.words + PAD.seat * (count + 1)));
  const side = { ...room, w: room.w - wide - gap };
  const floor = room.y + room.h - (hand && hand + gap);
  const bar = Math.max(BAR, px(BAR));
  const own = mine ? px(OWN) : 0;
  const low = Math.max(PLATE.high, px(PLATE.high));
  const plate = Math.min(px(PLATE.wide), (side.w - (count - 1) * gap) / Math.max(1, count));
  const high = count ? Math.max(PLATE.high, px(PLATE.high)) : 0;
  const left = side.x + (side.w - count * (plate + gap) + gap) / 2;
  const things = has.board && has.shared ? px(THINGS) : 0;
  const foot = floor - bar - gap - (guide ? guide.h + gap : 0);
  const y = room.y + (high && high + gap);
  const felt = { ...side, y, h: foot - (things && things + gap) - y };
  const w = Math.min(felt.w * INNER, felt.h * has.board);
  const tall = has.board && w / has.board;
  return {
    narrow: true,
    pad: { ...room, x: room.x + room.w - wide, w: wide },
    seats: Array.from({ length: count }, (_, n) => ({ x: left + n * (plate + gap), y: room.y, w: plate, h: high })),
    felt: has.board ? felt : null,
    board: has.board ? { x: felt.x + (felt.w - w) / 2, y: felt.y + (felt.h - tall) / 2, w, h: tall } : null,
    cloth: has.board ? null : felt,
    things: things ? { ...side, y: foot - things, h: things } : null,
    own: mine ? { x: side.x, y: floor - low, w: own, h: low } : null,
    bar: { x: side.x + (own && own + gap), y: floor - bar, w: side.w - (own && own + gap), h: bar },
    guide: guide && { ...side, y: foot + gap, h: guide.h },
    hand: hand ? { ...side, y: room.y + room.h - hand, h: hand } : null,
  };
}
