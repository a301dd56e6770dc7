// Regions of a drawn board: spaces that are alike; where that matters, how many of each are taken, and what lies on the
// region itself.

import { heaps, picture } from "./pieces.js";
import { h } from "./preact.js";
import { number, row, say, times } from "./words.js";

/** @import { Board, Region, Space, State, Table } from "./types" */

const COLOURS = 8;

/** @type {WeakMap<Space, string>} */
const kinds = new WeakMap(); // once worked out

/** @param {Space} space */
function alike(space) {
  if (!kinds.has(space)) kinds.set(space, JSON.stringify(space.is));
  return kinds.get(space);
}

// None where all spaces are alike, or hardly two of them.
/** @param {Table} of @param {State} state @param {Board} board */
export function regions(of, state, board) {
  const found = new Map();
  for (const space of board.spaces) found.set(alike(space), [...(found.get(alike(space)) ?? []), space]);
  if (found.size < 2 || found.size > board.spaces.length / 2) return [];
  const taken = new Set(
    state.zones
      .filter((one) => one.word && one.count > 0 && of.zones[one.zone].of === board.words)
      .map((one) => one.word),
  );
  return [...found.values()].map((spaces) => ({
    spaces,
    label: row(spaces[0].told),
    ground: spaces[0].sign || spaces[0].ground,
    colour: colour(board, spaces[0]),
    full: spaces.filter((/** @type {{ word: string }} */ { word }) => taken.has(word)).length,
    marks: marks(of, state, spaces[0]),
  }));
}

// What lies on the words that make a region.
/** @param {Table} of @param {State} state @param {Space} space */
function marks(of, state, space) {
  const lists = listsOf(of, space);
  return heaps(
    state.zones
      .filter(
        (one) => one.pieces && lists.includes(of.zones[one.zone].of) && Object.values(space.is).includes(one.word),
      )
      .flatMap((one) => one.pieces ?? []),
  );
}

/** @param {Table} of @param {{ is: Space["is"] }} given */
const listsOf = (of, { is }) =>
  Object.keys(of.words).filter((list) => Object.values(is).some((word) => word in of.words[list].words));

// Lists of words whose pieces are drawn on the regions of a board.
/** @param {Table} of @param {State} state */
export function drawnOn(of, state) {
  return new Set(
    of.boards
      .filter((board) => board.drawn && board.counted && regions(of, state, board).length)
      .flatMap((board) => listsOf(of, board.spaces[0])),
  );
}

// By which a space without a ground is told from others.
/** @param {Board} board @param {Space} space */
export const colour = (board, space) => `region-${sorts(board).indexOf(alike(space)) % COLOURS}`;

/** @param {Board} board */
const sorts = (board) => [...new Set(board.spaces.map(alike))];

/** @param {{ full: number, spaces: Space[] }} given */
const count = ({ full, spaces }) => `${number(full)}/${number(spaces.length)}`;

// Tags where spaces of a region meet, so that they cover little of what lies there.
/** @param {Table} of @param {Board} board @param {Region[]} found @param {(spaces: Space[]) => Record<string, string>} place */
export function tags(of, board, found, place) {
  return (
    board.counted &&
    found.map((region) =>
      h(
        "span",
        {
          class: `tag${region.full === region.spaces.length ? " all" : ""}`,
          key: `tag ${region.spaces[0].word}`,
          "aria-hidden": "true",
          title: `${region.label} ${count(region)}`,
          style: place(region.spaces),
        },
        count(region),
        region.marks.map(({ name }) => of.pieces[name].picture && picture(of, of.pieces[name].picture)),
      ),
    )
  );
}

// What grounds and colours mean; nothing where all that is drawn is alike.
/** @param {Table} of @param {Board} board @param {Region[]} found */
export function legend(of, board, found) {
  const told = found.filter((region) => region.label);
  if (!told.length || (!board.counted && new Set(found.map(({ ground, colour }) => ground ?? colour)).size < 2))
    return null;
  return h(
    "details",
    { class: "legend", key: "legend" },
    h("summary", {}, say("legend")),
    h(
      "ul",
      {},
      told.map((region) =>
        h(
          "li",
          { key: region.label, title: region.spaces.map(({ label }) => label).join(" ") },
          region.ground ? picture(of, region.ground) : h("span", { class: `swatch ${region.colour}` }),
          h("span", {}, region.label),
          board.counted && h("strong", {}, count(region)),
          region.marks.map(({ name, count: many }) =>
            h(
              "span",
              { class: "chip" },
              of.pieces[name].picture
                ? picture(of, of.pieces[name].picture, times(of.pieces[name].label, many))
                : of.pieces[name].label,
            ),
          ),
        ),
      ),
    ),
  );
}
