// The stage: what is shared in the middle, people around it, the reader's hand at the lower edge, and between them the
// question. Everything lies in a region whose place follows from the edition, the seats and the window.

import { arrange, fitting } from "./arrange.js";
import { boardPart } from "./board_part.js";
import { classes, coming, needSheet } from "./dom.js";
import { hand } from "./hand.js";
import { at, middle, partsFor } from "./middle.js";
import { openedSheet } from "./opened.js";
import { contents, others } from "./place.js";
import { attendPointed } from "./pointed.js";
import { h } from "./preact.js";
import { scrollable } from "./scrolled.js";
import { seatAt } from "./seat.js";
import { isSideTurned } from "./switches.js";
import { say } from "./words.js";
import { grouping } from "./zones.js";

/** @import { Given, Regions } from "./arrange.js" */
/** @import { Chat } from "./chat.js" */
/** @import { Child, Picking, Rect, Redraw, State, Table } from "./types" */

/** @type {Redraw | null} */
let resized = null;
/** @type {HTMLElement | null} */
let room = null; // the element that the stage fills
const observer = new ResizeObserver(() => {
  if (isOther()) resized?.();
});

const SCROLLED = ".shared, .asked .choices";
const sheet = coming(() => import("./seat_sheet.js"));
const boards = coming(boardPart);

const BUTTON = 46; // px
const LETTERS = 16; // px, as they are in most windows
let measured = { width: 0, height: 0, letters: 1 };
let drawn = measured;

// Before the stage is there, all of the page is taken to be its room. letters: their size beside that in most windows.
function measure() {
  const element = room ?? document.getElementById("main");
  measured = {
    ...fitting(element?.clientWidth ?? 0, element?.clientHeight ?? 0),
    letters: Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / LETTERS,
  };
}

function isOther() {
  measure();
  return Object.entries(measured).some(([name, value]) => drawn[/** @type {keyof typeof drawn} */ (name)] !== value);
}

/** @param {HTMLElement | null} element */
function attach(element) {
  observer.disconnect();
  room = element;
  if (!element) return;
  observer.observe(element);
  attendPointed(element);
}

// Called when the page is drawn: once more where the stage has another size, because it is new or what stands around it
// has become higher or lower.
export function settle() {
  if (!room) return;
  if (isOther()) resized?.();
  for (const part of /** @type {NodeListOf<HTMLElement>} */ (room.querySelectorAll(SCROLLED))) scrollable(part);
}

// Whether the stage is the whole page, below its head.
/** @param {boolean} on */
export function fillWindow(on) {
  document.documentElement.classList.toggle("staged", on);
}

/** @type {Map<string, Regions>} */
const arranged = new Map();

/** @param {Given} given */
function regionsOf(given) {
  const name = JSON.stringify(given);
  const regions = arranged.get(name) ?? arrange(given);
  arranged.clear();
  arranged.set(name, regions);
  return regions;
}

// Where there is room for a board's buttons outside it: at its foot or at its right or left flank; else they lie in its upper corner, where no letters are.
/** @param {Regions} regions */
function besides({ board, things, pad: sheet, bar, guide, hand: held, seats, own, rail, narrow }) {
  if (!board) return "";
  const [right, bottom] = [board.x + board.w, board.y + board.h];
  const lower = [things, sheet].find((one) => one && one.y >= bottom);
  const floor = (lower ?? (narrow ? held : (guide ?? bar)))?.y ?? drawn.height;
  if (floor - bottom >= BUTTON) return "foot";
  const others = [things, own, rail, ...seats].filter((one) => one !== null);
  const after = Math.min(drawn.width, ...others.filter(({ x }) => x >= right).map(({ x }) => x));
  if (after - right >= BUTTON) return "flank";
  const before = Math.max(0, ...others.filter(({ x, w }) => x + w <= board.x).map(({ x, w }) => x + w));
  return board.x - before >= BUTTON ? "flank before" : "corner";
}

// Whether all that draws a table is there; else it is drawn again when it has come.
/** @param {Table} of @param {State} state @param {Redraw} redraw */
export const isStaged = (of, state, redraw) =>
  (!of.boards.length || boards(redraw) !== null) &&
  (!Object.keys(state.apart_pieces).length || grouping(redraw) !== null);

