// Where regions lie in a window that is narrow and high, such as a phone's, from the upper edge down: plates in a strip,
// the board or the cloth, what is shared, the question, the reader's plate and hand. Without a hand the reader's plate
// lies at the foot of the board, with the board's buttons at its side.

import { plateHigh } from "./plates.js";

/** @import { Contents } from "./place.js" */
/** @import { Rect } from "./types" */

const GAP = 6;
const EDGE = 4; // px by which a hand reaches further to the window's edges than the rest
const BAR = { alone: 98, least: 112, cloth: 130, most: 146 }; // px high: a question and a row of answers, or two; alone: below a board
const ENDED = { two: 112, several: 128 }; // px high, at the end: who has won, one's own place, and a row of buttons
const HAND = { board: 102, short: 78, cloth: 151 };
const SHORT = 720; // px high: a room in which a board needs what hands and plates can spare
const THINGS = { named: 80, bare: 58 }; // without their names where a hand takes room, too
const CHIP = { others: 22, own: 20 }; // px high, of a line of what lies before people and stands on their plates
const TERSE = 3; // more plates than that are signs and points beside a board and a hand
const GUIDE = 0.16; // of a window's height at most
const BUTTONS = 136; // px wide: a board's
const CHART = 8; // px more at the end, for a chart in the second line of a plate
const LOG = 64; // px that a log is high at least, where a window has room for one

/** @param {{ room: Rect, count: number, mine: boolean, has: Contents, railed: boolean, guided: boolean, letters: number, ended: boolean }} given */
export function phoneRegions(given) {
  const shape = given.ended ? { ...given, has: { ...given.has, hand: false } } : given;
  const { room, mine, has, letters, ended } = shape;
  const held = mine && has.hand;
  const foot = mine && !held && has.board > 0 && !has.pad; // where the reader's plate lies
  const hand = held ? HAND[has.board ? (room.h < SHORT ? "short" : "board") : "cloth"] : 0;
  const lines = plateHigh(has, { wide: room.w - (foot ? BUTTONS : 0), most: foot ? 2 : 1 }) + (ended ? CHART : 0);
  const chips = !has.board && room.h >= SHORT ? has.front : 0;
  const own = mine ? (lines + Math.min(1, chips) * CHIP.own) * letters : 0;
  const guide = shape.guided ? Math.min(97, Math.round(room.h * GUIDE)) : 0;
  const arranged = (/** @type {number} */ high) => {
    const [bar, plate, low] = upwards(room, [high, foot ? 0 : own, hand]);
    const [text] = upwards({ ...room, h: bar.y - GAP - room.y }, [guide]);
    const upper = { ...room, h: (guide ? text.y : bar.y) - GAP - room.y };
    const regions = above({ ...shape, room: upper, short: room.h < SHORT, chips }, foot ? own : 0);
    return {
      bar,
      hand: hand ? { ...low, x: low.x - EDGE, w: low.w + 2 * EDGE } : null,
      own: own ? plate : null,
      guide: guide ? text : null,
      ...regions,
    };
  };
  if (ended) return arranged(given.count > 1 ? ENDED.several : ENDED.two);
  // a board that would be smaller for a question of many words keeps its size: such a question is scrolled
  const most = arranged(has.board || guide ? BAR.most : BAR.cloth);
  const least = foot ? BAR.alone : BAR.least;
  const lack = most.board && !guide ? (arranged(least).board?.h ?? 0) - most.board.h : 0;
  return lack > 0 ? arranged(Math.max(least, BAR.most - lack)) : most;
}

// Rectangles below each other that end at a room's foot.
/** @param {Rect} room @param {number[]} heights */
function upwards(room, heights) {
  const there = heights.filter((high) => high > 0);
  let y = room.y + room.h - there.reduce((sum, high) => sum + high + GAP, -GAP);
  return heights.map((high) => {
    const rect = { ...room, y, h: high };
    y += high && high + GAP;
    return rect;
  });
}

// Plates, the board or the cloth, and what is shared. own: height of the reader's plate at the foot of a board, or 0.
/** @param {{ room: Rect, count: number, mine: boolean, has: Contents, railed: boolean, guided: boolean, letters: number, short: boolean, chips: number }} shape @param {number} own */
function above({ room, count, mine, has, railed, guided, letters, short, chips }, own) {
  const full = has.board > 0 && mine && has.hand;
  const terse = full && count > TERSE;
  const across = Math.max(1, count > 4 && !terse ? Math.ceil(count / 2) : count);
  const wide = (room.w - (across - 1) * GAP) / across;
  const most = (full && short) || chips ? 2 : 3; // small signs go on where figures end
  const high = (plateHigh(has, { wide, most }) + chips * CHIP.others) * letters;
  const rows = Math.ceil(count / across);
  const strip = rows * (high + GAP);
  const seats = (/** @type {number} */ top) =>
    Array.from({ length: count }, (_, n) => ({
      x: room.x + (n % across) * (wide + GAP),
      y: top + Math.floor(n / across) * (high + GAP),
      w: wide,
      h: high,
    }));
  if (has.pad)
    return { seats: seats(room.y), things: null, ...padded({ ...room, y: room.y + strip, h: room.h - strip }, has) };
  if (!has.board)
    return {
      seats: seats(room.y),
      cloth: { ...room, y: room.y + strip, h: room.h - strip },
      board: null,
      things: null,
      pad: null,
    };
  const things = has.shared ? THINGS[full ? "bare" : "named"] : 0;
  const below = (own && own + GAP) + (things && things + GAP);
  const board = Math.min(room.w + 2 * room.x, (room.h - strip - below) * has.board);
  const tall = board / has.board;
  const spare = room.h - strip - tall - below;
  const isLogged = railed && !guided && !things && spare >= LOG + GAP;
  const y = isLogged ? room.y : room.y + spare / 2;
  const foot = y + strip + tall + GAP;
  return {
    rail: isLogged ? { ...room, y: foot + (own && own + GAP), h: spare - GAP } : null,
    seats: seats(y),
    cloth: null,
    board: { x: room.x + (room.w - board) / 2, y: y + strip, w: board, h: tall },
    ...(own ? { own: { ...room, y: foot, w: room.w - BUTTONS, h: own } } : {}),
    pad: null,
    things: things ? { ...room, y: foot + (own && own + GAP), h: things } : null,
  };
}

const ABOVE_PAD = 0.3; // of a room, that a board or a cloth takes at most above a score pad

/** @param {Rect} room @param {Contents} has */
function padded(room, has) {
  const most = room.h * ABOVE_PAD;
  const wide = has.board ? Math.min(room.w, most * has.board) : room.w;
  const tall = has.board ? wide / has.board : most;
  const area = { x: room.x + (room.w - wide) / 2, y: room.y, w: wide, h: tall };
  const pad = { ...room, y: room.y + tall + GAP, h: room.h - tall - GAP };
  return { board: has.board ? area : null, cloth: has.board ? null : area, pad };
}
