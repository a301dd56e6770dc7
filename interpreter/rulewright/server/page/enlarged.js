// A board that fills the window while it is looked at more closely, with what is to be chosen there. It stays the same
// element, since to make another one takes a slow phone a quarter of a second.

import { setLarge } from "./large.js";

/** @import { Redraw } from "./types" */

/** @type {{ board: HTMLElement, behind: HTMLElement[], stop: AbortController } | null} */
let shown = null; // behind: what cannot be reached meanwhile

// Called when the page is drawn; what it gives, when it is laid out.
/** @param {Redraw} redraw */
export function enlarge(redraw) {
  const board = /** @type {HTMLElement | null} */ (document.querySelector("main .board.large"));
  if (shown && shown.board !== board) reduce(shown);
  if (!board || shown) return () => {};
  shown = { board, behind: [...around(board)], stop: new AbortController() };
  const { signal } = shown.stop;
  board.popover = "manual";
  board.showPopover();
  for (const one of shown.behind) one.inert = true;
  const close = (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== "Escape" || document.querySelector("dialog[open]")) return;
    event.preventDefault();
    setLarge(false);
    redraw();
  };
  addEventListener("keydown", close, { signal, capture: true });
  const frame = /** @type {HTMLElement} */ (board.querySelector(".frame"));
  import("./zooming.js").then(({ zoomable }) => zoomable(frame, signal));
  return () => {
    frame.scrollTo((frame.scrollWidth - frame.clientWidth) / 2, (frame.scrollHeight - frame.clientHeight) / 2);
    if (!board.contains(document.activeElement)) board.querySelector("h2")?.focus({ preventScroll: true });
  };
}

/** @param {{ board: HTMLElement, behind: HTMLElement[], stop: AbortController }} was */
function reduce({ board, behind, stop }) {
  shown = null;
  stop.abort();
  for (const one of behind) one.inert = false;
  board.popover = null;
}

// All that is neither in an element nor around it, and takes no message.
/** @param {HTMLElement} element @returns {Generator<HTMLElement>} */
function* around(element) {
  for (let one = element; one.parentElement && one !== document.body; one = one.parentElement)
    for (const other of /** @type {HTMLCollectionOf<HTMLElement>} */ (one.parentElement.children))
      if (other !== one && !other.matches("dialog, #notice")) yield other;
}
