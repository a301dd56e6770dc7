// Where the spaces of a board with a map lie. Books have the same in publish/board_grid.py; a test compares.

import { pointsOf } from "./board_points.js";

/** @import { Board, Space } from "./types" */

export const SPACE = 200; // width of a space, as wide as pictures are
const SIDE = SPACE / Math.sqrt(3); // of a hexagon
const MARGIN = 116;

/** @typedef {[number, number]} Point */
/** @typedef {{ x: number, y: number, w: number, h: number }} Box */
/** @typedef {{ column?: number, row?: number }} Cell */
// box: the rectangle that a space fills; pile: the way in which what lies there is piled, 1 down from the upper edge, -1 up
// from the lower one, 0 not at all.
/** @typedef {{ left: number, top: number, width: number, height: number, middle: (cell: Cell) => Point,
 *   corners: (space: Space) => Point[], box: (cell: Cell) => Box, pile: (cell: Cell) => number, turned: boolean }} Grid */
/** @type {WeakMap<Board, Grid[]>} */
const grids = new WeakMap(); // as it is and turned, once worked out

/** @param {Board} board @param {boolean} [turned] seen from the other side @returns {Grid} */
export function grid(board, turned = false) {
  const known =
    grids.get(board) ??
    bothWays(board.kind === "points" ? pointsOf(board, { space: SPACE, margin: MARGIN }) : laidOut(board));
  grids.set(board, known);
  return known[Number(turned)];
}

/** @param {Grid} laid */
const bothWays = (laid) => [laid, turn(laid)];

// The same board from the other side.
/** @param {Grid} laid @returns {Grid} */
function turn(laid) {
  const across = 2 * laid.left + laid.width;
  const down = 2 * laid.top + laid.height;
  const opposite = (/** @type {Point} */ [x, y]) => /** @type {Point} */ ([across - x, down - y]);
  return {
    ...laid,
    turned: true,
    middle: (cell) => opposite(laid.middle(cell)),
    corners: (space) => laid.corners(space).map(opposite),
    box: (cell) => {
      const { x, y, w, h } = laid.box(cell);
      return { x: across - x - w, y: down - y - h, w, h };
    },
    pile: (cell) => -laid.pile(cell),
  };
}

/** @param {Board} board @returns {Grid} */
function laidOut(board) {
  const height = board.hexagonal ? 1.5 * SIDE : SPACE;
  /** @param {Cell} cell @returns {Point} */
  const middle = ({ column = 0, row = 0 }) => [
    column * SPACE + SPACE / 2 + (board.hexagonal && row % 2 ? SPACE / 2 : 0),
    board.hexagonal ? row * height + SIDE : (row + 0.5) * height,
  ];
  const deep = board.hexagonal ? 2 * SIDE : SPACE;
  const half = SPACE / 2;
  const ends = board.hexagonal
    ? [
        [0, -SIDE],
        [half, -SIDE / 2],
        [half, SIDE / 2],
        [0, SIDE],
        [-half, SIDE / 2],
        [-half, -SIDE / 2],
      ]
    : [
        [-half, -half],
        [half, -half],
        [half, half],
        [-half, half],
      ];
  /** @param {Space} space @returns {Point[]} */
  const corners = (space) => {
    const [x, y] = middle(space);
    return ends.map(([dx, dy]) => [Math.round(x + dx), Math.round(y + dy)]);
  };
  const all = board.spaces.flatMap(corners);
  const [left, top] = [0, 1].map((axis) => Math.min(...all.map((at) => at[axis])) - MARGIN);
  const [right, bottom] = [0, 1].map((axis) => Math.max(...all.map((at) => at[axis])) + MARGIN);
  return {
    middle,
    corners,
    left,
    top,
    width: right - left,
    height: bottom - top,
    box: (cell) => {
      const [x, y] = middle(cell);
      return { x: x - SPACE / 2, y: y - deep / 2, w: SPACE, h: deep };
    },
    pile: () => 0,
    turned: false,
  };
}
