// What stands beside the cards of a reader's hand: a button that sorts them, and for screen readers what goes together.

import { forgetOrder, orderOf } from "./own_order.js";
import { h } from "./preact.js";
import { hasOn, keepOn, RANKS } from "./switches.js";
import { alone, filled, row, say } from "./words.js";
import { zoneKey } from "./zones.js";

/** @import { Redraw, Table, Zone } from "./types" */

const BUTTON = 62; // px
const BETWEEN = 8; // px
const FEW = 3; // cards that need no sorting

// groups: names of cards that go together; places: where the cards lie; card: how wide they are; wide: the room.
/** @typedef {{ groups: string[][], places: { x: number, y: number }[], card: number, wide: number, redraw: Redraw }} Fan */

/** @param {Table} of @param {Zone} one @param {Fan} fan */
export function handTools(of, one, { groups, places, card, wide, redraw }) {
  const told = groups.map((names, n) => {
    const text = filled("sort group", { pieces: row(names.map((name) => of.pieces[name].label)) });
    return h("span", { key: `goes ${n}`, id: `goes-${n}`, hidden: true }, alone(text));
  });
  const names = one.pieces ?? [];
  if (names.length <= FEW || !names.every((name) => of.pieces[name].corner && of.pieces[name].suit)) return told;
  const top = Math.min(...places.map(({ y }) => y));
  const end = Math.max(...places.filter(({ y }) => y < top + card / 2).map(({ x }) => x)) + card;
  if (wide - end < BUTTON + BETWEEN) return told; // there is no room: it is among the settings
  const own = orderOf(zoneKey(one));
  const ranks = hasOn(RANKS) === Boolean(own); // whether it sorts by ranks
  const sort = () => {
    forgetOrder(zoneKey(one));
    keepOn(RANKS, ranks);
    redraw();
  };
  const style = { left: `${(wide - BUTTON).toFixed(1)}px`, top: `${(top + BETWEEN).toFixed(1)}px` };
  return [
    ...told,
    h(
      "button",
      { key: "sort", type: "button", class: "sort-hand", style, onclick: sort },
      say(ranks ? "sort ranks" : "sort suits"),
    ),
  ];
}
