// A chain of tiles, each twice as long as wide, laid end to end: it begins in the middle, and bends where there is no
// more room for it in one line.

import { at } from "./middle.js";
import { isIn } from "./place.js";
import { cloneElement, h } from "./preact.js";
import { laid, zoneKey } from "./zones.js";

/** @import { Picking, Rect, Table, Zone } from "./types" */

// In widths of a tile: the middle of each, and by how many degrees it is turned.
/** @typedef {{ x: number, y: number, turn: number }} Link */

const TURN = 1.5; // what a bend takes beyond the last tile, with one that lies across behind it
const BEYOND = 2; // the room of the next tile and of a bend behind it: without, one that lies across is itself the corner, since a bend
// behind it would be a step aside
const LEAST = 9; // px
const SMALLER = 0.6; // of how wide tiles can be, that they are at least where that saves a row
const WELL = 28; // px wide, from which on tiles are seen well

// The tiles from one on to the right, then down, to the left and so on. across: which lie across the chain.
/** @param {boolean[]} across @param {number} from @param {number} edge @returns {Link[]} */
function arm(across, from, edge) {
  let [x, y, way, bent] = [from, 0, 1, 0];
  return across.map((crosswise, n) => {
    const long = crosswise ? 1 : 2;
    const beyond = crosswise && n > 0 && n + 1 < across.length ? BEYOND : 0;
    if (bent && crosswise) {
      const link = { x: bent, y, turn: 90 };
      [x, bent] = [bent + way, 0];
      return link;
    }
    bent = 0;
    if (way * x + long + beyond <= edge - TURN) {
      x += way * long;
      return { x: x - (way * long) / 2, y, turn: way > 0 ? 0 : 180 };
    }
    const link = { x: x + way / 2, y: y + 0.5, turn: crosswise ? 0 : 90 };
    [bent, x, y, way] = [link.x, x + way, y + 2, -way];
    return link;
  });
}

// Where the tiles lie around the middle of so much room, in px: in as few rows as tiles that can be seen well allow. first:
// the tile that lies in the middle.
/** @param {boolean[]} across @param {number} first @param {{ w: number, h: number }} room @param {number} most */
export function links(across, first, room, most) {
  const lengths = across.map((crosswise) => (crosswise ? 1 : 2));
  const total = lengths.reduce((sum, long) => sum + long, 0);
  let best = { ...bent(across, first, room.w / LEAST / 2), unit: LEAST };
  let least = LEAST;
  for (let unit = most; unit >= least; unit -= 1) {
    if (total * unit <= room.w && 2 * unit <= room.h) return { unit, places: straight(lengths, unit, room) };
    const tried = bent(across, first, room.w / unit / 2);
    if (tried.rows * unit > room.h) continue;
    if (least > LEAST && tried.rows >= best.rows) continue;
    if (least === LEAST) least = Math.max(LEAST + 1, Math.min(unit, WELL), unit * SMALLER);
    best = { ...tried, unit };
  }
  const { unit, all, top, rows } = best;
  const middle = top + rows / 2;
  const places = all.map(({ x, y, turn }) => ({ x: room.w / 2 + x * unit, y: room.h / 2 + (y - middle) * unit, turn }));
  return { unit, places };
}

/** @param {number[]} lengths @param {number} unit @param {{ w: number, h: number }} room @returns {Link[]} */
function straight(lengths, unit, room) {
  let x = (room.w - lengths.reduce((sum, long) => sum + long * unit, 0)) / 2;
  return lengths.map((long) => {
    x += long * unit;
    return { x: x - (long * unit) / 2, y: room.h / 2, turn: 0 };
  });
}

/** @param {boolean[]} across @param {number} first @param {number} edge */
function bent(across, first, edge) {
  const half = (across[first] ? 1 : 2) / 2;
  const right = arm(across.slice(first), -half, edge);
  const left = arm(across.slice(0, first).reverse(), half, edge);
  const all = [...left.reverse().map(({ x, y, turn }) => ({ x: -x, y: -y, turn })), ...right];
  const heights = all.map(({ y }) => y);
  const top = Math.min(...heights) - 1;
  return { all, top, rows: Math.max(...heights) + 1 - top };
}

/** @type {WeakMap<Table["zones"], Map<string, { names: string[], first: number }>>} */
const known = new WeakMap();

// The tile in the middle: it stays there while others come to either end.
/** @param {Table} of @param {string} zone @param {string[]} names */
function middleOf(of, zone, names) {
  const chains = known.get(of.zones) ?? new Map();
  known.set(of.zones, chains);
  const last = chains.get(zone);
  const before = last ? names.indexOf(last.names[0]) : -1;
  const goes = before >= 0 && names.slice(before, before + last.names.length).join() === last.names.join();
  const first = goes ? last.first + before : Math.floor((names.length - 1) / 2);
  chains.set(zone, { names, first });
  return first;
}

/** @param {Table} of @param {Picking | null} picking @param {Zone} one @param {Rect} room @param {number} scale */
export function chain(of, picking, one, room, scale) {
  const names = one.pieces ?? [];
  const { unit, places } = links(
    names.map((name) => of.pieces[name].across),
    middleOf(of, one.zone, names),
    room,
    Math.round(70 * scale),
  );
  return h(
    "div",
    {
      class: "chain",
      key: zoneKey(one),
      "data-zone": zoneKey(one),
      role: "group",
      "aria-label": of.zones[one.zone].label,
      style: { ...at(room), "--unit": `${unit}px` },
    },
    names.map((name, n) => {
      const choice = picking?.find((found) => found.piece === name && isIn(one, found));
      const tile = laid(of, name, 1, { choice, picking, at: zoneKey(one) });
      const { x, y, turn } = places[n];
      return cloneElement(tile, {
        key: `link ${name} ${n}`,
        tabindex: n && !choice ? -1 : 0,
        class: `${tile.props.class} link${of.pieces[name].across ? " across" : ""}`,
        style: { left: `${(x - unit).toFixed(1)}px`, top: `${(y - unit).toFixed(1)}px`, rotate: `${turn}deg` },
      });
    }),
  );
}
