// At a thing that several entries of a menu take, such as a card that one may play or sell: which of them is meant.

import { h } from "./preact.js";
import { alone } from "./words.js";

/** @import { Picking } from "./types" */

const GAP = 8; // px between it and the thing, and to the window's edges

/** @param {Picking | null} picking */
export function ways(picking) {
  const forked = picking?.forked;
  if (!picking || !forked?.ways) return null;
  const thing = picking.things.findIndex(({ key, ways, word }) => ways && key === forked.key && word === forked.word);
  return h(
    "div",
    {
      class: "fork",
      key: `ways ${forked.key}`,
      role: "group",
      "aria-label": forked.label,
      popover: "auto",
      ref: (/** @type {HTMLElement | null} */ element) => element && open(element, thing),
      ontoggle: (/** @type {ToggleEvent} */ { newState }) =>
        newState === "closed" && picking.forked === forked && picking.askWay(null),
    },
    forked.ways.map((way, n) =>
      h(
        "button",
        {
          type: "button",
          class: "choice",
          key: way.before?.[0],
          autofocus: n === 0,
          onclick: () => {
            picking.picked.forked = null;
            picking.take(way);
          },
        },
        alone(picking.asked.choices.find(({ key }) => key === way.before?.[0])?.label ?? ""),
      ),
    ),
  );
}

// Above the thing, or else below it.
/** @param {HTMLElement} element @param {number} thing */
function open(element, thing) {
  const at = document.querySelector(`.stage [data-thing="${thing}"]`);
  if (!at || element.matches(":popover-open")) return;
  element.showPopover();
  const { left, width, top, bottom } = at.getBoundingClientRect();
  const { offsetWidth, offsetHeight } = element;
  const x = Math.min(innerWidth - offsetWidth - GAP, left + (width - offsetWidth) / 2);
  const above = top - offsetHeight - GAP;
  element.style.left = `${Math.max(GAP, x)}px`;
  element.style.top = `${above >= GAP ? above : bottom + GAP}px`;
}
