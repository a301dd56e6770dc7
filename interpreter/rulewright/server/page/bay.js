// What lies on a board besides its pieces. Dice lie between its rows: the reader's at the right, others' at the left, the
// table's between. What shows the stakes lies at the edge: the reader's on their side, the table's in the middle.

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

// bays: where things lie, and those at the edge; below: whether the reader's side is the lower one. Where a question has one
// answer only, one gives it by a click on what lies there, as one picks up the dice at the end of a turn. Of a menu, a click
// gives the only entry that moves, turns or rolls what lies there.
/** @typedef {{ bay: Record<string, string>, rim: Record<string, string> | null, below: boolean }} Bays */
/** @param {Table} of @param {State} state @param {Picking | null} picking @param {Bays} bays */
export function bay(of, state, picking, { bay, rim, below }) {
  const full = state.zones.filter((one) => liesInBay(of, one) && one.count > 0);
  const [edge, inner] = [true, false].map((wanted) =>
    full.filter((one) => (rim !== null && of.zones[one.zone].place === "edge") === wanted),
  );
  return [
    h(
      "div",
      { class: "bay", key: "bay", style: bay },
      inner.map((one) => group(of, state, picking, one, onlyAnswer(picking) ?? entryOf(of, picking, one))),
    ),
    rim &&
      edge.length > 0 &&
      h(
        "div",
        { class: classes("bay rim", !below && "turned"), key: "rim", style: rim },
        edge.map((one) => group(of, state, picking, one, entryOf(of, picking, one))),
      ),
  ];
}

// The entry of a menu that a click there gives.
/** @param {Table} of @param {Picking | null} picking @param {Zone} one @returns {Choice | null} */
function entryOf(of, picking, { pieces }) {
  if (picking?.asked.kind !== "branch") return null;
  const kinds = new Set((pieces ?? []).map((name) => of.pieces[name].kind));
  const [entry, ...others] = picking.asked.choices.filter(({ key }) =>
    picking.leads.to(key)?.touches?.some((kind) => kinds.has(kind)),
  );
  return entry && !others.length ? entry : null;
}

/** @param {Table} of @param {State} state @param {Picking | null} picking @param {Zone} one @param {Choice | null} only */
function group(of, state, picking, one, only) {
  const { label } = of.zones[one.zone];
  const side = one.owner === null ? "" : one.owner === (of.seat ?? 0) ? "own" : "theirs";
  return h(
    "div",
    {
      class: classes("lies", side, only && "gives"),
      key: zoneKey(one),
      role: "img",
      "aria-label": entry(label, row((one.pieces ?? []).map((name) => of.pieces[name].label))),
      "data-zone": zoneKey(one),
      title: only?.label,
      onclick: only && (() => picking?.take(only)),
    },
    lying(of, state, one, "row"),
  );
}
