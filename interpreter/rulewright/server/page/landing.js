// Where what is put onto a board comes to lie, such as a disc that falls down its column: each space on that line answers
// like the one that is offered, and what is pointed at shows a ghost there.

import { inDisc, paint, painted } from "./pieces.js";
import { h, render } from "./preact.js";

/** @import { Board, Choice, Picking, Space, State, Table } from "./types" */

/** @typedef {{ choice: Choice, piece: string, word: string }} Landing */
/** @typedef {(word: string) => { lands: Landing | null, comes: Landing | null }} Falls */

/** @type {Map<string, { of: Table, falls: Falls }>} */
const drawn = new Map(); // of the boards that are drawn, by the word of their spaces
/** @type {Element | null} */
let pointed = null; // the space that a pointer or the keyboard is at
/** @type {Element | null} */
let lent = null; // the ghost of what comes there: one on each of many spaces would be made anew with each question

// Of a space, by its word: what taking it brings onto the board, and what comes to lie there, of all that is known.
/** @param {Table} of @param {State} state @param {Board} board @param {Picking | null} picking @param {(choice: Choice) => boolean} isOn */
export function landings(of, state, board, picking, isOn) {
  const all = known(picking, isOn, placed(of, state, picking) || moving(of, state, board, picking, isOn)).reverse();
  const ways = along(board, all);
  const from = new Map(all.map((one) => [one.choice.word, one])); // of several the first, which is the last here
  const to = new Map(all.map((one) => [one.word, one]));
  /** @type {Falls} */
  const falls = (word) => ({ lands: from.get(word) ?? ways.get(word) ?? null, comes: to.get(word) ?? null });
  drawn.set(board.words, { of, falls });
  lent?.remove();
  lent = null;
  if (pointed) requestAnimationFrame(show);
  return falls;
}

// The only sort of piece that a reader has, which comes onto the board where they first choose a space of it; or nothing.
/** @param {Table} of @param {State} state @param {Picking | null} picking */
function placed(of, { owners }, picking) {
  if (picking?.asked.kind !== "word" || picking.asked.picked.length) return "";
  const own = Object.keys(owners).filter((name) => owners[name] === of.seat);
  return own.length === 1 ? own[0] : "";
}

// What has been picked, whose way is asked for; where many lie on a space, a mark shows where it goes.
/** @param {Table} of @param {State} state @param {Board} board @param {Picking | null} picking @param {(choice: Choice) => boolean} isOn */
function moving(of, state, board, picking, isOn) {
  const from = board.kind !== "points" && picking?.find((choice) => choice.sort === "picked" && isOn(choice));
  if (!from) return "";
  const there = state.zones.filter(({ zone, word }) => word === from.word && of.zones[zone].of === board.words);
  const pieces = there.flatMap((one) => one.pieces ?? []);
  return pieces.length === 1 ? pieces[0] : "";
}

// placed: what comes to lie on a space of which no more is known.
/** @param {Picking | null} picking @param {(choice: Choice) => boolean} isOn @param {string} placed @returns {Landing[]} */
function known(picking, isOn, placed) {
  if (!picking || picking.several) return [];
  return picking.things
    .filter((choice) => picking.isNow(choice) && isOn(choice))
    .flatMap((choice) => {
      const [piece, word] = picking.leads.to(choice.key)?.landing ?? [placed, choice.word];
      return piece && word ? [{ choice, piece, word }] : [];
    });
}

/** @param {Space} from @param {Space} to */
const apart = ({ column: left = 0, row: top = 0 }, { column = 0, row = 0 }) => [column - left, row - top];

// By the words of spaces on straight lines from an offered one to where something lands, and beyond: the landing that they
// stand for; none where lines of several cross.
/** @param {Board} board @param {Landing[]} all */
function along(board, all) {
  /** @type {Map<string, Landing | null>} */
  const found = new Map();
  const spaces = new Map(board.spaces.map((space) => [space.word, space]));
  for (const landing of board.hexagonal ? [] : all) {
    const [from, to] = [spaces.get(landing.choice.word), spaces.get(landing.word)];
    if (!from || !to || from === to) continue;
    const way = apart(from, to);
    const far = Math.max(...way.map(Math.abs));
    for (const space of board.spaces) {
      const [x, y] = apart(from, space);
      const steps = Math.max(Math.abs(x), Math.abs(y));
      if (steps && x * far === way[0] * steps && y * far === way[1] * steps)
        found.set(space.word, found.has(space.word) ? null : landing);
    }
  }
  for (const { choice } of all) found.delete(choice.word);
  return found;
}

// A ghost of a piece: seen while what brings it there is pointed at, or chosen.
/** @param {Table} of @param {string} name */
export function ghost(of, name) {
  const piece = of.pieces[name];
  const style = paint(piece);
  return piece && h("span", { class: `ghost${painted(piece)}`, style, "aria-hidden": "true" }, inDisc(of, piece));
}

/** @param {Event} event */
function point({ type, target }) {
  const from = target instanceof Element && !type.endsWith("out") ? target.closest(".space") : null;
  pointed = type !== "focusin" || from?.matches(":focus-visible") ? from : null; // a finger's tap points no longer
  show();
}
for (const type of ["pointerover", "pointerout", "focusin", "focusout"]) document.addEventListener(type, point);

// Where that which the space pointed at brings comes to lie, its ghost is seen, if nothing lies there.
function show() {
  for (const one of document.querySelectorAll("[data-ghost]")) delete (/** @type {HTMLElement} */ (one).dataset.ghost);
  lent?.remove();
  lent = null;
  const map = /** @type {HTMLElement | null | undefined} */ (pointed?.closest(".map"));
  const { of, falls } = drawn.get(map?.dataset.words ?? "") ?? {};
  const lands = falls?.(/** @type {HTMLElement} */ (pointed).dataset.space ?? "").lands;
  const to = lands && map?.querySelector(`[data-space="${CSS.escape(lands.word)}"]`);
  if (!of || !lands || !(to instanceof HTMLElement)) return;
  to.dataset.ghost = "";
  if (to.querySelector(".man, .ghost")) return;
  const made = document.createElement("div");
  render(ghost(of, lands.piece), made);
  lent = made.firstElementChild;
  if (lent) to.append(lent);
}
