// Where things belong on the stage: each zone in one region, by what the edition declares, by the seats and by who
// looks. The open question is never read, so that nothing moves when another one comes.

import { grid } from "./board_grid.js";
import { figuresWide } from "./plates.js";
import { isLaid } from "./switches.js";

/** @import { Choice, State, Table, Zone } from "./types" */

// hidden: nowhere; board: on its spaces; hand: at the lower edge; offer: on the cloth before its owner; front: before
// its owner; plate: a number beside the name; deck, focus, market, things: in the middle.
/** @typedef {"hidden" | "board" | "hand" | "offer" | "front" | "plate" | "deck" | "focus" | "market" | "things"} Region */

/** @typedef {ReturnType<typeof contents>} Contents */

// What an edition's looks call otherwise.
/** @type {Record<string, Region>} */
const SAID = { number: "plate", nowhere: "hidden", edge: "board" };

/** @type {Region[]} */
export const SHARED = ["deck", "focus", "market", "things"];
/** @type {Region[]} */
const SPREAD = ["hand", "offer", "front", "focus", "market", "things"];

// What the rules do with a zone. passing: all that lies there goes on together; chosen: somebody chooses among it; into:
// answers bring pieces there.
/** @param {Table} of @param {string} zone */
export function flowOf(of, zone) {
  const { passes = [], returns = false, chosen = false, filled = [] } = of.zones[zone].flow ?? {};
  return { passing: passes.length > 0 && !returns, chosen, into: filled.length > 0 };
}

/** @type {WeakMap<Table["zones"], Map<string, Region>>} */
const known = new WeakMap();

/** @param {Table} of @param {string} zone @returns {Region} */
export function regionOf(of, zone) {
  const regions = known.get(of.zones) ?? new Map();
  known.set(of.zones, regions);
  const region = regions.get(zone) ?? (of.zones[zone] ? place(of, zone) : "hidden");
  regions.set(zone, region);
  return region;
}

/** @param {Table} of @param {string} zone @returns {Region} */
function place(of, zone) {
  const kind = of.zones[zone];
  const said = SAID[kind.place] ?? /** @type {Region} */ (kind.place);
  if (said && (said !== "board" || hasRoom(of, kind.of))) return said;
  if (kind.layout === "away") return "hidden";
  if (kind.of === "seat") return ofSeat(of, zone);
  if (kind.of) return onBoard(of, kind.of) ? "board" : "things";
  if (kind.layout === "aside") return "things";
  if (kind.pile) return "deck";
  const { passing, into, chosen } = flowOf(of, zone);
  return passing || into ? "focus" : chosen ? "market" : "things";
}

/** @param {Table} of @param {string} zone @returns {Region} */
function ofSeat(of, zone) {
  const kind = of.zones[zone];
  const { passing, into, chosen } = flowOf(of, zone);
  if (kind["owner only"]) return passing && into ? "offer" : "hand";
  if (kind.layout === "aside" || kind.pile) return "plate";
  return passing && (into || !chosen) ? "offer" : "front";
}

// Whether what belongs to words of a list is drawn on a board: they are its spaces, or what spaces are told apart by.
/** @param {Table} of @param {string} list */
function onBoard(of, list) {
  const words = of.words[list]?.words ?? {};
  return of.boards.some(
    (board) =>
      board.words === list ||
      (board.counted && board.spaces.some(({ is }) => Object.values(is).some((word) => word in words))),
  );
}

// Whether things of a kind can lie on a board: in its spaces, or beside them.
/** @param {Table} of @param {string} list */
const hasRoom = (of, list) => onBoard(of, list) || of.boards.some((board) => board.bay.length);

// What a table is made of, as far as its layout depends on it. board: how much wider than high those with a map are, 0
// without any; front: lines that what lies before people takes on a phone's plate, where heaps gather while rows come one after
// another; figures: how wide what stands on a plate is at most, in pixels.
/** @param {Table} of */
export function contents(of) {
  const regions = new Set(Object.keys(of.zones).map((zone) => regionOf(of, zone)));
  const fronts = Object.keys(of.zones).flatMap((zone) =>
    regionOf(of, zone) === "front" ? [of.zones[zone].layout] : [],
  );
  const isRow = (/** @type {string} */ layout) => layout !== "heaps";
  const drawn = of.boards.filter((board) => board.drawn).map((board) => grid(board, false, isLaid(of)));
  const high = drawn.reduce((sum, { width, height }) => sum + height / width, 0);
  return {
    board: high && 1 / high,
    hand: regions.has("hand"),
    front: Math.min(2, fronts.filter((layout) => layout === "heaps").length + Number(fronts.some(isRow))),
    offer: regions.has("offer"),
    pad: Boolean(of.pad),
    figures: figuresWide(of, (zone) => ["hand", "plate"].includes(regionOf(of, zone))),
    shared: SHARED.some((region) => regions.has(region)) || of.boards.some((board) => !board.drawn),
  };
}

// Seats as they follow each other from the reader's left; for who only looks on, from the first one.
/** @param {Table} of */
export function others({ seats, seat }) {
  const count = seats.length;
  const first = seat === null ? 0 : seat + 1;
  return Array.from({ length: seat === null ? count : count - 1 }, (_, n) => (first + n) % count);
}

// Whether a counter names for each seat another one, to which what it offers goes: slots on the cloth point there.
/** @param {Table} of @param {string} name */
export const isPointed = (of, name) =>
  of.counters[name].of === "seat" &&
  of.counters[name].holds === "seat" &&
  !of.boards.some(({ drawn }) => drawn) &&
  Object.keys(of.zones).some((zone) => regionOf(of, zone) === "offer");

// Whether a strip tells what lies in a region with small signs on its owner's plate, which cannot be taken from there.
/** @param {Table} of @param {Region} region */
const isOnPlate = (of, region) => region === "front" || (region === "offer" && of.boards.some(({ drawn }) => drawn));

// Whether an answer is given by touching the piece itself: it lies open, apart from others or uppermost, where it can be
// seen.
// strip: plates tell what lies before people.
/** @param {Table} of @param {State} state @param {Choice} choice @param {boolean} [strip] */
export function isInPlace(of, state, choice, strip = false) {
  if (choice.place > 0) return false;
  if (of.boards.some((board) => board.drawn && board.words === choice.words)) return true;
  if (!choice.piece || !of.zones[choice.zone]) return false;
  const { pile } = of.zones[choice.zone];
  const region = regionOf(of, choice.zone);
  if (!(pile ? SHARED : SPREAD).includes(region)) return false;
  if (strip && choice.owner !== null && (choice.owner !== of.seat || isOnPlate(of, region))) return false;
  const zone = state.zones.find((one) => isIn(one, choice));
  return (pile ? zone?.pieces?.at(-1) === choice.piece : zone?.pieces?.includes(choice.piece)) ?? false;
}

/** @param {Zone} one @param {Choice} choice */
export const isIn = (one, choice) => choice.zone === one.zone && choice.owner === one.owner && choice.word === one.word;