// caption: what has just happened to a seat; above: what lies over the middle; bar: draws the question in its region; rail: draws what
// stands beside the table, in its region or else in a drawer; guide: draws what explains the question to a beginner, in
// the rail or else in a region of its own; over: draws what covers the table;
// tools: what stands beside the cards of one's hand; ended: whether the rail has the result.
/**
 * @typedef {{ away?: Record<string, number> | null, chat?: Chat | null, caption?: (seat: number, mode: string) => Child, above?: Child,
 *   bar: (regions: Regions) => Child, rail?: ((regions: Regions) => Child) | null, guide?: (() => Child) | null,
 *   over?: ((rect: Rect) => Child) | null, tools?: import("./hand.js").Tools, ended?: boolean, redraw: Redraw }} Parts
 */

/** @param {Table} of @param {State} state @param {Picking | null} picking @param {Parts} parts */
export function stage(
  of,
  state,
  picking,
  {
    away = null,
    chat = null,
    caption = () => null,
    above = null,
    bar,
    rail,
    guide,
    over,
    tools,
    ended = false,
    redraw,
  },
) {
  resized = redraw;
  if (!room) measure(); // else it was when the page was drawn last, or its size has changed
  drawn = measured;
  const order = others(of);
  const regions = regionsOf({
    ...drawn,
    count: order.length,
    mine: of.seat !== null,
    has: contents(of),
    railed: Boolean(rail),
    guided: Boolean(guide),
    ended,
  });
  const { mode, phone, narrow, board, felt, own, hand: held, seats } = regions;
  if (narrow || (phone && regions.rail)) needSheet("beside");
  // a class, and no :has() at the root: what changes anywhere would have all of the page's elements matched anew
  document.documentElement.classList.toggle("has-drawer", Boolean(rail) && (phone || !regions.rail));
  const given = { regions, away, chat, redraw };
  const person = (/** @type {number} */ seat, /** @type {import("./types").Rect} */ rect) =>
    seatAt(of, state, seat, rect, {
      ...given,
      picking: mode === "ring" ? picking : null,
      caption: caption(seat, mode),
    });
  const sitting = [...order, ...(of.seat !== null && own ? [of.seat] : [])];
  const rects = [...seats, ...(own ? [own] : [])];
  if (board && own && !held && sitting.length === 2 && isSideTurned(of)) sitting.reverse(); // they turn with the board
  const people = sitting
    .map((seat, place) => ({ seat, rect: rects[place] }))
    .sort((one, other) => one.seat - other.seat);
  return h(
    "div",
    { class: "stage-room", key: "stage", ref: attach },
    h(
      "div",
      {
        class: classes(
          "stage",
          mode,
          phone && "phone",
          narrow && "beside",
          regions.low && "low",
          picking?.waits && "sending",
          regions.pad && "padded",
        ),
        style: { height: `${drawn.height}px`, "--scale": regions.scale },
      },
      guide && regions.guide && h("div", { class: "guide", style: at(regions.guide) }, guide()),
      bar(regions),
      of.seat !== null && held && hand(of, state, picking, held, { phone, axis: regions.axis, tools, redraw }),
      felt && h("div", { class: "cloth", style: at(felt) }),
      board &&
        h(
          "div",
          { class: `boards ${besides(regions)}`, style: at(board) },
          boards(redraw)?.boards(of, state, picking, redraw),
        ),
      regions.pad && partsFor(of, redraw)?.pad(of, state, picking, regions.pad),
      middle(of, state, picking, regions, {
        order: of.seat === null ? order : [of.seat, ...order],
        above,
        redraw,
      }),
      h(
        "section",
        { class: "players", "aria-label": say("players") },
        h(
          "ul",
          {},
          people.map(({ seat, rect }) => person(seat, rect)),
        ),
      ),
      rail?.(regions),
      over?.({ x: 0, y: 0, w: regions.rail?.x ?? drawn.width, h: drawn.height }),
      openedSheet() !== null && sheet(redraw)?.sheet(of, state, picking, redraw),
    ),
  );
}
