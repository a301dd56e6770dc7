// Where the regions of the stage lie in a window: rectangles that do not lie over each other. They follow from what the
// table is made of and from how many sit there, never from what is asked.

import { LOW, lowRegions } from "./arrange_low.js";
import { seats, sides } from "./ring.js";

/** @import { Contents } from "./place.js" */
/** @import { Rect } from "./types" */

const LEAST = { width: 320, height: 520, low: 340 }; // of a stage; where there is less, one scrolls
const PHONE = 640;
const RAILED = 1200;
const SEAT = 214;

/** @typedef {{ width: number, height: number, count: number, mine: boolean, has: Contents, railed?: boolean, guided?: boolean, letters?: number }} Given */
/** @typedef {{ mode: "ring" | "column" | "strip", scale: number, phone: boolean, low: boolean, letters: number, rail: Rect | null, guide: Rect | null, bar: Rect,
 *   hand: Rect | null, own: Rect | null, seats: Rect[], board: Rect | null, cloth: Rect | null, things: Rect | null, pad: Rect | null }} Regions */

// The size of a stage in so much room.
/** @param {number} width @param {number} height */
export function fitting(width, height) {
  const least = width >= LOW.width ? LEAST.low : LEAST.height;
  return { width: Math.max(LEAST.width, width), height: Math.max(least, height) };
}

// count: seats besides the reader's; mine: whether the reader has one; railed: whether there is something to stand in a
// rail; guided: whether a guide, such as a lesson's text, stands there, or above the question where there is no rail;
// letters: how many times as large as usual they are.
/** @param {Given} given @returns {Regions} */
export function arrange({ width, height, count, mine, has, railed = true, guided = false, letters = 1 }) {
  if (height < LOW.height) {
    const room = { x: 6, y: 6, w: width - 12, h: height - 12 };
    const regions = lowRegions({ room, count, mine, has, guided });
    return { mode: "strip", scale: 0.9, phone: true, low: true, letters, rail: null, pad: null, ...regions };
  }
  const phone = width < PHONE;
  const rail =
    railed && width >= RAILED ? Math.round(Math.min(Math.max(360, width * 0.15), Math.max(272, width * 0.17))) : 0;
  const scale = Math.min(2.4, Math.max(phone ? 0.9 : 0.8, Math.min((width - rail) / 1168, height / 856)));
  const px = (/** @type {number} */ size) => Math.round(size * scale);
  const gap = phone ? 6 : px(8);
  const room = { x: gap, y: gap, w: width - rail - 2 * gap, h: height - 2 * gap };
  const given = { room, gap, px, phone, count, mine, has };
  const shape = { ...given, side: aside(given) };
  const mode = modeOf(shape);
  const low = lower(shape, mode);
  const guide = guided && !rail ? over(low.bar, gap, Math.min(px(phone ? 108 : 104), Math.round(height * 0.16))) : null;
  const above = { ...room, h: (guide ?? low.bar).y - gap - room.y };
  const upper = { ring: around, column: beside, strip: below }[mode]({ ...shape, room: above });
  return {
    mode,
    scale,
    phone,
    low: false,
    letters,
    rail: rail ? { x: width - rail, y: 0, w: rail, h: height } : null,
    guide,
    board: null,
    cloth: null,
    things: null,
    pad: null,
    ...low,
    ...upper,
  };
}

/** @param {Rect} rect @param {number} gap @param {number} high @returns {Rect} */
const over = ({ x, y, w }, gap, high) => ({ x, y: y - gap - high, w, h: high });

// side: width of what stands beside a board.
/** @typedef {{ room: Rect, gap: number, px: (size: number) => number, phone: boolean, count: number, mine: boolean, has: Contents }} Room */
/** @typedef {Room & { side: number }} Shape */

/** @param {Shape} shape @returns {"ring" | "column" | "strip"} */
function modeOf({ room, px, phone, count, has }) {
  if (phone || has.pad) return "strip";
  if (!has.board) return (sides(count).tops + 3.2) * px(SEAT) > room.w ? "strip" : "ring";
  const free = room.w - (room.h - px(has.hand ? 200 : 80)) * has.board;
  return free / 2 >= 180 ? "column" : "strip";
}

// What is left beside a board that is as high as it can be.
/** @param {Room} given */
const aside = (given) => {
  const { room, px, gap, has } = given;
  const { bar, hand } = heights(given);
  const high = room.h - bar - hand - gap - (hand && gap);
  return Math.min(px(SEAT + 60), Math.max(px(180), (room.w - high * has.board) / 2 - gap));
};

// Of the question and of the hand, where there is more room than on a phone.
/** @param {Room} given */
function heights({ px, mine, has }) {
  const hand = mine && has.hand ? px(has.board ? 132 : 158) : 0;
  return { hand, bar: px(hand ? 66 : 74) };
}

