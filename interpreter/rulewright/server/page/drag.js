// Dragging: one pointer layer over the table, for mouse, pen and finger. What can be taken by a click can be dragged: onto
// a space that can be taken after it, or to where it would go. Dropped elsewhere, it is let go. Within one's hand, any
// card is dragged to another place, or goes there by keys.

import { follow, settle } from "./following.js";
import { tooSmall } from "./large.js";
import { reorder } from "./own_order.js";

/** @import { Choice, Picking, Redraw, Table } from "./types" */

const FAR = { mouse: 5, pen: 6, touch: 9 }; // px, from which on it is dragged
const THING = "[data-thing]";
const HELD = ".held .fan > button.laid";

/** @typedef {{ of: Table, picking: Picking }} Hand */
/** @typedef {{ from: HTMLElement, choice: Choice | null, x: number, y: number, type: string, pointer: number, ghost: HTMLElement | null }} Grip */

/** @type {Grip | null} */
let grip = null;
/** @type {() => Hand | null} */
let hand = () => null;
let moved = () => {};

// given: the table at which somebody answers now, and the answer that is being made; null where nothing can be taken.
/** @param {() => Hand | null} given @param {Redraw} redraw */
export function attendDrags(given, redraw) {
  hand = given;
  moved = redraw;
  document.addEventListener("pointerdown", down);
  document.addEventListener("pointermove", move);
  document.addEventListener("pointerup", (event) => end(event, true));
  document.addEventListener("pointercancel", (event) => end(event, false));
  document.addEventListener("dragstart", (event) => {
    if (event.target instanceof Element && event.target.closest(".stage")) event.preventDefault();
  });
  document.addEventListener("keydown", shift, { capture: true });
  addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !grip?.ghost) return;
    event.preventDefault();
    const { choice } = grip;
    loose();
    letGo(choice);
  });
}

// Called when the page is drawn: a drop that waited for another question answers it, and what is dragged shows where it
// goes as soon as that is known.
export function settleDrop() {
  const now = hand();
  if (!now) return;
  settle(now.picking);
  if (grip?.ghost && grip.choice && !now.picking.held) aim(now.picking, grip.choice);
}

/** @param {Element | null} element @param {Picking} picking */
function choiceOf(element, picking) {
  const thing = /** @type {HTMLElement | null} */ (element?.closest(THING) ?? null);
  return thing ? (picking.things[Number(thing.dataset.thing)] ?? null) : null;
}

/** @param {PointerEvent} event */
function down(event) {
  const { target, clientX: x, clientY: y, pointerType: type, pointerId: pointer } = event;
  const now = hand();
  if (grip || event.button !== 0 || !event.isPrimary || !(target instanceof Element)) return;
  const from = /** @type {HTMLButtonElement | null} */ (target.closest([`.stage button${THING}`, HELD].join()));
  const choice = now && choiceOf(from, now.picking);
  if (!from || from.disabled || !(choice || from.matches(HELD)) || !picture(from)) return;
  if (type === "touch" && from.dataset.space !== undefined && tooSmall(from)) return; // aimed at through a lens
  grip = { from, choice, x, y, type, pointer, ghost: null };
}

// What of a thing is seen to move: a man, a card.
/** @param {HTMLElement} from */
const picture = (from) =>
  /** @type {HTMLElement | null} */ (
    from.dataset.space ? [...from.querySelectorAll(":scope > .man")].at(-1) : from.firstElementChild
  );

/** @param {PointerEvent} event */
function move(event) {
  if (!grip || event.pointerId !== grip.pointer) return;
  const { clientX, clientY } = event;
  const far = FAR[/** @type {keyof typeof FAR} */ (grip.type)] ?? FAR.mouse;
  if (!grip.ghost && Math.hypot(clientX - grip.x, clientY - grip.y) >= far) take(grip);
  if (grip?.ghost) grip.ghost.style.transform = `translate(${clientX}px, ${clientY}px)`;
}

/** @param {Grip} grip */
function take(grip) {
  const now = hand();
  document.getSelection()?.removeAllRanges();
  grip.ghost = ghost(grip.from);
  grip.from.dataset.dragged = "";
  document.documentElement.classList.add("dragging");
  if (!now || !grip.choice) return;
  const { sort } = grip.choice;
  if (sort === "instead" || sort === "plannable") now.picking.take(grip.choice);
  else aim(now.picking, grip.choice);
}

/** @param {Picking} picking @param {Choice} choice */
function aim(picking, choice) {
  if (!choice.sort && picking.after(choice.key).length) picking.hold(choice);
}

// A copy of the thing, as large as it lies there.
/** @param {HTMLElement} from */
function ghost(from) {
  const thing = /** @type {HTMLElement} */ (picture(from));
  const { width, height } = thing.getBoundingClientRect();
  const made = document.createElement("div");
  made.id = "dragged";
  made.setAttribute("aria-hidden", "true");
  made.style.width = `${from.closest(".map")?.clientWidth ?? width}px`;
  made.style.setProperty("--card", getComputedStyle(from).getPropertyValue("--card"));
  const copy = /** @type {HTMLElement} */ (thing.cloneNode(true));
  Object.assign(copy.style, { width: `${width}px`, height: `${height}px` });
  made.append(copy);
  document.body.append(made);
  return made;
}

