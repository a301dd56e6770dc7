// What lies on a board besides its pieces, such as dice: the reader's at the right, others' at the left, the table's between.

import { classes } from "./dom.js";
import { lying } from "./men.js";
import { onlyAnswer } from "./picking.js";
import { regionOf } from "./place.js";
import { h } from "./preact.js";
import { entry, row } from "./words.js";
import { zoneKey } from "./zones.js";

/** @import { Choice, Picking, State, Table, Zone } from "./types" */

/** @param {Table} of @param {Zone} one */
export const liesInBay = (of, one) => !one.word && regionOf(of, one.zone) === "board";

// style: where the bay is. Where a question has one answer only, one gives it by a click on what lies there, as one picks up
// the dice at the end of a turn.
/** @param {Table} of @param {State} state @param {Picking | null} picking @param {Record<string, string>} style */
export function bay(of, state, picking, style) {
  const only = onlyAnswer(picking);
  return h(
    "div",
    { class: classes("bay", only && "gives"), key: "bay", style },
    state.zones.filter((one) => liesInBay(of, one) && one.count > 0).map((one) => group(of, state, picking, one, only)),
  );
}

/** @param {Table} of @param {State} state @param {Picking | null} picking @param {Zone} one @param {Choice | null} only */
function group(of, state, picking, one, only) {
  const { label } = of.zones[one.zone];
  const side = one.owner === null ? "" : one.owner === (of.seat ?? 0) ? "own" : "theirs";
  return h(
    "div",
    {
      class: classes("lies", side),
      key: zoneKey(one),
      role: "img",
      "aria-label": entry(label, row((one.pieces ?? []).map((name) => of.pieces[name].label))),
      "data-zone": zoneKey(one),
      onclick: only && (() => picking?.take(only)),
    },
    lying(of, state, one, "row"),
  );
}
