// What a reader is shown: a document that the server changes, and what stands in it as a page draws it.

import * as defaults from "./defaults.js";
import { withMarks } from "./marked.js";
import { number, say } from "./words.js";

/** @import * as protocol from "./protocol" */
/** @import { Board, ChainPick, Choice, LinePart, LogLine, Question, State, Table, TableDocument } from "./types" */

// What a seat sees of the game: what everybody does, but for what is its own, of zones and scores those that are named.
/** @param {protocol.Now} now @param {Partial<protocol.Now>} [own] @returns {protocol.Now} */
export function seenWith(now, own = {}) {
  const { zones = {}, scores = {} } = own;
  return { ...now, ...own, zones: { ...now.zones, ...zones }, scores: { ...now.scores, ...scores } };
}

// The table as it is: what was left out is as usual. What the server has not changed is the same object as before, by
// which parts of the page know that they need not be drawn again.
/** @param {protocol.Now} shown @param {Table} of @returns {State} */
export function now(shown, of) {
  const { zones = {}, scores = {}, standings = [], counters = defaults.Now.counters, asked = null } = shown;
  return {
    ...defaults.Now,
    ...shown,
    zones: laidAside(
      Object.values(zones).map((zone) => zoneNow(zone)),
      shown,
      of.seat,
    ),
    scores: of.seats.map((_, seat) => (scores[seat] ? scoreNow(scores[seat]) : null)),
    moves: movesNow(shown.moves ?? NONE),
    standings: standings.map((placed) => ({ ...defaults.Placed, ...placed })),
    counters: of.seats[of.seat ?? -1]?.name === say("you") ? countersNow(counters, of) : counters,
    asked: asked && askedNow(asked, of),
  };
}

// What the reader has chosen under seal lies already where it will go.
/** @param {Required<protocol.ZoneNow>[]} zones @param {protocol.Now} shown @param {number | null} seat */
function laidAside(zones, { sealed = [], laid }, seat) {
  const isSource = (/** @type {Required<protocol.ZoneNow>} */ { zone, owner, pieces }) =>
    owner === seat && zone !== laid && sealed.every((name) => pieces?.includes(name));
  const source = laid && zones.find(isSource);
  if (!source) return zones;
  return zones.map((one) => {
    const pieces = one.pieces && [...one.pieces];
    if (one === source) for (const name of sealed) pieces?.splice(pieces.indexOf(name), 1);
    else if (one.zone !== laid || (one.owner ?? seat) !== seat) return one;
    else pieces?.push(...sealed);
    return { ...one, pieces, count: pieces ? pieces.length : one.count + sealed.length };
  });
}

const zoneNow = once((/** @type {protocol.ZoneNow} */ zone) => ({ ...defaults.ZoneNow, ...zone }));
/** @type {protocol.Move[]} */
const NONE = [];
const movesNow = once((/** @type {protocol.Move[]} */ moves) => moves.map((move) => ({ ...defaults.Move, ...move })));
const scoreNow = once((/** @type {protocol.ScoreNow} */ score) => ({ ...defaults.ScoreNow, ...score }));
// Counters, where one who has no name is called in them as on the plates.
const countersNow = once((/** @type {State["counters"]} */ counters, /** @type {Table} */ of) => {
  /** @type {(held: any) => any} */
  const called = (held) => (held === say("guest") ? say("you") : Array.isArray(held) ? held.map(called) : held);
  const entries = Object.entries(counters);
  return Object.fromEntries(
    entries.map(([name, held]) => [name, of.counters[name].holds === "seat" ? called(held) : held]),
  );
});
const askedNow = once(
  /** @type {(asked: protocol.Asked, of: Table) => Question} */ (asked, of) => ({
    ...defaults.Asked,
    ...asked,
    choices: asked.choices.map((told) => choice(told, asked, of)),
    picked: (asked.picked ?? []).map((pick) => chainPick(pick, of)),
    finish: asked.finish ? chainPick(asked.finish, of) : null,
  }),
);

// One question of a chain, with its choices.
/** @param {protocol.ChainPick} pick @param {Table} of @returns {ChainPick} */
export const chainPick = (pick, of) => ({
  ...defaults.ChainPick,
  ...pick,
  choices: pick.choices.map((told) => choice(told, pick, of)),
});

// A function that makes one thing of each object, and once again only for another table.
/** @template {object} T @template U @param {(one: T, of: any) => U} make @returns {(one: T, of?: Table | null) => U} */
function once(make) {
  const found = new WeakMap();
  return (one, of = null) => {
    if (found.get(one)?.of !== of || !found.has(one)) found.set(one, { of, made: make(one, of) });
    return found.get(one).made;
  };
}

// An answer: what all of them have in common is said once, and what its key names is not said again.
/** @param {protocol.Offered} told @param {protocol.Asked | protocol.ChainPick} asked @param {Table} of @returns {Choice} */
function choice(told, { kind, zone = "", words = "" }, of) {
  const piece = told.piece ?? (kind === "piece" && told.key in of.pieces ? told.key : "");
  const word = told.word ?? (kind === "word" ? told.key : "");
  return {
    ...defaults.Offered,
    zone,
    words,
    label: piece ? of.pieces[piece].label : told.key,
    ...told,
    piece,
    word,
  };
}

// A line of the log: its text, and the parts that tell what it names.
/** @param {protocol.Line} told @returns {LogLine} */
export function line({ text = "", parts, ...rest }) {
  const { count } = defaults.NamedPart;
  const found = (parts ?? [text]).map((part) => (typeof part === "string" ? { text: part } : { count, ...part }));
  return {
    ...defaults.Line,
    ...rest,
    text: found.map((part) => part.text).join(""),
    parts: /** @type {LinePart[]} */ (found),
  };
}

// Of a table, what everybody at it is: who sits there, and what it is made of.
/** @param {TableDocument} document @returns {Table} */
export function about({ table, now: _, own: __, links, ...rest }) {
  // Whoever has not said how they are called is 'You' on their own screen, as in what has happened.
  const called = (/** @type {string} */ name, /** @type {number} */ seat) =>
    seat === rest.seat && name === say("guest") ? say("you") : name;
  const seats = rest.seats.map((seat, n) => ({ ...defaults.Sitting, ...seat, name: called(seat.name, n) }));
  /** @type {any} */
  const made = {
    seat: null,
    inviter: "",
    clock: 0,
    chosen: {},
    notices: [],
    ...rest,
    seats,
    ...(links && { ...defaults.HostLinks, ...links }),
    ...table,
  };
  if (!made.pieces) return made;
  return {
    ...made,
    pieces: withMarks(made.pieces, made.marks, seats),
    boards: made.boards.map((/** @type {Board} */ board) => numbered(board, made.seat ?? 0)),
  };
}

/** @type {WeakMap<Board, Map<number, Board>>} */
const boardsOf = new WeakMap();

// A board with its spaces called by their numbers as a seat counts them, where it does.
/** @param {Board} board @param {number} seat @returns {Board} */
function numbered(board, seat) {
  if (!board.spaces.some(({ numbers }) => numbers)) return board;
  const known = boardsOf.get(board) ?? new Map();
  boardsOf.set(board, known);
  const spaces = () =>
    board.spaces.map((space) => ({
      ...space,
      label: space.numbers?.[seat] ? number(space.numbers[seat]) : space.label,
    }));
  if (!known.has(seat)) known.set(seat, { ...board, spaces: spaces() });
  return known.get(seat);
}
