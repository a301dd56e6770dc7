// Where the spaces of a board with a map lie: as the server says, which draws books alike, and as the board is turned.

/** @import { Board, Space } from "./types" */

export const SPACE = 200; // width of a space, as wide as pictures are
const MARGIN = { plain: 92, edged: 150, points: 136 };
const SHORTER = 0.9; // times as long as else are points where they lie across a narrow and high window
const narrow = globalThis.matchMedia?.("(max-width: 40rem) and (orientation: portrait)");

/** @typedef {[number, number]} Point */
/** @typedef {Pick<Space, "box">} Placed */
/** @typedef {{ x: number, y: number, w: number, h: number }} Box */
// box: the rectangle that a space fills; pile: the way in which what lies there is piled, 1 down from the upper edge, -1 up
// from the lower one, 0 not at all, 2 and -2 flat; bay: where other things lie on the board, such as dice; rim: at its edge,
// between the trays; upright: as it would lie without a quarter turn; moved: where such a point lies; standing: what moves a
// drawing of it there, or ''; over: what moves a drawing of the server's there.
/** @typedef {{ left: number, top: number, width: number, height: number, middle: (space: Placed) => Point,
 *   corners: (space: Placed) => Point[], box: (space: Placed) => Box, pile: (space: Space) => number, bay: Box | null, rim: Box | null, turned: boolean,
 *   upright: Frame, moved: (point: Point) => Point, standing: string, over: string }} Grid */
/** @typedef {{ left: number, top: number, width: number, height: number, middle: (space: Placed) => Point, box: (space: Placed) => Box }} Frame */
/** @type {WeakMap<Board, Grid[]>} */
const grids = new WeakMap(); // as it is, turned, for a narrow window, and both, once worked out

// turned: seen from the other side; lies: stands upright in no window.
/** @param {Board} board @param {boolean} [turned] @param {boolean} [lies] @returns {Grid} */
export function grid(board, turned = false, lies = false) {
  const slim = !lies && Boolean(narrow?.matches);
  const known = grids.get(board) ?? [];
  grids.set(board, known);
  const place = Number(turned) + (slim ? 2 : 0);
  known[place] ??= laidFor(board, turned, slim);
  return known[place];
}

const LYING = { ratio: 1.4, spaces: 8 };

// A wide board of many spaces stands upright in a window that is narrow and high.
/** @param {Board} board @param {boolean} turned @param {boolean} slim @returns {Grid} */
function laidFor(board, turned, slim) {
  const across = slim && board.kind === "points";
  const laid = laidOut(board, turned, across ? SHORTER : 1);
  const isLying = laid.width > (across ? 1 : LYING.ratio) * laid.height && laid.width > LYING.spaces * SPACE;
  return slim && isLying && STANDING.includes(board.kind) ? quarter(laid) : laid;
}

const STANDING = ["hex", "pits", "points", "squares", "crossings", ""];

// A board turned by a quarter, so that what was on the right lies below.
/** @param {Grid} laid @returns {Grid} */
function quarter(laid) {
  const { left, top, width, height } = laid;
  const bottom = top + height;
  /** @type {(point: Point) => Point} */
  const moved = ([x, y]) => [bottom - y, x - left];
  const lie = (/** @type {Box} */ { x, y, w, h }) => ({ x: bottom - y - h, y: x - left, w: h, h: w });
  const standing = `matrix(0 1 -1 0 ${bottom} ${-left})`;
  return {
    ...laid,
    left: 0,
    top: 0,
    width: height,
    height: width,
    box: (space) => lie(laid.box(space)),
    corners: (space) => laid.corners(space).map(moved),
    middle: (space) => moved(laid.middle(space)),
    bay: laid.bay && lie(laid.bay),
    rim: laid.rim && lie(laid.rim),
    moved,
    standing,
    over: `${standing} ${laid.over}`,
  };
}

const PLACE = 0.36; // radius of a place that roads lead to, of its box

/** @param {number} x @param {number} y @param {number} radius @returns {Point[]} */
const round = (x, y, radius) =>
  Array.from({ length: 32 }, (_, n) => [
    Math.round(x + radius * Math.cos((n * Math.PI) / 16)),
    Math.round(y + radius * Math.sin((n * Math.PI) / 16)),
  ]);

/** @param {Board} board @returns {number} */
function marginOf({ kind, edges }) {
  if (kind === "points") return MARGIN.points;
  return edges.length > 0 ? MARGIN.edged : MARGIN.plain;
}

/** @param {Board} board @param {boolean} turned @param {number} high times as high as the server says @returns {Grid} */
function laidOut(board, turned, high) {
  const margin = marginOf(board);
  /** @param {Placed} space @returns {[number, number, number, number]} */
  const place = ({ box: [x, y, w, h] = [0, 0, SPACE, SPACE] }) => [x, y * high, w, h * high];
  const boxes = board.spaces.map(place);
  const [left, top] = [0, 1].map((axis) => Math.min(...boxes.map((one) => one[axis])) - margin);
  const [right, bottom] = [0, 1].map((axis) => Math.max(...boxes.map((one) => one[axis] + one[axis + 2])) + margin);
  const mirrored = board.kind === "points"; // whoever sits there has home on the same hand
  /** @param {Placed} space @returns {Box} */
  const box = (space) => {
    const [x, y, w, h] = place(space);
    return turned ? { x: mirrored ? x : left + right - x - w, y: top + bottom - y - h, w, h } : { x, y, w, h };
  };
  /** @param {Placed} space @returns {Point[]} */
  const corners = (space) => {
    const { x, y, w, h } = box(space);
    if (board.kind === "places") return round(x + w / 2, y + h / 2, w * PLACE);
    const points = board.hexagonal
      ? [
          [x + w / 2, y],
          [x + w, y + h / 4],
          [x + w, y + (3 * h) / 4],
          [x + w / 2, y + h],
          [x, y + (3 * h) / 4],
          [x, y + h / 4],
        ]
      : [
          [x, y],
          [x + w, y],
          [x + w, y + h],
          [x, y + h],
        ];
    return points.map(([across, down]) => [Math.round(across), Math.round(down)]);
  };
  const tray = board.spaces.findIndex(({ pile = 0 }) => Math.abs(pile) > 1);
  const [, between = 0, , room = 0] = board.bay;
  /** @type {Frame} */
  const upright = {
    left,
    top,
    width: right - left,
    height: bottom - top,
    middle: (space) => {
      const { x, y, w, h } = box(space);
      return [x + w / 2, y + h / 2];
    },
    box,
  };
  return {
    ...upright,
    corners,
    pile: ({ pile = 0 }) => (turned ? -pile : pile),
    bay: board.bay.length === 4 ? box({ box: board.bay }) : null,
    rim: board.bay.length === 4 && tray >= 0 ? box({ box: [boxes[tray][0], between, boxes[tray][2], room] }) : null,
    turned,
    upright,
    moved: (point) => point,
    standing: "",
    over: `rotate(${turned ? 180 : 0} ${(left + right) / 2} ${(top + bottom) / 2})`,
  };
}
