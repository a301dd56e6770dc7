// A chain of tiles, each twice as long as wide, laid end to end: it begins in the middle, and bends where there is no
// more room for it in one line.

import { at } from "./middle.js";
import { cloneElement, h } from "./preact.js";
import { laid, zoneKey } from "./zones.js";

/** @import { Rect, Table, Zone } from "./types" */

// In widths of a tile: the middle of each, and by how many degrees it is turned.
/** @typedef {{ x: number, y: number, turn: number }} Link */

const TURN = 1.5; // what a bend takes beyond the last tile, with one that lies across behind it
const BEYOND = 3; // the room of the next tile and of a bend behind it: without, one that lies across is itself the corner, since a bend
// behind it would be a step aside
const LEAST = 9; // px
const STRAIGHT = 0.7; // of how wide tiles can be where the chain bends: it is straight as long as they are that wide in one line

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
    if (way * x + long + beyond <= edge - TURN - (crosswise ? 0 : 1)) {
      x += way * long;
      return { x: x - (way * long) / 2, y, turn: way > 0 ? 0 : 180 };
    }
    const link = { x: x + way / 2, y: y + 0.5, turn: crosswise ? 0 : 90 };
    [bent, x, y, way] = [link.x, x + way, y + 2, -way];
    return link;
  });
}

// Where the tiles lie around the middle of so much room, in px. first: the tile that lies in the middle.
/** @param {boolean[]} across @param {number} first @param {{ w: number, h: number }} room @param {number} most */
export function links(across, first, room, most) {
  const bent = bentLinks(across, first, room, most);
  const lengths = across.map((crosswise) => (crosswise ? 1 : 2));
  const total = lengths.reduce((sum, long) => sum + long, 0);
  const unit = Math.min(most, Math.floor(room.w / total), Math.floor(room.h / 2));
  if (unit < bent.unit * STRAIGHT) return bent;
  let x = (room.w - total * unit) / 2;
  const places = lengths.map((long) => {
    x += long * unit;
    return { x: x - (long * unit) / 2, y: room.h / 2, turn: 0 };
  });
  return { unit, places };
}

/** @param {boolean[]} across @param {number} first @param {{ w: number, h: number }} room @param {number} most */
function bentLinks(across, first, room, most) {
  const half = (across[first] ? 1 : 2) / 2;
  for (let unit = most; ; unit -= 1) {
    const edge = room.w / unit / 2;
    const right = arm(across.slice(first), -half, edge);
    const left = arm(across.slice(0, first).reverse(), half, edge);
    const all = [...left.reverse().map(({ x, y, turn }) => ({ x: -x, y: -y, turn })), ...right];
    const rows = all.map(({ y }) => y);
    const [top, bottom] = [Math.min(...rows) - 1, Math.max(...rows) + 1];
    if (unit <= LEAST || (bottom - top) * unit <= room.h) {
      const middle = (top + bottom) / 2;
      return {
        unit,
        places: all.map(({ x, y, turn }) => ({ x: room.w / 2 + x * unit, y: room.h / 2 + (y - middle) * unit, turn })),
      };
    }
  }
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

/** @param {Table} of @param {Zone} one @param {Rect} room @param {number} scale */
export function chain(of, one, room, scale) {
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
      const tile = laid(of, name, 1, { at: zoneKey(one) });
      const { x, y, turn } = places[n];
      const ends = n === 0 || n === names.length - 1 ? " end" : "";
      return cloneElement(tile, {
        key: `link ${name} ${n}`,
        tabindex: n ? -1 : 0,
        class: `${tile.props.class} link${ends}${of.pieces[name].across ? " across" : ""}`,
        style: { left: `${x.toFixed(1)}px`, top: `${y.toFixed(1)}px`, rotate: `${turn}deg` },
      });
    }),
  );
}
