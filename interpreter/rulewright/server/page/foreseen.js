// What an answer surely does is shown before the server says so: a piece lies where it will go. The server's next state
// shows what has come of it, and a refusal lays the piece back.

import { observe, onSpaces } from "./foreseen_spaces.js";
import { zoneKey } from "./zones.js";

/** @import { Said } from "./types" */
/** @import { Question, State, Table, Zone } from "./types" */

/** @type {WeakMap<Said.Answer, State | null>} */
const made = new WeakMap(); // by an answer: what it leads to
/** @type {WeakMap<State, State>} */
const arrived = new WeakMap(); // by a state: the same without the moves that were shown before it
/** @type {{ before: State, moves: State["moves"] } | null} */
let shown = null;
/** @type {{ before: State, given: Said.Answer } | null} */
let awaited = null; // the last answer, until it is seen what it has done

/** @param {State["moves"][number]} move */
const each = ({ source, target, pieces }) => pieces.map((piece) => `${source} ${target} ${piece}`);

// The state with what an answer that is on its way does; else as it is, where nothing is sure or none is given.
/** @param {Table} of @param {State} state @param {Said.Answer | null | undefined} given */
export function withAnswer(of, state, given) {
  if (given && state.asked) {
    awaited = { before: state, given };
    const found = made.has(given) ? made.get(given) : foreseen(of, state, state.asked, given);
    made.set(given, found ?? null);
    if (found) shown = { before: state, moves: found.moves };
    return found ?? state;
  }
  if (awaited && awaited.before !== state) {
    observe(of, awaited.before, awaited.given, state);
    awaited = null;
  }
  if (shown && shown.before !== state) {
    const went = shown.moves.flatMap(each);
    const moves = state.moves.filter((one) => one.hidden || each(one).some((piece) => !went.includes(piece)));
    if (moves.length < state.moves.length) arrived.set(state, { ...state, moves });
    shown = null;
  }
  return arrived.get(state) ?? state;
}

/** @param {Table} of @param {State} state @param {Question} asked @param {Said.Answer} given @returns {State | null} */
export function foreseen(of, state, asked, given) {
  const found = onSpaces(of, state, asked, given);
  return found ? moved(state, asked, found) : cards(of, state, asked, given);
}

// A piece that goes onto a space.
/** @param {State} state @param {Question} asked @param {NonNullable<ReturnType<typeof onSpaces>>} found @returns {State} */
function moved(state, asked, { target, source, from, piece }) {
  const zones = state.zones.map((zone) => {
    if (zone === target) return { ...zone, count: 1, pieces: [piece] };
    return zone === source ? without(zone, piece) : zone;
  });
  const moves = [{ source: from, target: zoneKey(target), pieces: [piece], hidden: 0 }];
  return { ...state, zones, moves, asked: { ...asked, choices: [] } };
}

// Pieces of one's own, or of all, that go to one's own zone, or to that of all.
/** @param {Table} of @param {State} state @param {Question} asked @param {Said.Answer} given @returns {State | null} */
function cards({ seat }, state, asked, { take, back, next }) {
  if (asked.kind !== "piece" || !asked.into || seat === null || !take.length || back || next) return null;
  const isMine = (/** @type {Zone} */ { owner, word }) => (owner === seat || owner === null) && !word;
  const targets = state.zones.filter((zone) => zone.zone === asked.into && isMine(zone));
  if (targets.length !== 1) return null;
  const [target] = targets;
  const zones = new Map(state.zones.map((zone) => [zone, zone]));
  /** @type {State["moves"]} */
  const moves = [];
  for (const key of take) {
    const choice = asked.choices.find((one) => one.key === key);
    const lies = (/** @type {Zone} */ zone) =>
      zone.zone === choice?.zone && isMine(zone) && zones.get(zone)?.pieces?.includes(choice.piece) === true;
    const source = state.zones.find(lies);
    if (!choice || !source || source === target) return null;
    zones.set(source, without(zones.get(source) ?? source, choice.piece));
    const { pieces, count, ...rest } = zones.get(target) ?? target;
    zones.set(target, { ...rest, count: count + 1, pieces: pieces && [...pieces, choice.piece] });
    moves.push({ source: zoneKey(source), target: zoneKey(target), pieces: [choice.piece], hidden: 0 });
  }
  const choices = asked.choices.filter(({ key }) => !take.includes(key)); // they lie in no hand any more, nor in a list
  return { ...state, zones: [...zones.values()], moves, asked: { ...asked, choices } };
}

/** @param {Zone} zone @param {string} piece @returns {Zone} */
function without(zone, piece) {
  const pieces = zone.pieces && [...zone.pieces];
  pieces?.splice(pieces.indexOf(piece), 1);
  return { ...zone, pieces, count: zone.count - 1 };
}