/** @param {PointerEvent} event @param {boolean} dropped */
function end(event, dropped) {
  if (!grip || event.pointerId !== grip.pointer) return;
  if (!grip.ghost) {
    grip = null;
    return;
  }
  addEventListener("click", swallow, { capture: true });
  setTimeout(() => removeEventListener("click", swallow, { capture: true }));
  const { choice, from } = grip;
  const now = hand();
  const at = document.elementFromPoint(event.clientX, event.clientY);
  const isMoved = dropped && at !== null && moves(from, at);
  loose();
  if (isMoved || !dropped || !now || !choice || !at || from.contains(at) || !put(now, choice, from, at)) letGo(choice);
  if (isMoved) moved();
}

// Whether a card of one's hand is dropped on another one of it, whose place it takes.
/** @param {HTMLElement} from @param {Element} at */
function moves(from, at) {
  const fan = /** @type {HTMLElement | null} */ (from.matches(HELD) ? from.parentElement : null);
  const cards = /** @type {HTMLElement[]} */ ([...(fan?.children ?? [])]);
  const names = cards.flatMap((card) => card.dataset.piece ?? []);
  const to = cards.findIndex((card) => card !== from && card.contains(at));
  if (!fan || to < 0 || new Set(names).size < cards.length) return false;
  reorder(fan.dataset.zone ?? "", names, cards.indexOf(from), to);
  return true;
}

// Shift and an arrow lay the card of one's hand that has the focus one place farther.
/** @param {KeyboardEvent} event */
function shift(event) {
  const { key, shiftKey, target } = event;
  if (!shiftKey || !(key === "ArrowLeft" || key === "ArrowRight") || !(target instanceof HTMLElement)) return;
  const card = target.matches(HELD) ? target : null;
  const next = key === "ArrowLeft" ? card?.previousElementSibling : card?.nextElementSibling;
  if (!card || !next || !moves(card, next)) return;
  event.preventDefault();
  event.stopPropagation();
  moved();
}

// The click that a browser makes of a drag's end.
/** @param {Event} event */
function swallow(event) {
  event.stopPropagation();
  event.preventDefault();
}

// Answers by what was dragged to a place; whether it does.
/** @param {Hand} now @param {Choice} choice @param {HTMLElement} from @param {Element} at */
function put({ of, picking }, choice, from, at) {
  const target = choiceOf(at, picking);
  if (choice.sort === "plannable") {
    if (target?.sort === "target") picking.take(target);
    return target?.sort === "target" || (!choice.words && accepts(of, picking, choice, from, at));
  }
  const isPicked = picking.held?.key === choice.key || choice.sort === "picked";
  if (isPicked || choice.sort === "instead") {
    if (target && !target.sort && (isPicked || picking.asked.picked[0]?.key === choice.key)) {
      if (!picking.sent) picking.picked.held = null;
      picking.take(target);
      return true;
    }
    if (choice.sort === "instead") awaits(choice, from, at, picking.sent);
    return choice.sort === "instead";
  }
  if (!accepts(of, picking, choice, from, at)) return false;
  awaits(choice, from, at);
  picking.take(choice);
  return true;
}

// Keeps in mind where something was dropped, until it is asked where it goes. afterwards: it is picked only when another
// pick, which is on its way, has come.
/** @param {Choice} choice @param {HTMLElement} from @param {Element} at @param {boolean} [afterwards] */
function awaits({ key }, from, at, afterwards = false) {
  const word = /** @type {HTMLElement | null} */ (at.closest("[data-space]"))?.dataset.space ?? "";
  const piece = /** @type {HTMLElement | null} */ (at.closest("[data-piece]"))?.dataset.piece ?? "";
  const fits = (/** @type {Choice} */ choice) =>
    !choice.sort && (word ? choice.word === word : piece !== "" && choice.piece === piece);
  follow(key, fits, { lets: from.dataset.space !== undefined, afterwards });
}

// Whether something that needs no target goes to a place: what is the reader's own to the table, what is not to them; and
// wherever the rules say that it goes.
/** @param {Table} of @param {Picking} picking @param {Choice} choice @param {HTMLElement} from @param {Element} at */
function accepts(of, { asked }, choice, from, at) {
  const zone = /** @type {HTMLElement | null} */ (at.closest("[data-zone]"))?.dataset.zone ?? "";
  if (asked.into && zone.startsWith(`${asked.into}/`)) return true;
  if (from.dataset.space !== undefined) return at.closest(".boards") !== null;
  const mine = at.closest(".held, .player.me") !== null;
  const isTable = at.closest(".stage") !== null && at.closest(".asked, .side, .held, .player.me") === null;
  return choice.owner === of.seat ? isTable : mine;
}

// Lets go of what was held: it goes back to where it lay.
/** @param {Choice | null} choice */
function letGo(choice) {
  const now = hand();
  if (now?.picking.held && !now.picking.sent) now.picking.hold(null);
  else if (["instead", "picked", "plannable"].includes(choice?.sort ?? "")) now?.picking.letGo();
}

function loose() {
  grip?.ghost?.remove();
  if (grip) delete grip.from.dataset.dragged;
  document.documentElement.classList.remove("dragging");
  grip = null;
}
