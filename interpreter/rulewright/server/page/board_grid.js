// Where the spaces of a board with a map lie. Books have the same in publish/board_grid.py; a test compares.

/** @import { Board, Space } from "./types" */

export const SPACE = 200; // width of a space, as wide as pictures are
const SIDE = SPACE / Math.sqrt(3); // of a hexagon
const MARGIN = 116;

/** @typedef {ReturnType<typeof laidOut>} Grid */
/** @type {WeakMap<Board, Grid>} */
const grids = new WeakMap(); // once worked out

/** @param {Board} board */
export function grid(board) {
  const known = grids.get(board) ?? laidOut(board);
  grids.set(board, known);
  return known;
}

/** @param {Board} board */
function laidOut(board) {
  const height = board.hexagonal ? 1.5 * SIDE : SPACE;
  const middle = (/** @type {{ column?: number, row?: number }} */ { column = 0, row = 0 }) => [
    column * SPACE + SPACE / 2 + (board.hexagonal && row % 2 ? SPACE / 2 : 0),
    board.hexagonal ? row * height + SIDE : (row + 0.5) * height,
  ];
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
  /** @param {Space} space @returns {[number, number][]} */
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
    deep: board.hexagonal ? 2 * SIDE : SPACE,
  };
}
