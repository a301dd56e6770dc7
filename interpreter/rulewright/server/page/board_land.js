// The land beneath a board's pieces, which never changes: grounds, lines, signs and coordinates.

import { SPACE } from "./board_grid.js";
import { memo } from "./dom.js";
import { addressOf, arrived } from "./pictures.js";
import { picture } from "./pieces.js";
import { h } from "./preact.js";
import { colour } from "./regions.js";

/** @import { Grid, Point } from "./board_grid.js" */
/** @import { Board, Space, Table } from "./types" */

const LETTERS = 28; // from the edge
const MANY = 10; // spaces across, from which on letters are large beside them
const WIDER = 34; // for each further digit
const SHORT = 3; // letters of a name beside a heap; longer ones are for readers
const ASIDE = 13; // further for each letter of a name beside a space
const POINTED = "polygon(50% 0, 100% 25%, 100% 75%, 50% 100%, 0 75%, 0 25%)"; // a hex, above; and on its side
const FLAT = "polygon(25% 0, 75% 0, 100% 50%, 75% 100%, 25% 100%, 0 50%)";
const OVER = 4; // by which pictures lie over each other, so that no seam shows

/** @param {number} part @param {number} whole */
export const percent = (part, whole) => `${((100 * part) / whole).toFixed(3)}%`;
/** @param {Grid} laid @param {number} x @param {number} y */
export const at = (laid, x, y) => ({
  left: percent(x - laid.left, laid.width),
  top: percent(y - laid.top, laid.height),
});

/** @param {Table} of @param {Board} board @param {Grid} laid */
export function land(of, board, laid) {
  if (!arrived(of)) return null;
  const { left, top, width, height } = laid;
  return h(
    "svg",
    { class: "land", viewBox: `${left} ${top} ${width} ${height}`, "aria-hidden": "true" },
    memo([of.edition, board.name, laid], () => [...parts(of, board, laid)]),
  );
}

/** @param {Table} of @param {Board} board @param {Grid} laid */
function* parts(of, board, laid) {
  const url = (/** @type {string} */ name) => addressOf(of, name);
  const path = (/** @type {Point[]} */ corners) =>
    `M${corners.map((/** @type {Point} */ [x, y]) => `${x} ${y}`).join("L")}Z`;
  const { left, top, width, height } = laid;
  if (board.around) {
    const id = `around ${board.name}`.replaceAll(" ", "-");
    const tile = h("image", { href: url(board.around), width: SPACE + OVER, height: SPACE + OVER });
    const repeated = { x: left, y: top, width: SPACE, height: SPACE, patternUnits: "userSpaceOnUse" };
    yield h("pattern", { id, ...repeated }, tile); // one element, and not one for each tile
    yield h("rect", { x: left, y: top, width, height, fill: `url(#${id})` });
  }
  const all = withGaps(board);
  if (hasRoads(board)) yield* ["edge", "way"].map((part) => roads(board, laid, part));
  const { bay, over } = laid;
  const middle = bay ? `M${bay.x} ${bay.y}h${bay.w}v${bay.h}h${-bay.w}Z` : "";
  yield h("path", { class: "shore", d: all.map((space) => path(laid.corners(space))).join("") + middle });
  if (bay) yield h("path", { class: "base", d: middle });
  for (const painted of [false, true])
    for (const colour of new Set(board.edges.map((edge) => edge[4]))) {
      const own = board.edges.filter((edge) => edge[4] === colour);
      const d = own.map(([x, y, u, v]) => `M${x} ${y}L${u} ${v}`).join("");
      yield h("path", {
        class: painted ? "rim paint" : "rim",
        d,
        transform: over,
        style: painted ? { stroke: colour } : {},
      });
    }
  for (const [x, y, w, high] of board.gaps)
    yield h("image", {
      href: url(board.gap),
      ...{ x: x - OVER, y: y - OVER, width: w + 2 * OVER, height: high + 2 * OVER },
      transform: over,
    });
  for (const space of board.spaces) {
    yield h("path", { class: space.ground ? "base" : `base ${colour(board, space)}`, d: path(laid.corners(space)) });
    if (space.ground) {
      const lengthwise = board.kind === "points"; // a picture that is turned with its space
      const { x, y, w, h: high } = (lengthwise ? laid.upright : laid).box(space);
      const ways = [lengthwise && laid.standing, laid.turned && `rotate(180 ${x + w / 2} ${y + high / 2})`].filter(
        Boolean,
      );
      const clip = board.hexagonal
        ? {
            style: {
              "clip-path": w < high ? POINTED : FLAT,
              "transform-box": "fill-box",
            },
          }
        : {};
      yield h("image", {
        href: url(space.ground),
        x: x - OVER,
        y: y - OVER,
        width: w + 2 * OVER,
        height: high + 2 * OVER,
        preserveAspectRatio: lengthwise ? "none" : "xMidYMid slice",
        ...(ways.length ? { transform: ways.join(" ") } : {}),
        ...clip,
      });
    }
  }
  if (board.kind !== "crossings") yield* lines(board, laid);
  else if (!board.spaces.some((space) => space.ground)) yield roads(board, laid, "");
  for (const space of board.spaces) {
    if (!space.sign) continue;
    const [x, y] = laid.middle(space);
    yield h("image", {
      href: url(space.sign),
      x: x - SPACE / 4,
      y: y - SPACE / 4,
      width: SPACE / 2,
      height: SPACE / 2,
    });
  }
}

