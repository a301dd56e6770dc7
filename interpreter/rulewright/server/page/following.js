// What is meant for a question that has not come yet: where something goes that was picked, or dropped, a moment ago.

/** @import { Choice, Picking } from "./types" */

const PATIENCE = 3000; // ms, for which it waits for its question

/** @typedef {{ key: string, fits: (choice: Choice) => boolean, lets: boolean, until: number }} Meant */

/** @type {Meant[]} */
let meant = [];

// Waits until what has a key is picked. lets: where nothing fits then, it is let go. afterwards: what was meant before
// holds, and leads to this.
/** @param {string} key @param {(choice: Choice) => boolean} fits @param {{ lets?: boolean, afterwards?: boolean }} [how] */
export function follow(key, fits, { lets = false, afterwards = false } = {}) {
  meant = [...(afterwards ? meant : []), { key, fits, lets, until: performance.now() + PATIENCE }];
}

// Called when the page is drawn: what was meant for another question answers it.
/** @param {Picking} picking */
export function settle(picking) {
  const [first, ...others] = meant;
  if (!first) return;
  if (performance.now() > first.until) meant = [];
  if (picking.asked.picked[0]?.key !== first.key) return;
  meant = others;
  const choice = picking.find(first.fits);
  if (choice) picking.take(choice);
  else if (first.lets) picking.letGo();
}
