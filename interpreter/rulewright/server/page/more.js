// What one needs now and then: in the head of the page where there is room, else behind a button.

import { h } from "./preact.js";
import { say } from "./words.js";

/** @import { Child, Redraw } from "./types" */

let open = false;
let redraw = () => {};

/** @param {Redraw} drawn @param {...Child} items */
export function more(drawn, ...items) {
  redraw = drawn;
  return [
    h(
      "button",
      {
        type: "button",
        class: "plain more",
        "aria-expanded": String(open),
        "aria-controls": "menu",
        "aria-label": say("more"),
        onclick: () => set(!open),
      },
      "☰",
    ),
    h("nav", { id: "menu", class: open ? "open" : "", "aria-label": say("more") }, items),
  ];
}

/** @param {boolean} wanted */
function set(wanted) {
  open = wanted;
  redraw();
}

document.addEventListener("click", ({ target }) => {
  if (open && target instanceof Element && !target.closest("#menu :is(select, .drop, .sure > summary), .more"))
    set(false);
});
document.addEventListener("keydown", ({ key }) => {
  if (!open || key !== "Escape") return;
  set(false);
  document.querySelector(".more")?.focus();
});
