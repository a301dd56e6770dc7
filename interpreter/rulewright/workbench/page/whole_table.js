// All that lies on a table and all that its counters hold, in a list, to be looked at.

import { boards } from "./board.js";
import "./roving.js";
import { explains } from "./explain.js";
import { h } from "./preact.js";
import { before } from "./seat_sheet.js";
import { number, say } from "./words.js";
import { figures, ofWords, zone, zoneKey } from "./zones.js";

/** @import { Redraw, State, Table } from "./types" */

// ref: called with the element that is drawn.
/** @param {Table} of @param {State} state @param {{ ref: (drawn: HTMLElement | null) => unknown, redraw: Redraw }} given */
export function wholeTable(of, state, { ref, redraw }) {
  return h(
    "div",
    { class: "whole-table", ref },
    boards(of, state, null, redraw),
    ofTable(of, state),
    ofWords(of, state, null),
    h(
      "div",
      { class: "others" },
      of.seats.map((_, seat) => before(of, state, null, seat)),
    ),
  );
}

// What is nobody's.
/** @param {Table} of @param {State} state */
function ofTable(of, state) {
  const zones = state.zones.filter((one) => one.owner === null && !one.word);
  const aside = zones.filter((one) => of.zones[one.zone].layout === "aside" && one.count > 0);
  return h(
    "section",
    { class: "middle", "aria-label": say("table") },
    h(
      "div",
      { class: "zones" },
      zones.map((one) => zone(of, state, null, one)),
      h(
        "div",
        { class: "loose faint" },
        aside.map((one) =>
          h(
            "span",
            { class: "aside", "data-zone": zoneKey(one) },
            explains("zone", one.zone, of.zones[one.zone].label),
            ` ${number(one.count)}`,
          ),
        ),
        figures(of, state, "", (held) => held),
      ),
    ),
  );
}
