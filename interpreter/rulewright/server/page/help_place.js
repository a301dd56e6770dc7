// Where the rule of a question opens: beside what is asked and beside the table's middle, which it speaks of.

/** @import { Regions } from "./arrange.js" */
/** @import { Rect } from "./types" */

const GAP = 8; // px

// From the left and lower edges of the question's bar, as custom properties: in the rail, over the plates at
// the left, or, where the window is too narrow for that, over the plates at the top or over the question itself. Nothing
// where the question stands in a column: it opens above it, over the log.
/** @param {Regions} regions */
export function helpPlace({ mode, bar, rail, phone, board, pad, narrow, seats, own }) {
  const floor = bar.y + bar.h;
  /** @param {Pick<Rect, "x" | "w">} rect */
  const lies = ({ x, w }, foot = 0) => ({
    "--help-x": `${x - bar.x}px`,
    "--help-w": `${w}px`,
    "--help-foot": `${foot}px`,
    "--help-high": `${floor - foot - GAP}px`,
  });
  const top = { ...lies(bar), "--help-down": `calc(100% - ${floor - GAP}px)` };
  if (phone) return rail ? {} : board && !pad ? lies(bar) : top;
  if (rail && rail.x >= bar.x + bar.w) return lies({ x: rail.x + GAP, w: rail.w - 2 * GAP });
  if (pad || (board && mode === "strip" && !narrow)) return top;
  const [plate] = seats;
  return !narrow && plate ? lies(plate, own ? floor - own.y + GAP : 0) : {};
}
