// What a piece becomes that has just come onto a space, such as a queen: chosen over that space, by pictures.

import { classes } from "./dom.js";
import { inDisc, painted } from "./pieces.js";
import { h } from "./preact.js";
import { zoneKey } from "./zones.js";

/** @import { Board, Choice, Picking, Piece, State, Table } from "./types" */

// The space, and for each choice the piece that there would be; null where something else is asked.
/** @param {Table} of @param {State} state @param {Board} board @param {Picking | null} picking */
export function becoming(of, state, board, picking) {
  if (!picking || picking.several || picking.asked.kind !== "word") return null;
  const { choices } = picking.asked;
  for (const one of state.zones) {
    if (of.zones[one.zone].of !== board.words || state.changed?.get(zoneKey(one)) !== "came") continue;
    for (const name of one.pieces ?? []) {
      if (state.owners[name] !== of.seat) continue;
      const pieces = choices.flatMap((choice) => changed(of, of.pieces[name], choice) ?? []);
      if (pieces.length === choices.length) return { word: one.word, choices, pieces };
    }
  }
  return null;
}

// A piece with a picture that differs from another one only by a word.
/** @param {Table} of @param {Piece} from @param {Choice} choice */
function changed(of, from, { words, word }) {
  if (of.boards.some((board) => board.words === words)) return undefined;
  const attributes = Object.entries(from.attributes);
  return Object.values(of.pieces).find(
    ({ kind, picture, attributes: own }) =>
      picture &&
      kind === from.kind &&
      attributes.filter(([name, value]) => own[name] !== value).length === 1 &&
      attributes.every(([name, value]) => own[name] === value || own[name] === word),
  );
}

/** @param {Table} of @param {Picking} picking @param {NonNullable<ReturnType<typeof becoming>>} found @param {Record<string, string>} style */
export function menu(of, picking, { choices, pieces }, style) {
  return h(
    "div",
    { class: "becoming", role: "group", "aria-label": picking.asked.prompt, style },
    choices.map((choice, n) =>
      h(
        "button",
        {
          type: "button",
          key: choice.key,
          class: picking.sort(choice),
          "aria-label": choice.label,
          title: choice.label,
          onclick: () => picking.tap(choice),
        },
        h("span", { class: classes("man", painted(pieces[n]).trim()) }, inDisc(of, pieces[n])),
      ),
    ),
  );
}
