// What a reader can choose in the settings: moves that are planned or confirmed, cards, and boards.

import { grid } from "./board_grid.js";
import { confirms, KEPT, touched } from "./confirming.js";
import { h } from "./preact.js";
import { removeStored, store } from "./storage.js";
import { COLOURS, COORDINATES, hasOn, keepOn, lyingKey, PLANS, RANKS, sideKey } from "./switches.js";
import { say } from "./words.js";

/** @import { FieldEvent, Redraw, Table } from "./types" */

/** @param {string} name @param {string} label @param {boolean} usual @param {Redraw} redraw */
function toggle(name, label, usual, redraw) {
  const turn = (/** @type {FieldEvent} */ { target }) => {
    keepOn(name, target.checked);
    redraw();
  };
  return h(
    "label",
    { class: "row", key: name },
    h("input", { type: "checkbox", checked: hasOn(name, usual), onchange: turn }),
    h("span", {}, label),
  );
}

/** @param {Redraw} redraw */
export function confirmChoice(redraw) {
  const turn = (/** @type {FieldEvent} */ { target }) => {
    if (target.checked === touched.matches) removeStored(KEPT);
    else store(KEPT, target.checked ? "on" : "off");
    redraw();
  };
  return h(
    "label",
    { class: "confirms" },
    h("input", { type: "checkbox", key: "confirms", checked: confirms() !== "none", onchange: turn }),
    h("span", {}, say("confirm moves")),
  );
}

/** @param {Redraw} redraw */
export const planChoice = (redraw) => toggle(PLANS, say("plan moves"), true, redraw);

// What can be chosen where there are cards with suits.
/** @param {Table} of @param {Redraw} redraw */
export function cardChoices(of, redraw) {
  const all = Object.values(of.pieces ?? {});
  return [
    all.some(({ colour }) => colour) && toggle(COLOURS, say("suits in colours"), false, redraw),
    all.some(({ corner, suit }) => corner && suit) && [
      toggle(RANKS, say("sort by rank"), false, redraw),
      h("p", { class: "faint", key: "sort by hand" }, say("sort by hand")),
    ],
  ];
}

// What can be chosen where there are boards; that they lie only in a window in which one would stand.
/** @param {Table} of @param {Redraw} redraw */
export function boardChoices(of, redraw) {
  const drawn = of.boards.filter((board) => board.drawn);
  if (!drawn.length) return null;
  const turned = hasOn(sideKey(of, drawn[0]));
  const turn = (/** @type {FieldEvent} */ { target }) => {
    for (const board of drawn) keepOn(sideKey(of, board), target.checked);
    redraw();
  };
  return [
    toggle(COORDINATES, say("show coordinates"), true, redraw),
    h(
      "label",
      { class: "row", key: "turned" },
      h("input", { type: "checkbox", checked: turned, onchange: turn }),
      h("span", {}, say("other side")),
    ),
    drawn.some((board) => grid(board).standing) && toggle(lyingKey(of), say("boards lie"), false, redraw),
  ];
}
