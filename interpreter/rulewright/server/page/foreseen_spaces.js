// What an answer does on a board, as far as it did the same when that was asked before: a stone is laid on a space, or
// the piece of the space that was picked before goes on to another one. Only spaces on which nothing lies are foreseen.

import { zoneKey } from "./zones.js";

/** @import { Said } from "./types" */
/** @import { Question, State, Table, Zone } from "./types" */

/** @typedef {{ zone: string, source: string | null, piece: string, times: number }} Seen */
/** @type {Map<string, Seen>} */
const seen = new Map(); // by question; source: null for the space that was picked before

// The spaces that an answer names, with those of the picks before it: the last one is where something happens.
/** @param {Question} asked @param {Said.Answer} given */
function path({ kind, picked }, { take, back, next = [] }) {
  if (kind !== "word" || take.length !== 1 || back) return [];
  return [...picked.map(({ key }) => key).reverse(), ...take, ...next.flat()];
}

/** @param {Table} of @param {Question} asked @param {string[]} keys */
const named = ({ edition, seat }, { words, passage }, keys) =>
  JSON.stringify([edition, seat, words, passage, keys.length]);

// Takes note of what an answer has done. before: the state in which it was given; after: the first one since.
/** @param {Table} of @param {State} before @param {Said.Answer} given @param {State} after */
export function observe(of, before, given, after) {
  if (!before.asked) return;
  const keys = path(before.asked, given);
  const [last, former] = [keys.at(-1), keys.at(-2)];
  if (last === undefined) return;
  const name = named(of, before.asked, keys);
  for (const { source, target, pieces, hidden } of after.moves) {
    const place = after.zones.find((zone) => zoneKey(zone) === target);
    if (place?.word !== last || pieces.length !== 1 || hidden) continue;
    const from = before.zones.find((zone) => zoneKey(zone) === source);
    const known = seen.get(name);
    const isCarried = former !== undefined && from?.zone === place.zone && from.word === former;
    const found = { zone: place.zone, source: isCarried ? null : source, piece: isCarried ? "" : pieces[0] };
    const isSame = known?.zone === found.zone && known.source === found.source && known.piece === found.piece;
    seen.set(name, { ...found, times: isSame ? known.times + 1 : 1 });
    return;
  }
  seen.delete(name);
}

// What goes where by an answer, each with the zone in which it lies, if that is shown; null where that is not sure.
/** @param {Table} of @param {State} state @param {Question} asked @param {Said.Answer} given */
export function onSpaces(of, state, asked, given) {
  const keys = path(asked, given);
  const known = seen.get(named(of, asked, keys));
  const at = (/** @type {string | undefined} */ word) =>
    state.zones.find((zone) => zone.zone === known?.zone && zone.word === word);
  const target = at(keys.at(-1));
  if (!known || !target || target.count) return null;
  if (known.source === null) {
    const source = at(keys.at(-2));
    return source?.pieces?.length === 1 ? { target, source, from: zoneKey(source), piece: source.pieces[0] } : null;
  }
  const source = state.zones.find((zone) => zoneKey(zone) === known.source);
  const isOwn = state.owners[known.piece] === of.seat || known.times > 1;
  if (!isOwn || (source?.pieces && !source.pieces.includes(known.piece))) return null;
  return { target, source, from: known.source, piece: known.piece };
}
