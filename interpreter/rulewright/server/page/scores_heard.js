// The points of each round, as the server has told them last, and who is asked for them (see `score_sheet.js`).

/** @import { RoundPoints } from "./protocol" */
/** @import { Send } from "./types" */

/** rounds; asked: how many steps the game had when they were asked for; ask: null in a lesson, which keeps none.
 * @type {{ asked: number, rounds: RoundPoints[], ask: Send | null }} */
export const known = { asked: -1, rounds: [], ask: null };

// Who is asked for the points of a game that goes on.
/** @param {Send | null} send */
export function askForScores(send) {
  known.ask = send;
}

/** @param {number} steps @param {RoundPoints[]} rounds */
export function heardScores(steps, rounds) {
  known.asked = Math.max(known.asked, steps);
  known.rounds = rounds;
}
