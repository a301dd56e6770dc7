// Plates without room for all that a seat has: what would be cut is left out whole, and a sign counts it. The plate, which
// is one button, opens the rest.

const PARTS =
  ".total, .measure, .tally, .chip, .lost, .rank, .sign-of, .partner, .clock, .small-chart, .faint, .has > .label";
const FRAMES = ".sum, .holdings, .has";
const BESIDE = ".captions, .bubble"; // what lies over the table beside its plate
const ROUNDED = 3; // px that a part may stand out
const SIGN = { w: 40, h: 22 }; // px at a plate's lower end

/** @typedef {{ left: number, right: number, top: number, bottom: number }} Edges */

// Called once the browser has laid the page out.
export function fold() {
  const plates = /** @type {HTMLElement[]} */ ([...document.querySelectorAll(".stage .plate")]);
  for (const { plate, left } of plates.map((plate) => ({ plate, left: leftOut(plate) }))) {
    for (const [part, isOut] of left) part.toggleAttribute("data-fold", isOut);
    const count = left.filter(([part, isOut]) => isOut && !part.matches(".label")).length;
    if (count) plate.dataset.folded = `+${count}`;
    else delete plate.dataset.folded;
  }
}

// Each part of a plate, and whether it is left out.
/** @param {HTMLElement} plate @returns {[Element, boolean][]} */
function leftOut(plate) {
  const room = plate.getBoundingClientRect();
  const frames = new Map([...plate.querySelectorAll(FRAMES)].map((frame) => [frame, edgesOf(frame)]));
  const parts = [...plate.querySelectorAll(PARTS)]
    .filter((part) => !part.closest(BESIDE))
    .map((part) => /** @type {const} */ ([part, part.getBoundingClientRect()]))
    .filter(([, { width }]) => width > 0);
  const out = new Set(parts.filter(([part, edges]) => isCut(edges, within(part, plate, room, frames))));
  if (out.size) {
    const isMirrored = getComputedStyle(plate).direction === "rtl";
    const sign = {
      ...(isMirrored
        ? { left: room.left, right: room.left + SIGN.w }
        : { left: room.right - SIGN.w, right: room.right }),
      top: room.bottom - SIGN.h,
      bottom: room.bottom,
    };
    for (const one of parts) if (isOver(one[1], sign)) out.add(one);
  }
  const isOut = new Map(parts.map((one) => [one[0], out.has(one)]));
  return parts.map(([part]) => [part, isOut.get(part) || (part.matches(".label") && isAlone(part, isOut))]);
}

// Whether nothing is left of what a label names.
/** @param {Element} label @param {Map<Element, boolean>} isOut */
function isAlone(label, isOut) {
  const named = [...isOut.keys()].filter((one) => one !== label && one.parentElement === label.parentElement);
  return named.every((one) => isOut.get(one));
}

// What cuts its contents, unless it is no box of its own.
/** @param {Element} frame @returns {Edges | null} */
function edgesOf(frame) {
  const { display, overflowY } = getComputedStyle(frame);
  return display === "contents" || overflowY === "visible" ? null : frame.getBoundingClientRect();
}

/** @param {Element} part @param {Element} plate @param {Edges} room @param {Map<Element, Edges | null>} frames */
function within(part, plate, room, frames) {
  let found = room;
  for (let one = part.parentElement; one && one !== plate; one = one.parentElement) {
    const edges = frames.get(one);
    if (edges)
      found = {
        left: Math.max(found.left, edges.left),
        right: Math.min(found.right, edges.right),
        top: Math.max(found.top, edges.top),
        bottom: Math.min(found.bottom, edges.bottom),
      };
  }
  return found;
}

/** @param {Edges} one @param {Edges} room */
const isCut = (one, room) =>
  one.left < room.left - ROUNDED ||
  one.right > room.right + ROUNDED ||
  one.top < room.top - ROUNDED ||
  one.bottom > room.bottom + ROUNDED;

/** @param {Edges} one @param {Edges} other */
const isOver = (one, other) =>
  one.left < other.right - 1 && other.left < one.right - 1 && one.top < other.bottom - 1 && other.top < one.bottom - 1;
