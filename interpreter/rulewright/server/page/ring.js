// Places around a table: where people sit, and where what they offer lies before them.

/** @import { Rect } from "./types" */

// On how many places of each flank, and above the table, people sit.
/** @param {number} count */
export function sides(count) {
  const flanks = count < 2 ? 0 : Math.max(1, Math.round((count - 1) / 3));
  return { flanks, tops: count - 2 * flanks };
}

// Seats on the rim, clockwise from the reader's left. wide: of a seat; above: height of those above the table; broad: whether
// these have the corners, too, where several are to have room for what lies before them.
/** @param {number} count @param {Rect} room @param {{ wide: number, above: number, gap: number, broad?: boolean }} size @returns {Rect[]} */
export function seats(count, { x, y, w, h }, { wide, above, gap, broad = false }) {
  const { flanks, tops } = sides(count);
  const whole = broad && tops > 1;
  const start = whole ? above + gap : 0;
  const band = (h - start - (flanks - 1) * gap) / flanks;
  const flank = (/** @type {number} */ n, /** @type {number} */ left) => ({
    x: left,
    y: y + start + n * (band + gap),
    w: wide,
    h: band,
  });
  const corner = flanks && !whole ? wide + gap : 0;
  const share = (w - 2 * corner - (tops - 1) * gap) / tops;
  return Array.from({ length: count }, (_, n) => {
    if (n < flanks) return flank(flanks - 1 - n, x);
    if (n >= flanks + tops) return flank(n - flanks - tops, x + w - wide);
    return { x: x + corner + (n - flanks) * (share + gap), y, w: share, h: above };
  });
}

const SPREADS = [0.42, 0.7, 1]; // how far apart slots lie, of what the cloth has

// Slots for cards before people around a cloth, the reader's first, then clockwise; as large as they can be without
// lying over each other or over what lies in the middle. ratio: how much higher than wide; most: their width at most.
/** @param {number} count @param {Rect} cloth @param {{ ratio: number, most: number, least: number, apart: number }} size */
export function slots(count, cloth, { ratio, most, least, apart }) {
  for (let wide = most; ; wide -= 2) {
    const tried = SPREADS.filter((spread) => spread >= apart).map((spread) =>
      ellipse(count, cloth, wide, ratio, spread),
    );
    const around = tried.find(isFree) ?? tried[0];
    if (wide <= least || isFree(around)) return around;
  }
}

const CLUSTER = 1.7; // widths of a card that each in a row takes at most

// The same in a row at the lower edge, where there is little room.
/** @param {number} count @param {Rect} cloth @param {{ ratio: number, most: number }} size @returns {Rect[]} */
export function slotRow(count, { x, y, w, h }, { ratio, most }) {
  const wide = Math.floor(Math.min(most, w / count - 8));
  const high = Math.round(wide * ratio);
  const share = Math.min(w / count, wide * CLUSTER);
  const left = x + (w - count * share) / 2;
  return Array.from({ length: count }, (_, n) => ({
    x: left + n * share + (share - wide) / 2,
    y: y + h - high,
    w: wide,
    h: high,
  }));
}

const APART = 8; // px between slots of a block
const COLUMNS = 2; // of a block of them

// The same at a cloth's end, in two columns. sign: px that the signs of owners stand out below.
/** @param {number} count @param {Rect} cloth @param {{ ratio: number, most: number, sign: number }} size @returns {Rect[]} */
export function slotBlock(count, { x, y, w, h }, { ratio, most, sign }) {
  const across = Math.min(COLUMNS, count);
  const rows = Math.ceil(count / across);
  const wide = Math.floor(Math.min(most, ((h + APART) / rows - sign - APART) / ratio));
  const high = Math.round(wide * ratio);
  const band = high + sign + APART;
  const top = y + (h - rows * band + APART) / 2;
  const left = x + w - across * (wide + APART);
  return Array.from({ length: count }, (_, n) => ({
    x: left + (n % across) * (wide + APART),
    y: top + Math.floor(n / across) * band,
    w: wide,
    h: high,
  }));
}

/** @param {number} count @param {Rect} cloth @param {number} w @param {number} ratio @param {number} apart @returns {Rect[]} */
function ellipse(count, cloth, w, ratio, apart) {
  const h = Math.round(w * ratio);
  const [across, down] = [(cloth.w - w) / 2 - 1, (cloth.h - h) / 2 - 1];
  // Apart from each other by as much as fits, but no further than one looks at once.
  const [rx, ry] = [
    Math.min(across, Math.max(w * 1.45, across * apart)),
    Math.min(down, Math.max(h * 0.62, down * apart)),
  ];
  return Array.from({ length: count }, (_, n) => {
    const angle = Math.PI / 2 + (2 * Math.PI * n) / count;
    return {
      x: Math.round(cloth.x + cloth.w / 2 + rx * Math.cos(angle) - w / 2),
      y: Math.round(cloth.y + cloth.h / 2 + ry * Math.sin(angle) - h / 2),
      w,
      h,
    };
  });
}

/** @param {Rect[]} all */
export const isFree = (all) => all.every((one, n) => all.slice(n + 1).every((other) => !isOver(one, other)));

/** @param {Rect} one @param {Rect} other */
export const isOver = (one, other) =>
  Math.min(one.x + one.w, other.x + other.w) - Math.max(one.x, other.x) > 1 &&
  Math.min(one.y + one.h, other.y + other.h) - Math.max(one.y, other.y) > 1;

// The largest rectangle in a room that leaves out what is taken, by a gap. enough: how high it has to be.
/** @param {Rect} room @param {Rect[]} taken @param {number} gap @param {number} [enough] @returns {Rect} */
export function largestFree(room, taken, gap, enough = Number.POSITIVE_INFINITY) {
  const size = (/** @type {Rect} */ one) => one.w * Math.min(one.h, enough);
  const blocked = taken.map(({ x, y, w, h }) => ({ x: x - gap, y: y - gap, w: w + 2 * gap, h: h + 2 * gap }));
  const within = (/** @type {number[]} */ edges, /** @type {number} */ from, /** @type {number} */ to) =>
    [...new Set([from, ...edges, to])].filter((edge) => edge >= from && edge <= to).sort((a, b) => a - b);
  const columns = within(
    blocked.flatMap(({ x, w }) => [x, x + w]),
    room.x,
    room.x + room.w,
  );
  const rows = within(
    blocked.flatMap(({ y, h }) => [y, y + h]),
    room.y,
    room.y + room.h,
  );
  let best = { ...room, h: 0 };
  for (const [n, x] of columns.entries())
    for (const right of columns.slice(n + 1))
      for (const [m, y] of rows.entries())
        for (const floor of rows.slice(m + 1)) {
          const one = { x, y, w: right - x, h: floor - y };
          if (size(one) > size(best) && !blocked.some((other) => isOver(one, other))) best = one;
        }
  return best;
}
