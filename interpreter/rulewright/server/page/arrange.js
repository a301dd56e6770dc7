// Where the regions of the stage lie in a window: rectangles that do not lie over each other. They follow from what the
// table is made of and from how many sit there, never from what is asked.

import { besideRegions } from "./arrange_beside.js";
import { padRegions } from "./arrange_pad.js";
import { LOW, lowRegions } from "./arrange_low.js";
import { phoneRegions } from "./arrange_phone.js";
import { ownHigh, plateHigh } from "./plates.js";
import { seats, sides } from "./ring.js";

/** @import { Contents } from "./place.js" */
/** @import { Rect } from "./types" */

const LEAST = { width: 320, height: 520, low: 312, scrolled: 800 }; // of a stage; where there is less, one scrolls
const PHONE = 640;
const RAILED = 1200;
const SEAT = 214;
const PLATE = 68; // px that it is high at least
const BAR = 68; // px, of a question above its answers
const EDGES = 4; // px, of a plate that stands alone
const GUIDE = { wide: 340, high: 130 }; // px, of a guide below what is shared
const SMALLER = 0.92; // of what a board would be wide else, that it is at least beside a column
const LEGIBLE = 214; // px that a plate is wide at least where there is room

/** @typedef {{ width: number, height: number, count: number, mine: boolean, has: Contents, railed?: boolean, guided?: boolean, letters?: number,
 *   ended?: boolean }} Given */
// axis: around which the hand lies, from its left edge; felt: what lies below a board that has room around it; narrow: whether the question stands in a column.
/** @typedef {{ axis?: number, mode: "ring" | "column" | "strip", scale: number, phone: boolean, low: boolean, narrow?: boolean, letters: number, rail: Rect | null, guide: Rect | null, bar: Rect,
 *   hand: Rect | null, own: Rect | null, seats: Rect[], board: Rect | null, cloth: Rect | null, things: Rect | null, pad: Rect | null, felt?: Rect | null }} Regions */

// The size of a stage in so much room. Where one scrolls in a narrow window, such as a page at four times its size, a
// board is as wide as the window.
/** @param {number} width @param {number} height */
export function fitting(width, height) {
  const least = width >= LOW.width ? LEAST.low : LEAST.height;
  const scrolled = width >= LOW.width ? LEAST.low : LEAST.scrolled;
  return { width: Math.max(LEAST.width, width), height: height < least ? scrolled : height };
}

// count: seats besides the reader's; mine: whether the reader has one; railed: whether there is something to stand in a
// rail; guided: whether a guide, such as a lesson's text, stands there, or above the question where there is no rail;
// letters: how many times as large as usual they are; ended: whether the game is over: the rail has a score sheet, and no
// hand is played from any more.
/** @param {Given} given @returns {Regions} */
export function arrange({
  width,
  height,
  count,
  mine,
  has,
  railed = true,
  guided = false,
  letters = 1,
  ended = false,
}) {
  if (height < LOW.height) {
    const room = { x: 6, y: 6, w: width - 12, h: height - 12 };
    const regions = lowRegions({ room, count, mine, has: ended ? { ...has, hand: false } : has, guided });
    return { mode: "strip", scale: 0.9, phone: true, low: true, letters, rail: null, pad: null, ...regions };
  }
  if (width < PHONE) {
    const room = { x: 6, y: 6, w: width - 12, h: height - 12 };
    const regions = phoneRegions({ room, count, mine, has, railed, guided, letters, ended });
    return { mode: "strip", scale: 0.9, phone: true, low: false, letters, rail: null, ...regions };
  }
  const rail = railed && width >= RAILED ? railWide(width, ended) : 0;
  const scale = Math.min(2.4, Math.max(0.8, Math.min((width - rail) / 1168, height / 856)));
  const px = (/** @type {number} */ size) => Math.round(size * scale);
  const gap = px(8);
  const room = { x: gap, y: gap, w: width - rail - 2 * gap, h: height - 2 * gap };
  const given = { room, gap, px, wide: plateWide(room, px, count), count, mine, has };
  const shape = { ...given, side: aside(given) };
  const plain = { mode: modeOf(shape), scale, phone: false, low: false, letters };
  const { mode } = plain;
  const low = lower(shape, mode);
  const guide = guided && !rail ? over(low.bar, gap, Math.min(Math.max(96, px(104)), Math.round(height * 0.16))) : null;
  const above = { ...room, h: (guide ?? low.bar).y - gap - room.y };
  const roomier = guide && mode === "column" ? guidedBeside(shape, low.bar) : null;
  const lying = { ...shape, room: above };
  /** @type {Pick<Regions, "seats"> & Partial<Regions>} */
  const upper =
    mode === "column"
      ? { ...(roomier ?? beside(lying)), ...plates(mine ? shape : lying) }
      : { ring: around, strip: below }[mode](lying);
  const regions = {
    ...plain,
    rail: rail ? { x: width - rail, y: 0, w: rail, h: height } : null,
    guide,
    board: null,
    cloth: null,
    things: null,
    pad: null,
    ...low,
    ...upper,
  };
  if (has.pad) return { ...regions, ...padRegions({ ...given, hand: heights(given).hand, guide }) };
  if (!regions.board || has.shared) return regions;
  const whole = { ...room, w: width - 2 * gap };
  const column = besideRegions({ ...given, room: whole, letters, hand: heights(given).hand, railed, guided });
  if (!column || column.board.w < SMALLER * regions.board.w) return regions;
  return { ...regions, ...column, mode: "column", narrow: true };
}

