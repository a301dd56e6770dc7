// As whom one looks at the table: with everything open, as one of the seats, or as somebody who watches.

import { h } from "./preact.js";
import { say } from "./words.js";

/** @import { Table } from "./types" */

// chosen: 'all', 'none' or a seat's number as text; choose: is called with another one.
/** @param {Table} of @param {string} chosen @param {(value: string) => void} choose */
export function seatChoice(of, chosen, choose) {
  const option = (/** @type {string} */ value, /** @type {string} */ text) => h("option", { value, key: value }, text);
  return h(
    "label",
    { class: "row seat-choice", key: "seat choice" },
    h("span", {}, say("seen by")),
    h(
      "select",
      { value: chosen, onchange: (event) => choose(event.target.value) },
      option("all", say("sees all")),
      of.seats.map(({ name }, seat) => option(String(seat), name)),
      option("none", say("spectator")),
    ),
  );
}