// The reader's plate, the question and the hand, from the lower edge up.
/** @param {Shape} shape @param {"ring" | "column" | "strip"} mode */
function lower(shape, mode) {
  const { room, gap, px, phone, mine, has } = shape;
  const floor = room.y + room.h;
  if (phone) {
    const hand = mine && has.hand ? px(has.board ? 118 : 168) : 0;
    const own = mine ? px(44) : 0;
    const y = floor - hand - (hand && gap) - own;
    const bar = px(132);
    return {
      hand: hand ? { ...room, y: floor - hand, h: hand } : null,
      own: own ? { ...room, y, h: own } : null,
      bar: { ...room, y: y - (own && gap) - bar, h: bar },
    };
  }
  const wide = mode === "column" ? shape.side : px(SEAT);
  const left = mine ? wide + gap : 0;
  const { hand, bar } = heights(shape);
  const high = bar + (hand && hand + gap);
  const right = { ...room, x: room.x + left, w: room.w - left };
  return {
    own: mine ? { x: room.x, y: floor - high, w: wide, h: high } : null,
    bar: { ...right, y: floor - high, h: bar },
    hand: hand ? { ...right, y: floor - hand, h: hand } : null,
  };
}

// Around a cloth.
/** @param {Shape} shape */
function around({ room, px, gap, count, has }) {
  const [wide, { flanks, tops }] = [px(SEAT), sides(count)];
  const above = tops > 0 ? px(has.front ? 112 : has.hand ? 124 : 74) : 0;
  const left = flanks ? wide + gap : 0;
  return {
    seats: seats(count, room, { wide, above, gap }),
    cloth: {
      x: room.x + left,
      y: room.y + above + (above && gap),
      w: room.w - 2 * left,
      h: room.h - above - (above && gap),
    },
  };
}

// In a column beside a board, the reader's neighbour lowest; what is shared on its other side.
/** @param {Shape} shape */
function beside({ room, px, gap, count, has, side }) {
  const wide = Math.min(room.w - 2 * (side + gap), room.h * has.board);
  const high = Math.min(px(230), (room.h - (count - 1) * gap) / count);
  const seat = (/** @type {number} */ n) => ({
    x: room.x,
    y: room.y + (count - 1 - n) * (high + gap),
    w: side,
    h: high,
  });
  const x = has.shared ? room.x + side + gap : room.x + side + gap + (room.w - 2 * (side + gap) - wide) / 2;
  return {
    seats: Array.from({ length: count }, (_, n) => seat(n)),
    board: { x, y: room.y, w: wide, h: wide / has.board },
    things: has.shared ? { x: x + wide + gap, y: room.y, w: room.x + room.w - x - wide - gap, h: room.h } : null,
  };
}

// In a strip above the board or the cloth; what is shared in a row below it.
/** @param {Shape} shape */
function below({ room, px, gap, phone, count, has }) {
  const across = Math.max(1, phone && count > 4 ? Math.ceil(count / 2) : count);
  const [high, rows] = [px(phone ? 58 : 74), Math.ceil(count / across)];
  const wide = Math.min(phone ? room.w : px(440), (room.w - (across - 1) * gap) / across);
  const left = room.x + (room.w - across * (wide + gap) + gap) / 2;
  const seat = (/** @type {number} */ n) => ({
    x: left + (n % across) * (wide + gap),
    y: room.y + Math.floor(n / across) * (high + gap),
    w: wide,
    h: high,
  });
  const y = room.y + rows * (high + gap);
  const things = has.board && has.shared ? px(phone ? 84 : 104) : 0;
  const free = room.y + room.h - y - (things && things + gap);
  const middle = has.board ? Math.min(room.w, free * has.board) : room.w;
  const tall = has.board ? middle / has.board : free;
  const whole = { ...room, y, h: free };
  const { pad, rest } = has.pad ? padded(whole, px, gap, phone, count, has.board) : { pad: null, rest: null };
  const area = rest ?? { x: room.x + (room.w - middle) / 2, y: y + (free - tall) / 2, w: middle, h: tall };
  return {
    pad,
    seats: Array.from({ length: count }, (_, n) => seat(n)),
    [has.board ? "board" : "cloth"]: area,
    things: things ? { ...room, y: room.y + room.h - things, h: things } : null,
  };
}

// A score pad below a board or cloth, or beside it where there is room.
/** @param {Rect} room @param {(size: number) => number} px @param {number} gap @param {boolean} phone @param {number} count @param {number} board */
function padded(room, px, gap, phone, count, board) {
  const wide = phone ? room.w : Math.min(room.w * 0.55, px(170 + 84 * (count + 1)));
  const w = phone ? room.w : room.w - wide - gap;
  const most = phone ? room.h * 0.3 : room.h;
  const fit = board ? Math.min(w, most * board) : w;
  const tall = board ? fit / board : most;
  const rest = { x: room.x + (w - fit) / 2, y: room.y + (phone ? 0 : (room.h - tall) / 2), w: fit, h: tall };
  const y = phone ? room.y + tall + gap : room.y;
  return { pad: { x: room.x + room.w - wide, y, w: wide, h: room.y + room.h - y }, rest };
}