// Spaces, and the places between them that are drawn and are none.
/** @param {Board} board @returns {Pick<Space, "box" | "is">[]} */
const withGaps = ({ spaces, gaps }) => [...spaces, ...gaps.map((box) => ({ box, is: {} }))];

// Letters and numbers by which spaces are called: at the reader's edges, of hexes beside the first of a row, of long
// spaces their names at the outer edge.
/** @param {Board} board @param {Grid} laid */
export function edges(board, laid) {
  if (hasRoads(board) || board.numbered) return names(board, laid);
  const name = (/** @type {string} */ text, /** @type {number} */ x, /** @type {number} */ y) =>
    h("span", { class: "coordinate", "aria-hidden": "true", style: at(laid, ...laid.moved([x, y])) }, text);
  const { upright } = laid;
  const inset = board.kind === "points" ? 2.1 * LETTERS : LETTERS * Math.max(1, upright.width / (MANY * SPACE));
  const [above, below] = [upright.top + inset, upright.top + upright.height - inset];
  if (board.kind === "points")
    return board.spaces
      .filter((space) => Math.abs(laid.pile(space)) === 1)
      .map((space) => name(space.label, upright.middle(space)[0], laid.pile(space) > 0 ? above : below));
  if (board.kind === "pits")
    return board.spaces
      .filter(({ label }) => label.length <= SHORT)
      .map((space) => {
        const [x, y] = upright.middle(space);
        const { w, h: high } = laid.box(space);
        const away = LETTERS + (laid.width === upright.width ? high / 2 : w / 2 + ASIDE * (space.label.length - 1));
        return name(space.label, x, y < upright.top + upright.height / 2 - 1 ? y - away : y + away);
      });
  const letter = (/** @type {Space} */ { label }) => label.replace(/\d+$/, "");
  const digits = (/** @type {Space} */ space) => space.label.slice(letter(space).length);
  /** @type {(of: (space: Space) => string, axis: number, way?: number) => Space[]} */
  const firsts = (of, axis, way = 1) => {
    /** @type {Map<string, Space>} */
    const found = new Map();
    for (const space of board.spaces) {
      const first = found.get(of(space));
      if (!first || way * (upright.middle(space)[axis] - upright.middle(first)[axis]) < 0) found.set(of(space), space);
    }
    return [...found.values()];
  };
  /** @type {(of: (space: Space) => string, axis: number) => Space[]} */
  const lasts = (of, axis) => firsts(of, axis, -1);
  // of hexes beside the first, and where edges are coloured the last: above its right half, or where columns slant above
  // its middle, and beyond a coloured edge
  const far = board.edges.length > 0 ? 0.2 : 0;
  const [aside, up] = board.slanting ? [0, 0.82 + far] : [0.3, 0.68 + far];
  /** @type {(text: string, space: Space, x: number, y: number) => import("./types").VNode} */
  const beside = (text, space, x, y) => {
    const [acrossTo, downTo] = upright.middle(space);
    return name(text, acrossTo + SPACE * x, downTo + SPACE * y);
  };
  if (board.hexagonal)
    return [
      ...firsts(letter, 1).map((space) => beside(letter(space), space, aside, -up)),
      ...firsts(digits, 0).map((space) => beside(digits(space), space, -0.76 - far, 0)),
      ...(far ? lasts(letter, 1).map((space) => beside(letter(space), space, -aside, up)) : []),
      ...(far ? lasts(digits, 0).map((space) => beside(digits(space), space, 0.76 + far, 0)) : []),
    ];
  return [
    ...firsts(letter, 1).map((space) => name(letter(space), upright.middle(space)[0], below)),
    ...firsts(digits, 0).map((space) => {
      const text = digits(space);
      return name(text, upright.left + inset + WIDER * (text.length - 1), upright.middle(space)[1]);
    }),
  ];
}

