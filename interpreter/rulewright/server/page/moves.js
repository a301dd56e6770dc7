// What has moved from where to where, worked out from two states of a table that one reader was sent.

import { zoneKey } from "./zones.js";

/** @import { Move, State, Zone } from "./types" */

// A list of moves: the name of a piece, or null where it is not seen, and the zones that it left and came to.
/** @param {State} before @param {State} after @returns {Move[]} */
export function moves(before, after) {
  const was = new Map(before.zones.map((zone) => [zoneKey(zone), zone]));
  /** @typedef {{ name: string | null, zone: Zone }} Change */
  /** @type {Change[]} */
  const lost = [];
  /** @type {Change[]} */
  const gained = [];
  for (const zone of after.zones) {
    const old = was.get(zoneKey(zone));
    if (!old) continue;
    for (const [name, change] of changes(old, zone)) {
      for (let n = 0; n < Math.abs(change); n += 1) (change > 0 ? gained : lost).push({ name, zone });
    }
  }
  return gained.flatMap((gain) => {
    const same = lost.findIndex((loss) => loss.name === gain.name);
    const at = same >= 0 ? same : lost.findIndex((loss) => loss.name === null || gain.name === null);
    if (at < 0) return [];
    const [loss] = lost.splice(at, 1);
    return [{ name: gain.name ?? loss.name, from: loss.zone, to: gain.zone }];
  });
}

/** @param {Zone} old @param {Zone} zone @returns {Iterable<[string | null, number]>} */
function changes(old, zone) {
  if (old.pieces === null || zone.pieces === null) return [[null, zone.count - old.count]];
  /** @type {Map<string, number>} */
  const found = new Map();
  for (const name of zone.pieces) found.set(name, (found.get(name) ?? 0) + 1);
  for (const name of old.pieces) found.set(name, (found.get(name) ?? 0) - 1);
  return found;
}
