// Switches that a reader has turned, kept on this device: coordinates, the side of a board, planned moves.

import { h } from "./preact.js";
import { readStored, store } from "./storage.js";
import { say } from "./words.js";

/** @import { FieldEvent, Redraw, Table } from "./types" */

/** @param {string} name @param {boolean} [usual] */
export const hasOn = (name, usual = false) => (usual ? readStored(name) !== "no" : readStored(name) === "yes");

/** @param {string} name @param {boolean} on */
export const keepOn = (name, on) => store(name, on ? "yes" : "no");

/** @param {string} name @param {string} label @param {boolean} usual @param {Redraw} redraw */
export function toggle(name, label, usual, redraw) {
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

// Whether moves are planned while others decide.
const PLANS = "rulewright plans";
export const plans = () => hasOn(PLANS, true);
/** @param {Redraw} redraw */
export const planChoice = (redraw) => toggle(PLANS, say("plan moves"), true, redraw);

// Whether cards have the colours that tell more of them apart, and lie in one's hand by their ranks.
export const COLOURS = "rulewright colours";
export const RANKS = "rulewright ranks";

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

// Whether letters and numbers stand at a board's edges.
const COORDINATES = "coordinates";
export const isNamed = () => hasOn(COORDINATES, true);

// From which side a board is seen.
/** @type {(of: Table, board: { name: string }) => string} */
export const sideKey = (of, board) => `turned ${of.edition} ${board.name}`;

// Whether a reader sees the boards from the other side than theirs.
/** @param {Table} of */
export const isSideTurned = (of) => of.boards.some((board) => board.drawn && hasOn(sideKey(of, board)));

// What can be chosen where there are boards.
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
  ];
}
