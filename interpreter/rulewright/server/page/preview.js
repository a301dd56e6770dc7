// What a first tap has chosen, large.

import { face } from "./pieces.js";
import { h } from "./preact.js";
import { say } from "./words.js";

/** @import { Regions } from "./arrange.js" */
/** @import { Choice, Picking, Table } from "./types" */

// In little room, what a first tap has chosen is shown large, unless it is as large where it lies: over the hand, where
// there is one, since what lies on the table is decided about.
/** @param {Table} of @param {Picking} picking @param {Regions} regions @param {(choice: Choice) => boolean} inPlace */
export function preview(of, picking, { hand }, inPlace) {
  const { chosen } = picking;
  if (!chosen?.piece || chosen.words || chosen.owner === of.seat || !inPlace(chosen)) return null;
  const close = () => picking.choose(null);
  return h(
    "div",
    {
      class: `preview${hand ? " below" : ""}`,
      key: `preview ${chosen.key}`,
      role: "group",
      "aria-label": chosen.label,
    },
    h("div", { class: "laid large", "aria-hidden": "true" }, face(of, chosen.piece, chosen.count)),
    h("button", { type: "button", class: "plain", "aria-label": say("close"), onclick: close }, "✕"),
  );
}
