// Keys that hold for the whole table, wherever the focus is.

/** @import { Picking } from "./types" */

/** @param {KeyboardEvent} event */
const isTyped = ({ target }) => target instanceof Element && target.closest("input, textarea, select") !== null;

// picking: the answer that is being made, if any.
/** @param {() => Picking | null} picking */
export function attendKeys(picking) {
  addEventListener("keydown", (event) => {
    if (event.defaultPrevented || isTyped(event) || document.querySelector("dialog[open]:not(.board), #menu.open"))
      return;
    if (event.key === "Escape" && picking()?.letGo()) event.preventDefault();
  });
}
