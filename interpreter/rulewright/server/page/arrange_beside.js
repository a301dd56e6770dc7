// Where regions lie where nothing is shared but boards, in a window that is wide enough: the boards as large as they can
// be, a hand below them, and in one column at their right the others' plates, the log, the question and the reader's plate.

import { plateHigh } from "./plates.js";

/** @import { Contents } from "./place.js" */
/** @import { Rect } from "./types" */

export const BUTTONS = 46; // px: a board's
const SIDE = { least: 296, most: 420, share: 0.62 }; // px that the column is wide, or of a board's width
const BAR = { least: 136, most: 182 }; // px, of a question above its answers
const LOG = 130; // px that it is high at least
const PLATE = 50; // px
const FRONT = 34; // px more, of what lies before people

// edge: px between the column's parts.
/** @typedef {{ room: Rect, gap: number, px: (size: number) => number, letters: number, hand: number, count: number,
 *   mine: boolean, has: Contents, railed: boolean, guided: boolean }} Given */

// Null where the column has not enough room.
/** @param {Given} given */
export function besideRegions({ room, gap, px, letters, hand, count, mine, has, railed, guided }) {
  const high = room.h - (hand && hand + gap);
  const { board, side } = across(room, high, gap, px, letters, has.board);
  const plate = Math.max(PLATE, plateHigh(has, { wide: side.w, most: 3 }) + (has.front ? FRONT : 0)) * letters;
  const floor = room.y + room.h;
  const foot = floor - (mine ? plate + gap : 0);
  const top = room.y + count * (plate + gap);
  const [least, most] = [BAR.least, BAR.most].map((size) => Math.max(size, px(size)) * letters);
  const bar = Math.max(least, Math.min(most, foot - gap - top - LOG));
  const asked = foot - bar;
  const free = { ...side, y: top, h: asked - gap - top };
  if (board.w < LOG || free.h < (railed || guided ? LOG : 0)) return null;
  return {
    rail: railed ? free : null,
    guide:
      guided && !railed ? { ...free, y: Math.max(top, asked - gap - px(260)), h: Math.min(free.h, px(260)) } : null,
    bar: { ...side, y: asked, h: bar },
    hand: hand ? { ...board, y: floor - hand, h: hand } : null,
    own: mine ? { ...side, y: floor - plate, h: plate } : null,
    seats: Array.from({ length: count }, (_, n) => ({
      ...side,
      y: room.y + (count - 1 - n) * (plate + gap),
      h: plate,
    })),
    board,
  };
}

// Boards and column, in the middle together. A board's buttons stand below it where it is low, or else before it.
/** @param {Rect} room @param {number} high @param {number} gap @param {(size: number) => number} px @param {number} letters @param {number} ratio */
function across(room, high, gap, px, letters, ratio) {
  const least = Math.max(SIDE.least, px(SIDE.least)) * letters;
  const fits = Math.min(room.w - gap - least, high * ratio);
  const isLow = high - fits / ratio >= BUTTONS;
  const before = isLow ? 0 : BUTTONS;
  const w = Math.min(fits, room.w - gap - least - before);
  const tall = w / ratio;
  const most = Math.max(px(SIDE.most) * letters, SIDE.share * w);
  const side = Math.max(least, Math.min(most, room.w - gap - w - before));
  const x = room.x + before + (room.w - w - gap - side - before) / 2;
  const y = room.y + Math.min((high - tall) / 2, isLow ? high - tall - BUTTONS : high);
  return { board: { x, y, w, h: tall }, side: { x: x + w + gap, y: room.y, w: side, h: room.h } };
}
