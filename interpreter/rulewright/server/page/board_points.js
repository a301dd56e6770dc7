// A board of points, as in backgammon: two rows of long spaces whose pieces are piled from the outer edges, and whatever lies
// between the rows as a bar.

/** @import { Cell, Grid } from "./board_grid.js" */
/** @import { Board } from "./types" */

export const PILED = 5; // pieces that a point is long
const LONG = 4.6; // times its width
const BETWEEN = 0.5; // the rows, as much

// space: its width; margin: around the board.
/** @param {Board} board @param {{ space: number, margin: number }} measures @returns {Grid} */
export function pointsOf(board, { space, margin }) {
  const long = LONG * space;
  const rows = board.spaces.map(({ row = 0 }) => row);
  const [first, last] = [Math.min(...rows), Math.max(...rows)];
  const bars = board.spaces.filter(({ row = 0 }) => row > first && row < last);
  const bar = bars.length ? Math.max(...bars.map(({ column = 0 }) => column)) : Number.POSITIVE_INFINITY;
  const high = (2 * LONG + BETWEEN) * space;
  /** @param {Cell} cell */
  const box = ({ column = 0, row = 0 }) => {
    const place = bars.findIndex((one) => one.column === column && one.row === row);
    if (place >= 0) return { x: (bar + 1) * space, y: (place * high) / bars.length, w: space, h: high / bars.length };
    const x = (column + Number(column > bar)) * space;
    return { x, y: row <= first ? 0 : high - long, w: space, h: long };
  };
  const columns = Math.max(...board.spaces.map(({ column = 0 }) => column)) + 1;
  return {
    left: -margin,
    top: -margin,
    width: (columns + Number(bars.length > 0)) * space + 2 * margin,
    height: high + 2 * margin,
    box,
    middle: (cell) => {
      const { x, y, w, h } = box(cell);
      return [x + w / 2, y + h / 2];
    },
    corners: (one) => {
      const { x, y, w, h } = box(one);
      return [
        [x, y],
        [x + w, y],
        [x + w, y + h],
        [x, y + h],
      ];
    },
    pile: ({ row = 0 }) => (row <= first ? 1 : row >= last ? -1 : 0),
    turned: false,
  };
}
