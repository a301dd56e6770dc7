// Whose turn it is at the tables of this device, asked of the server now and then: tokens go in the body of a request,
// never into an address.

import { finishTable, savedTables } from "./saved_tables.js";

/** @import { Redraw, Turn } from "./types" */

const EVERY = 20_000; // milliseconds
const MOST = 60; // links

/** @type {Map<string, Turn> | null} */
let found = null; // hash -> { yours, waiting }; null while nothing is known

/** @param {string} hash */
/** @type {(hash: string) => Turn} */
export const turnAt = (hash) => found?.get(hash) ?? {};
export const turnsHere = () => found && savedTables().filter((one) => turnAt(one.hash).yours).length;

// redraw: what to do when something is new.
/** @param {Redraw} redraw */
export function watchTurns(redraw) {
  const again = () => {
    if (!document.hidden) ask().then(redraw, () => {});
  };
  setInterval(again, EVERY);
  document.addEventListener("visibilitychange", again);
  again();
}

async function ask() {
  const links = savedTables()
    .filter((one) => !one.over)
    .flatMap(({ hash }) =>
      hash
        .slice(1)
        .split(",")
        .map((token) => [hash, token]),
    )
    .slice(0, MOST);
  if (!links.length) return;
  const answer = await fetch("/turns", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ tokens: links.map(([, token]) => token) }),
  });
  if (!answer.ok) return;
  const { turns } = await answer.json();
  const fresh = new Map();
  links.forEach(([hash], index) => {
    const { yours = false, over = false, waiting = [] } = turns[index] ?? {};
    if (over) finishTable(hash);
    fresh.set(hash, {
      yours: yours || Boolean(fresh.get(hash)?.yours),
      waiting: waiting.length ? waiting : (fresh.get(hash)?.waiting ?? []),
    });
  });
  found = fresh;
}
