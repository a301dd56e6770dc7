// What is meant for a question that has not come yet: where something goes that was picked, or dropped, a moment ago.

/** @import { Choice, Picking } from "./types" */

const PATIENCE = 3000; // ms, for which it waits for its question

/** @typedef {{ key: string, fits: (choice: Choice) => boolean, lets: boolean, until: number }} Meant */

/** @type {Meant | null} */
let meant = null;

// Waits until what has a key is picked. lets: where nothing fits then, it is let go.
/** @param {string} key @param {(choice: Choice) => boolean} fits @param {boolean} [lets] */
export function follow(key, fits, lets = false) {
  meant = { key, fits, lets, until: performance.now() + PATIENCE };
}

// Called when the page is drawn: what was meant for another question answers it.
/** @param {Picking} picking */
export function settle(picking) {
  if (!meant) return;
  const { key, fits, lets, until } = meant;
  if (performance.now() > until) meant = null;
  if (picking.asked.picked[0]?.key !== key) return;
  meant = null;
  const choice = picking.find(fits);
  if (choice) picking.take(choice);
  else if (lets) picking.letGo();
}
