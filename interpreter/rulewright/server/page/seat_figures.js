// What the edition's looks have beside a name: measures of that seat, such as how far it still has to go.

import { h } from "./preact.js";
import { number } from "./words.js";

/** @import { State, Table } from "./types" */

/** @param {Table} of @param {State} state @param {number} seat */
export const measures = (of, state, seat) =>
  Object.entries(state.measures).map(([name, all]) => {
    const value = all[seat];
    return (
      value !== null &&
      h(
        "span",
        { class: "measure", key: `measure ${name}` },
        h("strong", {}, number(value)),
        " ",
        h("span", { class: "words" }, of.measures[name]),
      )
    );
  });
