// Where regions lie in a window that is low, such as a phone on its side or a page at twice its size: the board or the
// cloth at the left; beside it everybody's plate, what is shared, and the question; the hand below the cloth, or below the
// question where there is a board.

/** @import { Contents } from "./place.js" */
/** @import { Rect } from "./types" */

export const LOW = { width: 600, height: 520 }; // at least as wide, and lower than that
const GAP = 6;
const BUTTONS = { wide: 50, beside: 420 }; // px: a column of a board's buttons, where so much is left beside it
const SHORT = 326; // px high, of a room in which a question gives way, and small signs too
const BAR = { usual: { least: 120, guided: 66 }, short: { least: 92, guided: 46 } }; // px, of a question above two rows of answers; below a guide
const PLATE = { alone: 54, above: 46, front: 65 }; // px high, in one row, in two, and with small signs of what lies before people
const TEXT = 22; // px of a plate's width that hold none
const CLOTH = { most: 0.56, both: 0.54, shared: 0.5, tricks: 0.42 }; // of a room's width; at least with what is shared and offers, with one of them

/** @typedef {[least: number, most: number]} Range */

/** @param {{ room: Rect, count: number, mine: boolean, has: Contents, guided: boolean }} shape */
export function lowRegions({ room, count, mine, has, guided }) {
  const held = mine && has.hand;
  const under = held && !has.board ? Math.round(Math.min(112, room.h * 0.28)) : 0;
  const upper = { ...room, h: room.h - under - (under && GAP) };
  const wide = has.board ? Math.min(upper.h * has.board, room.w * 0.58) : clothWide(room.w, count + Number(mine), has);
  const tall = has.board ? wide / has.board : upper.h;
  const middle = { x: room.x, y: room.y + (upper.h - tall) / 2, w: wide, h: tall };
  const buttons = has.board && room.w - wide - GAP - BUTTONS.wide >= BUTTONS.beside ? BUTTONS.wide : 0;
  const left = wide + GAP + buttons;
  const side = { x: room.x + left, y: room.y, w: room.w - left, h: upper.h };
  const signed = !has.board && !guided && has.front > 0 && room.h > SHORT && count + Number(mine) < 5;
  const plates = cells(side, count + Number(mine), signed ? PLATE.front : PLATE.above);
  const top = plates[plates.length - 1].y + plates[0].h + GAP;
  const bar = room.h < SHORT ? BAR.short : BAR.usual;
  const [things, guide, asked, hand] = stacked({ ...side, y: top, h: side.y + side.h - top }, [
    has.board && has.shared ? [guided ? 40 : 44, 64] : null,
    guided ? [40, 90] : null,
    [guided ? bar.guided : bar.least, has.board ? 150 : 200],
    held && has.board ? [52, 92] : null,
  ]);
  return {
    seats: plates.slice(0, count),
    own: mine ? plates[count] : null,
    guide,
    bar: /** @type {Rect} */ (asked),
    hand: under ? { ...room, y: room.y + room.h - under, h: under } : hand,
    board: has.board ? middle : null,
    cloth: has.board ? null : middle,
    things,
  };
}

// A cloth leaves plates the room for what they may tell in a line below the names, down to what its cards need.
/** @param {number} wide @param {number} count @param {Contents} has */
function clothWide(wide, count, { figures, shared, offer }) {
  const across = acrossOf(count);
  const plates = across * (figures + TEXT) + (across - 1) * GAP;
  const least = wide * (shared && offer ? CLOTH.both : shared ? CLOTH.shared : CLOTH.tricks);
  return Math.round(Math.max(least, Math.min(wide * CLOTH.most, wide - GAP - plates)));
}

/** @param {number} count */
const acrossOf = (count) => (count < 5 ? 2 : count < 7 ? 3 : 5);

// Plates side by side, in as few rows as they can be read in; the last one has the rest of its row.
/** @param {Rect} side @param {number} count @param {number} above @returns {Rect[]} */
function cells({ x, y, w }, count, above) {
  const across = acrossOf(count);
  const high = count > across ? above : PLATE.alone;
  const wide = (w - (across - 1) * GAP) / across;
  return Array.from({ length: count }, (_, n) => {
    const left = (n % across) * (wide + GAP);
    return {
      x: x + left,
      y: y + Math.floor(n / across) * (high + GAP),
      w: n === count - 1 ? w - left : wide,
      h: high,
    };
  });
}

// Rectangles below each other that share a height, each between its least and its most.
/** @param {Rect} room @param {(Range | null)[]} ranges @returns {(Rect | null)[]} */
function stacked({ x, y, w, h }, ranges) {
  const there = ranges.filter((range) => range !== null);
  const least = there.reduce((sum, range) => sum + range[0], 0);
  const more = there.reduce((sum, range) => sum + range[1] - range[0], 0);
  const free = h - least - (there.length - 1) * GAP;
  const share = Math.min(1, free / more);
  const spare = Math.max(0, free - more); // lies above: the question is where the thumb is
  let next = y + spare;
  return ranges.map((range) => {
    if (!range) return null;
    const rect = { x, y: next, w, h: range[0] + share * (range[1] - range[0]) };
    next += rect.h + GAP;
    return rect;
  });
}
