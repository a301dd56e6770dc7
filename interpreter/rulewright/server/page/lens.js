// A lens over a board of small spaces: a finger that is laid on it marks the space beneath it, which is seen large above
// the finger, and slides on to another one; lifted, it has chosen that. It comes after the first view.

/** @import { Picking } from "./types" */

const LENS = 160; // px, across
const LARGE = 52; // px, of a space in the lens
const ABOVE = 128; // px, of the middle of the lens over the finger
const EDGE = 4; // px, that stay free around it
const NEAR = 1.6; // spaces, from a finger to the one that it marks
const REST = 110; // ms, after which a finger that stays where it is sees the lens
const SLID = 8; // px, after which one that moves does

/** @typedef {{ to: HTMLElement, x: number, y: number }} Goal where the middle of a space is */
/** @typedef {{ map: HTMLElement, goals: Goal[], size: number, pointer: number, x: number, y: number, lens: HTMLElement | null, wait: number }} Press */

/** @type {Press | null} */
let press = null;

// given: the answer that is being made; null where nothing can be taken. small: whether spaces are too small for a finger.
/** @param {() => Picking | null} given @param {(space: HTMLElement) => boolean} small */
export function attendLens(given, small) {
  document.addEventListener("pointerdown", (event) => begin(event, small));
  document.addEventListener("pointermove", (event) => {
    if (event.pointerId !== press?.pointer) return;
    if (!press.lens && Math.hypot(event.clientX - press.x, event.clientY - press.y) < SLID) return;
    show(press, event);
  });
  document.addEventListener("pointerup", (event) => end(event, given()));
  document.addEventListener("pointercancel", (event) => end(event, null));
}

/** @param {PointerEvent} event @param {(space: HTMLElement) => boolean} small */
function begin(event, small) {
  const { target, pointerType, pointerId: pointer, clientX: x, clientY: y } = event;
  if (press) return end(event, null); // two fingers mean something else
  const map = target instanceof Element ? /** @type {HTMLElement | null} */ (target.closest(".boards .map")) : null;
  const spaces = /** @type {HTMLElement[]} */ ([...(map?.querySelectorAll(".space[data-thing]") ?? [])]);
  if (!map || pointerType !== "touch" || !spaces.length || !small(spaces[0])) return;
  const goals = spaces.map((to) => {
    const { left, top, width, height } = to.getBoundingClientRect();
    return { to, x: left + width / 2, y: top + height / 2 };
  });
  const made = { map, goals, size: spaces[0].offsetWidth, pointer, x, y, lens: null, wait: 0 };
  made.wait = window.setTimeout(() => press === made && show(made, event), REST);
  press = made;
}

/** @param {Press} made @param {PointerEvent} event */
function marked({ goals, size }, { clientX, clientY }) {
  const far = (/** @type {Goal} */ { x, y }) => Math.hypot(x - clientX, y - clientY);
  const found = goals.reduce((least, one) => (far(one) < far(least) ? one : least));
  return far(found) <= NEAR * size ? found : null;
}

/** @param {Press} made @param {PointerEvent} event */
function show(made, event) {
  const { map, size } = made;
  made.lens ??= lensOver(map);
  const found = marked(made, event);
  const { left, top } = map.getBoundingClientRect();
  const { clientX: x, clientY: y } = event;
  const scale = Math.max(2, LARGE / size);
  const copy = /** @type {HTMLElement} */ (made.lens.querySelector(".map"));
  copy.style.transform = `translate(${LENS / 2 - (x - left) * scale}px, ${LENS / 2 - (y - top) * scale}px) scale(${scale})`;
  const across = Math.min(Math.max(x - LENS / 2, EDGE), innerWidth - LENS - EDGE);
  const up = y - ABOVE - LENS / 2;
  const aside = x < innerWidth / 2 ? x + ABOVE / 2 : x - ABOVE / 2 - LENS; // where there is no room above
  made.lens.style.translate = `${up < EDGE ? aside : across}px ${Math.max(up, EDGE)}px`;
  for (const one of copy.querySelectorAll("[data-aimed], [data-ghost]")) {
    one.removeAttribute("data-aimed");
    one.removeAttribute("data-ghost");
    one.querySelector(".ghost")?.remove();
  }
  found?.to.dispatchEvent(new PointerEvent("pointerover", { bubbles: true })); // what comes there is shown on the board
  const twin = (/** @type {HTMLElement | null | undefined} */ one) =>
    one && copy.querySelector(`[data-space="${CSS.escape(one.dataset.space ?? "")}"]`);
  twin(found?.to)?.setAttribute("data-aimed", "");
  const ghosted = /** @type {HTMLElement | null} */ (map.querySelector("[data-ghost]"));
  twin(ghosted)?.setAttribute("data-ghost", "");
  const ghost = ghosted?.querySelector(".ghost");
  if (ghost) twin(ghosted)?.append(ghost.cloneNode(true));
}

// A copy of the board, behind a round window.
/** @param {HTMLElement} map */
function lensOver(map) {
  const lens = document.createElement("div");
  lens.id = "lens";
  lens.className = "boards";
  lens.inert = true;
  const board = document.createElement("div");
  board.className = map.closest(".board")?.className ?? "board";
  const copy = /** @type {HTMLElement} */ (map.cloneNode(true));
  const { width, height } = map.getBoundingClientRect();
  Object.assign(copy.style, { width: `${width}px`, height: `${height}px`, transformOrigin: "0 0" });
  board.append(copy);
  lens.append(board);
  document.body.append(lens);
  return lens;
}

/** @param {PointerEvent} event @param {Picking | null} picking */
function end(event, picking) {
  if (!press) return;
  if (picking && event.pointerId !== press.pointer) return;
  const { goals, lens, wait } = press;
  const found = picking && goals.length ? marked(press, event) : null;
  clearTimeout(wait);
  lens?.remove();
  press = null;
  const choice = found && picking?.things[Number(found.to.dataset.thing)];
  if (!choice) return;
  addEventListener("click", swallow, { capture: true });
  setTimeout(() => removeEventListener("click", swallow, { capture: true }));
  picking.aim(choice);
}

// The click that a browser makes of it.
/** @param {Event} event */
function swallow(event) {
  event.stopPropagation();
  event.preventDefault();
}