// A score sheet wants more room than a log.
/** @param {number} width @param {boolean} ended */
const railWide = (width, ended) =>
  Math.round(
    ended
      ? Math.min(480, Math.max(300, width * 0.2334))
      : Math.min(Math.max(360, width * 0.15), Math.max(272, width * 0.17)),
  );

/** @param {Rect} rect @param {number} gap @param {number} high @returns {Rect} */
const over = ({ x, y, w }, gap, high) => ({ x, y: y - gap - high, w, h: high });

// wide: of a plate; side: width of what stands beside a board.
/** @typedef {{ room: Rect, gap: number, px: (size: number) => number, wide: number, count: number, mine: boolean, has: Contents }} Room */
/** @typedef {Room & { side: number }} Shape */

// Letters do not shrink with a window: plates do as little as the cloth between them allows.
/** @param {Rect} room @param {(size: number) => number} px @param {number} count */
const plateWide = (room, px, count) => Math.max(px(SEAT), Math.min(LEGIBLE, room.w / (sides(count).tops + 3.2)));

/** @param {Shape} shape @returns {"ring" | "column" | "strip"} */
function modeOf({ room, px, count, has }) {
  if (!has.board) return (sides(count).tops + 3.2) * px(SEAT) > room.w ? "strip" : "ring";
  if (!has.shared) return "strip";
  const free = room.w - (room.h - px(has.hand ? 200 : 80)) * has.board;
  return free / 2 >= 180 ? "column" : "strip";
}

// What is left on each side of a board that is as high as it can be.
/** @param {Room} given */
const aside = (given) => {
  const { room, px, gap, has } = given;
  const { bar, hand } = heights(given);
  const high = room.h - bar - hand - gap - (hand && gap);
  const free = room.w - high * has.board;
  return Math.min(px(SEAT + 60), Math.max(px(180), free / 2 - gap));
};

// Of the question and of the hand, where there is more room than on a phone.
/** @param {Room} given */
function heights({ px, mine, has }) {
  const hand = mine && has.hand ? px(has.board ? 132 : 158) : 0;
  return { hand, bar: Math.max(BAR, px(hand ? 66 : 74)) };
}

