// What a device that is passed on says.

import { h } from "./preact.js";
import { filled } from "./words.js";

/** @import { Side } from "./types" */

// In the place of the question. raise: when they say so.
/** @param {Side} side @param {() => void} raise */
export function handover(side, raise) {
  const { table } = side;
  if (!table || table.seat === null) return null;
  const { name } = table.seats[table.seat];
  return h(
    "section",
    {
      class: `asked now handover seat-${table.seat}`,
      key: `handover ${name}`,
      role: "dialog",
      "aria-label": filled("pass the device", { name }),
    },
    h("div", { class: "unseen", role: "status" }, filled("pass the device", { name })),
    h("h2", { tabindex: -1 }, filled("pass the device", { name })),
    h("p", { class: "faint" }, filled("nobody else looks", { name })),
    h("button", { type: "button", class: "main", onclick: raise }, filled("it is me", { name })),
  );
}