// The corner that most of some spaces share, or the middle of an edge, rather one that lies across; of several the one in
// their middle. Where they share none, the middle of the first.
/** @param {Space[]} spaces @param {Grid} laid @returns {Point} */
export function meeting(spaces, laid) {
  const middles = spaces.map(laid.middle);
  const [x, y] = [0, 1].map((axis) => middles.reduce((sum, one) => sum + one[axis], 0) / spaces.length);
  /** @type {Map<string, { at: Point, shared: number }>} */
  const found = new Map();
  const note = (/** @type {Point} */ at, /** @type {number} */ worth) => {
    const shared = (found.get(`${at}`)?.shared ?? -worth) + worth;
    found.set(`${at}`, { at, shared });
  };
  for (const space of spaces)
    for (const [n, corner, all] of laid.corners(space).map((one, n, all) => /** @type {const} */ ([n, one, all]))) {
      const [across, down] = all[(n + 1) % all.length];
      note(corner, 1);
      note([(corner[0] + across) / 2, (corner[1] + down) / 2], down === corner[1] ? 1.5 : 1.2);
    }
  const far = (/** @type {Point} */ [u, v]) => Math.hypot(u - x, v - y) / 1e4;
  const best = [...found.values()].reduce((one, other) =>
    other.shared - far(other.at) > one.shared - far(one.at) ? other : one,
  );
  return best.shared > 0 ? best.at : middles[0];
}

// Whether a board's spaces are told apart by their own names, and have a road to each neighbour.
/** @param {Board} board */
export const hasRoads = ({ kind }) => kind === "track" || kind === "places";

// What spaces are called: below a place, in the corner of a space of a track.
/** @param {Board} board @param {Grid} laid */
function names(board, laid) {
  const [right, down] = board.numbered ? [-0.485, -0.485] : board.kind === "places" ? [0, 0.5] : [0, 0];
  return board.spaces.map((space) => {
    const [x, y] = laid.middle(space);
    const label = space.column === undefined || board.numbered ? space.label : space.label.replace(/^\p{L}+/u, "");
    const style = at(laid, x + right * SPACE, y + down * SPACE);
    return h(
      "span",
      {
        class: board.numbered ? "coordinate corner" : "space-name",
        key: `name ${space.word}`,
        "aria-hidden": "true",
        style,
      },
      label,
    );
  });
}

// Fine ones between all spaces, strong ones around regions.
/** @param {Board} board @param {Grid} laid */
function lines(board, laid) {
  /** @type {Map<string, string[]>} */
  const edges = new Map();
  for (const space of withGaps(board)) {
    const corners = laid.corners(space);
    corners.forEach((start, n) => {
      const edge = [start, corners[(n + 1) % corners.length]]
        .map(([x, y]) => `${x} ${y}`)
        .sort()
        .join("L");
      edges.set(edge, [...(edges.get(edge) ?? []), JSON.stringify(space.is)]);
    });
  }
  const isInner = (/** @type {string[]} */ [one, other]) =>
    other !== undefined && (one === other || board.edges.length + board.gaps.length > 0);
  const inner = [...edges].filter(([, beside]) => isInner(beside));
  const outer = [...edges].filter(([, beside]) => !isInner(beside));
  const drawn = (/** @type {string} */ name, /** @type {[string, string[]][]} */ found) =>
    h("path", { class: `line ${name}`, d: found.map(([edge]) => `M${edge}`).join("") });
  return [drawn("fine", inner), drawn("strong", outer)];
}

// Lines from each space to its neighbours, where pieces stand on crossings and no picture shows them.
// Or on boards whose spaces stand apart: with an edge. part: of a road.
/** @param {Board} board @param {Grid} laid @param {string} part */
function roads(board, laid, part) {
  const places = new Map(board.spaces.map((space) => [space.word, laid.middle(space)]));
  const drawn = board.spaces.flatMap(({ word, neighbours }) =>
    neighbours.filter((other) => word < other && places.has(other)).map((other) => [word, other]),
  );
  const end = (/** @type {string} */ word) => places.get(word)?.join(" ");
  return h("path", {
    class: `line road ${part}`,
    d: drawn.map(([one, other]) => `M${end(one)}L${end(other)}`).join(""),
  });
}

// What the signs in spaces stand for.
/** @param {Table} of @param {Board} board */
export function key(of, board) {
  return (
    board.key.length > 0 &&
    h(
      "ul",
      { class: "signs-key" },
      board.key.map(([sign, label]) => h("li", {}, picture(of, sign), label)),
    )
  );
}