// The reader's plate, the question and the hand, from the lower edge up. The hand has the axis of what lies above it.
/** @param {Shape} shape @param {"ring" | "column" | "strip"} mode */
function lower(shape, mode) {
  const { room, gap, mine, has, side } = shape;
  const floor = room.y + room.h;
  const { hand, bar } = heights(shape);
  const high = bar + (hand && hand + gap);
  const line = (/** @type {number} */ x, /** @type {number} */ w) => ({
    bar: { x, y: floor - high, w, h: bar },
    hand: hand ? { x, y: floor - hand, w, h: hand } : null,
  });
  const wide = mode === "column" ? side : shape.wide;
  const left = mine ? wide + gap : 0;
  const right = mode === "column" ? 0 : left;
  const lines = line(room.x + left, room.w - left);
  const isLow = hand > 0 && right > 0 && !has.front && ownHigh(has, wide) + EDGES <= bar;
  return {
    own: mine ? { x: room.x, y: floor - high, w: wide, h: isLow ? bar : high } : null,
    ...lines,
    ...(isLow && lines.hand && { hand: { ...lines.hand, x: room.x, w: room.w } }),
    axis: isLow ? undefined : (lines.bar.w - right) / 2,
  };
}

// Around a cloth.
/** @param {Shape} shape */
function around({ room, px, wide, gap, count, has }) {
  const { flanks, tops } = sides(count);
  const plate = Math.max(PLATE, plateHigh(has, { wide, most: 3 }) + 4) * Math.max(1, px(100) / 100);
  const backs = px(70) - 7; // of which a part lies behind the plate
  const above = tops > 0 ? (has.front ? Math.max(px(98), plate) : Math.max(px(74), plate + (has.hand ? backs : 0))) : 0;
  const left = flanks ? wide + gap : 0;
  return {
    seats: seats(count, room, { wide, above, gap, broad: has.front > 0 }),
    cloth: {
      x: room.x + left,
      y: room.y + above + (above && gap),
      w: room.w - 2 * left,
      h: room.h - above - (above && gap),
    },
  };
}

// Plates in a column as high as the table, the reader's lowest and above it their neighbour's.
/** @param {Shape} shape */
function plates({ room, px, gap, count, mine, side }) {
  const all = count + Number(mine);
  const h = Math.min(px(230), (room.h - (all - 1) * gap) / all);
  const seat = { x: room.x, w: side, h };
  return {
    seats: Array.from({ length: count }, (_, n) => ({ ...seat, y: room.y + (count - 1 - n) * (h + gap) })),
    own: mine ? { ...seat, y: room.y + room.h - h } : null,
  };
}

// A board beside plates; what is shared on its other side.
/** @param {Shape} shape */
function beside(shape) {
  const { room, gap, has, side } = shape;
  const wide = Math.min(room.w - 2 * (side + gap), room.h * has.board);
  const x = room.x + side + gap;
  return {
    board: { x, y: room.y, w: wide, h: wide / has.board },
    things: { x: x + wide + gap, y: room.y, w: room.x + room.w - x - wide - gap, h: room.h },
  };
}

// A guide below what is shared, where that is wide enough: then the board is as high as without one.
/** @param {Shape} shape @param {Rect} bar */
function guidedBeside(shape, bar) {
  const { room, px, gap } = shape;
  const upper = beside({ ...shape, room: { ...room, h: bar.y - gap - room.y } });
  const { things } = upper;
  const high = px(GUIDE.high);
  if (things.w < px(GUIDE.wide)) return null;
  const guide = { x: things.x, y: bar.y - gap - high, w: things.w, h: high };
  return { ...upper, things: { ...things, h: things.h - high - gap }, guide };
}

// In a strip above the board or the cloth; what is shared in a row below it.
/** @param {Shape} shape */
function below({ room, px, gap, count, has }) {
  const high = px(74);
  const wide = Math.min(px(440), (room.w - (count - 1) * gap) / count);
  const left = room.x + (room.w - count * (wide + gap) + gap) / 2;
  const seat = (/** @type {number} */ n) => ({ x: left + n * (wide + gap), y: room.y, w: wide, h: high });
  const y = room.y + (count && high + gap);
  const things = has.board && has.shared ? px(104) : 0;
  const free = room.y + room.h - y - (things && things + gap);
  const middle = has.board ? Math.min(room.w, free * has.board) : room.w;
  const tall = has.board ? middle / has.board : free;
  const area = { x: room.x + (room.w - middle) / 2, y: y + (free - tall) / 2, w: middle, h: tall };
  return {
    seats: Array.from({ length: count }, (_, n) => seat(n)),
    [has.board ? "board" : "cloth"]: area,
    things: things ? { ...room, y: room.y + room.h - things, h: things } : null,
  };
}
