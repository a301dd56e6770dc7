// A board that grows with what is laid there: of its map that part is drawn where anything lies, and a row and a column
// more on each side.

/** @import { Board, Space } from "./types" */

const LEAST = 5; // columns and rows

/** @type {WeakMap<Board, Map<string, Board>>} */
const parts = new WeakMap();

// full: the spaces on which something lies; free: others that can be taken.
/** @param {Board} board @param {Space[]} full @param {Space[]} free @returns {Board} */
export function grown(board, full, free) {
  if (board.kind !== "growing" || !(full.length || free.length)) return board;
  const [left, right] = reach(full, free, ({ column = 0 }) => column);
  const [top, bottom] = reach(full, free, ({ row = 0 }) => row);
  const known = parts.get(board) ?? new Map();
  parts.set(board, known);
  const name = [left, top, right, bottom].join(" ");
  const part = known.get(name) ?? {
    ...board,
    spaces: board.spaces.filter(
      ({ column = 0, row = 0 }) => column >= left && column <= right && row >= top && row <= bottom,
    ),
  };
  known.set(name, part);
  return part;
}

/** @param {Space[]} full @param {Space[]} free @param {(space: Space) => number} place @returns {[number, number]} */
function reach(full, free, place) {
  const first = Math.min(...full.map((space) => place(space) - 1), ...free.map(place));
  const last = Math.max(...full.map((space) => place(space) + 1), ...free.map(place));
  const more = Math.max(0, LEAST - (last - first + 1));
  return [first - Math.floor(more / 2), last + Math.ceil(more / 2)];
}
