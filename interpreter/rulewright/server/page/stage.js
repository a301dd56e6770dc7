// The stage: what is shared in the middle, people around it, the reader's hand at the lower edge, and between them the
// question. Everything lies in a region whose place follows from the edition, the seats and the window.

import { arrange, LEAST } from "./arrange.js";
import { boards } from "./board.js";
import { hand } from "./hand.js";
import { at, middle } from "./middle.js";
import { contents, others } from "./place.js";
import { h } from "./preact.js";
import { seatAt, sheet } from "./seat.js";
import { say } from "./words.js";

/** @import { Given, Regions } from "./arrange.js" */
/** @import { Chat } from "./chat.js" */
/** @import { Child, Picking, Redraw, State, Table } from "./types" */

const main = /** @type {HTMLElement} */ (document.getElementById("main"));

/** @type {Redraw | null} */
let resized = null;
const observer = new ResizeObserver(() => {
  if (isOther()) resized?.();
});
observer.observe(main);

let drawn = { width: 0, height: 0 };

// The room that there is: all of the window below its head and what stands above the stage.
function size() {
  const above = main.querySelector(".above")?.offsetHeight ?? 0;
  return {
    width: Math.max(LEAST.width, main.clientWidth),
    height: Math.max(LEAST.height, main.clientHeight - above),
  };
}

const isOther = () =>
  Object.entries(size()).some(([name, value]) => drawn[/** @type {keyof typeof drawn} */ (name)] !== value);

// Called when the page is drawn: once more where what stands above the stage has become higher or lower.
export function settle() {
  if (resized && isOther()) resized();
}

export function leaveStage() {
  resized = null;
  document.documentElement.classList.remove("staged");
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

// caption: what has just happened to a seat, or in the middle; bar: draws the question in its region; rail: draws what
// stands beside the table, told whether there is room for it.
/**
 * @param {Table} of
 * @param {State} state
 * @param {Picking | null} picking
 * @param {{ away: Record<string, number> | undefined, chat: Chat | null, caption: (seat: number | null) => Child,
 *   bar: (regions: Regions) => Child, rail: (regions: Regions) => Child, redraw: Redraw }} given
 */
export function stage(of, state, picking, { away = {}, chat, caption, bar, rail, redraw }) {
  document.documentElement.classList.add("staged");
  resized = redraw;
  drawn = size();
  const order = others(of);
  const regions = regionsOf({ ...drawn, count: order.length, mine: of.seat !== null, has: contents(of) });
  const { mode, phone, board, own, hand: room, seats } = regions;
  const given = { regions, away, chat, redraw };
  const person = (/** @type {number} */ seat, /** @type {import("./types").Rect} */ rect) =>
    seatAt(of, state, seat, rect, { ...given, picking: mode === "ring" ? picking : null, caption: caption(seat) });
  return h(
    "div",
    {
      class: `stage ${mode}${phone ? " phone" : ""}`,
      style: { height: `${drawn.height}px`, "--scale": regions.scale },
    },
    bar(regions),
    of.seat !== null && room && hand(of, state, picking, room, phone),
    board && h("div", { class: "boards", style: at(board) }, boards(of, state, picking, redraw)),
    middle(of, state, picking, regions, {
      order: of.seat === null ? order : [of.seat, ...order],
      caption: caption(null),
    }),
    h(
      "section",
      { class: "players", "aria-label": say("players") },
      h(
        "ul",
        {},
        [
          ...order.map((seat, place) => ({ seat, rect: seats[place] })),
          ...(of.seat !== null && own ? [{ seat: of.seat, rect: own }] : []),
        ]
          .sort((one, other) => one.seat - other.seat)
          .map(({ seat, rect }) => person(seat, rect)),
      ),
    ),
    rail(regions),
    sheet(of, state, picking, redraw),
  );
}
