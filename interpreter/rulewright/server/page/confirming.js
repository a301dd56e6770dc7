// Whether a reader wants each move confirmed before it is made. Kept on this device.

import { h } from "./preact.js";
import { readStored, removeStored, store } from "./storage.js";
import { say } from "./words.js";

/** @import { FieldEvent, Redraw } from "./types" */

const KEPT = "rulewright confirm";

export const confirms = () => readStored(KEPT) === "on";

/** @param {Redraw} redraw */
export function confirmChoice(redraw) {
  const turn = (/** @type {FieldEvent} */ { target }) => {
    if (target.checked) store(KEPT, "on");
    else removeStored(KEPT);
    redraw();
  };
  return h(
    "label",
    { class: "confirms" },
    h("input", { type: "checkbox", key: "confirms", checked: confirms(), onchange: turn }),
    h("span", {}, say("confirm moves")),
  );
}
