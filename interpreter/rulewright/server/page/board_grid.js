// Where the spaces of a board with a map lie: as the server says, which draws books alike, and as the board is turned.

/** @import { Board, Space } from "./types" */

export const SPACE = 200; // width of a space, as wide as pictures are
const MARGIN = { plain: 92, edged: 150 };

/** @typedef {[number, number]} Point */
/** @typedef {Pick<Space, "box">} Placed */
/** @typedef {{ x: number, y: number, w: number, h: number }} Box */
// box: the rectangle that a space fills; pile: the way in which what lies there is piled, 1 down from the upper edge, -1 up
// from the lower one, 0 not at all, 2 and -2 flat; bay: where other things lie on the board, such as dice.
/** @typedef {{ left: number, top: number, width: number, height: number, middle: (space: Placed) => Point,
 *   corners: (space: Placed) => Point[], box: (space: Placed) => Box, pile: (space: Space) => number, bay: Box | null, turned: boolean }} Grid */
/** @type {WeakMap<Board, Grid[]>} */
const grids = new WeakMap(); // as it is and turned, once worked out

/** @param {Board} board @param {boolean} [turned] seen from the other side @returns {Grid} */
export function grid(board, turned = false) {
  const known = grids.get(board) ?? [laidOut(board, false), laidOut(board, true)];
  grids.set(board, known);
  return known[Number(turned)];
}

/** @param {Board} board @param {boolean} turned @returns {Grid} */
function laidOut(board, turned) {
  const margin = board.edges.length > 0 ? MARGIN.edged : MARGIN.plain;
  const boxes = board.spaces.map(({ box = [0, 0, SPACE, SPACE] }) => box);
  const [left, top] = [0, 1].map((axis) => Math.min(...boxes.map((one) => one[axis])) - margin);
  const [right, bottom] = [0, 1].map((axis) => Math.max(...boxes.map((one) => one[axis] + one[axis + 2])) + margin);
  const mirrored = board.kind === "points"; // whoever sits there has home on the same hand
  /** @param {Placed} space @returns {Box} */
  const box = ({ box: [x, y, w, h] = [0, 0, SPACE, SPACE] }) =>
    turned ? { x: mirrored ? x : left + right - x - w, y: top + bottom - y - h, w, h } : { x, y, w, h };
  /** @param {Placed} space @returns {Point[]} */
  const corners = (space) => {
    const { x, y, w, h } = box(space);
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
  return {
    left,
    top,
    width: right - left,
    height: bottom - top,
    box,
    corners,
    middle: (space) => {
      const { x, y, w, h } = box(space);
      return [x + w / 2, y + h / 2];
    },
    pile: ({ pile = 0 }) => (turned ? -pile : pile),
    bay: board.bay.length ? box(/** @type {any} */ ({ box: board.bay })) : null,
    turned,
  };
}
