// Switches that a reader has turned, kept on this device: coordinates, the side of a board, planned moves.

import { readStored, store } from "./storage.js";

/** @import { Table } from "./types" */

/** @param {string} name @param {boolean} [usual] */
export const hasOn = (name, usual = false) => (usual ? readStored(name) !== "no" : readStored(name) === "yes");

/** @param {string} name @param {boolean} on */
export const keepOn = (name, on) => store(name, on ? "yes" : "no");

// Whether moves are planned while others decide.
export const PLANS = "rulewright plans";
export const plans = () => hasOn(PLANS, true);

// Whether cards have the colours that tell more of them apart, and lie in one's hand by their ranks.
export const COLOURS = "rulewright colours";
export const RANKS = "rulewright ranks";

// Whether letters and numbers stand at a board's edges.
export const COORDINATES = "coordinates";
export const isNamed = () => hasOn(COORDINATES, true);

// From which side a board is seen.
/** @type {(of: Table, board: { name: string }) => string} */
export const sideKey = (of, board) => `turned ${of.edition} ${board.name}`;

// Whether a reader sees the boards from the other side than theirs.
/** @param {Table} of */
export const isSideTurned = (of) => of.boards.some((board) => board.drawn && hasOn(sideKey(of, board)));

// Whether a reader wants the boards of a game to lie where the window would have them stand.
/** @param {Table} of */
export const lyingKey = (of) => `lying ${of.edition}`;
/** @param {Table} of */
export const isLaid = (of) => hasOn(lyingKey(of));
