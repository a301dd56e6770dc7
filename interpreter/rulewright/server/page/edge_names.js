// Whose a board's coloured edges are: the name of each seat at the lower or right one of its edges. Loaded only for boards
// with such edges, by itself: so it imports nothing.

/** @import { Grid, Point } from "./board_grid.js" */
/** @import { Board, State, Table } from "./types" */

const QUARTER = 90; // degrees
const OUTSIDE = 108; // from an edge to the middle of its name

// Each seat with its name, where that stands, and by how many degrees it is turned.
/** @param {Table} of @param {Pick<State, "owners">} state @param {Board} board @param {Grid} laid */
export function edgeNames(of, { owners }, board, laid) {
  const { left, top, width, height } = laid.upright;
  const [x, y] = [left + width / 2, top + height / 2];
  const way = laid.turned ? -1 : 1;
  const seats = new Map(Object.entries(owners).map(([name, seat]) => [of.pieces[name].paint[0], seat]));
  return [...seats].flatMap(([colour, seat]) => {
    const middles = board.edges
      .filter((edge) => edge[4] === colour)
      .map(([a, b, c, d]) => /** @type {Point} */ ([way * ((a + c) / 2 - x), way * ((b + d) / 2 - y)]));
    const own = middles
      .filter(([across, down]) => isLower(across, down, middles))
      .sort(([a, b], [c, d]) => a - c || b - d);
    if (!own.length) return [];
    const [first, last] = [own[0], own[own.length - 1]];
    const turn = Math.atan2(last[1] - first[1], last[0] - first[0]);
    const out = first[1] + last[1] > Math.tan(turn) * (first[0] + last[0]) ? 1 : -1; // below the line, or above it
    const middle = [0, 1].map((axis) => (first[axis] + last[axis]) / 2);
    const [placeX, placeY] = laid.moved([
      x + middle[0] - out * OUTSIDE * Math.sin(turn),
      y + middle[1] + out * OUTSIDE * Math.cos(turn),
    ]);
    return {
      seat,
      name: of.seats[seat].name,
      x: placeX,
      y: placeY,
      turn: readable(Math.round((180 * turn) / Math.PI) + (laid.width === width ? 0 : QUARTER)),
    };
  });
}

// Degrees by which a name is turned, so that it does not stand on its head.
/** @param {number} turn */
const readable = (turn) => (turn > QUARTER ? turn - 2 * QUARTER : turn);

// Whether an edge is one of those that lie on the lower or the right side.
/** @param {number} across @param {number} down @param {Point[]} all */
function isLower(across, down, all) {
  const [x, y] = all.reduce((most, one) => (one[0] + one[1] > most[0] + most[1] ? one : most));
  return across * x + down * y > 0 && Math.hypot(across - x, down - y) <= Math.hypot(across + x, down + y);
}
