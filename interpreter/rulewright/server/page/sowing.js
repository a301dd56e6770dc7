// Pieces that go from one space of a board to several others, such as seeds that are sown: they are seen to go one by one.

/** @import { Flight } from "./types" */

export const SOWN = { apart: 160, longest: 2400 }; // ms from one to the next, and for all together
const LEAST = 3; // spaces
const still = globalThis.matchMedia?.("(prefers-reduced-motion: reduce)");

/** @param {Pick<Flight, "source" | "target">[]} moves */
export const isSown = (moves) =>
  new Set(moves.map(({ source }) => source)).size === 1 &&
  new Set(moves.map(({ target }) => target)).size >= LEAST &&
  moves.every(({ source, target }) => !source.endsWith("/") && !target.endsWith("/"));

// Milliseconds for which a step is held in which something is sown.
/** @param {import("./types").State["moves"]} moves */
export function sowingTime(moves = []) {
  const count = moves.reduce((sum, { pieces, hidden }) => sum + pieces.length + hidden, 0);
  return !still?.matches && isSown(moves) ? Math.min(SOWN.longest, SOWN.apart * (count + 1)) : 0;
}
