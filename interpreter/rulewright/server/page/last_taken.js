// What lay before several people and was taken last, such as a trick: to be looked at once more.

import { sweeps } from "./pace.js";
import { regionOf } from "./place.js";
import { h } from "./preact.js";
import { avatar } from "./seat_parts.js";
import { say } from "./words.js";
import { laid } from "./zones.js";

/** @import { Rect, Redraw, State, Table } from "./types" */

/** @typedef {{ steps: number, cards: { seat: number, name: string }[], by: number }} Taken */

/** @type {WeakMap<Table["zones"], Taken>} */
const known = new WeakMap();
/** @type {import("./place.js").Region[]} */
const KEPT = ["offer", "hand"]; // what goes there has been passed on, not taken
let open = -1; // the step whose cards are shown

/** @param {string} key of a zone */
const parts = (key) => {
  const [zone, owner] = key.split("/");
  return { zone, seat: owner === "" ? -1 : Number(owner) };
};

// By what has moved in the last step of a state.
/** @param {Table} of @param {State} state @returns {Taken | null} */
export function lastTaken(of, { moves, steps }) {
  const left = moves.filter(
    ({ source, target }) =>
      regionOf(of, parts(source).zone) === "offer" && !KEPT.includes(regionOf(of, parts(target).zone)),
  );
  const cards = left.flatMap(({ source, pieces = [] }) => pieces.map((name) => ({ seat: parts(source).seat, name })));
  const last = known.get(of.zones) ?? null;
  if (new Set(cards.map(({ seat }) => seat)).size > 1 && steps >= (last?.steps ?? 0))
    known.set(of.zones, { steps, cards, by: parts(left[0].target).seat });
  return known.get(of.zones) ?? null;
}

// A button in the corner of the cloth, and the cards while it is pressed.
/** @param {Table} of @param {State} state @param {Rect} cloth @param {Redraw} redraw */
export function takenLast(of, state, cloth, redraw) {
  for (const swept of sweeps.splice(0)) lastTaken(of, swept);
  const taken = lastTaken(of, state);
  if (!taken) return null;
  const isOpen = open === taken.steps;
  const turn = () => {
    open = isOpen ? -1 : taken.steps;
    redraw();
  };
  const { x, y, w, h: high } = cloth;
  return h(
    "div",
    { class: "taken-last", key: "taken last", style: { "inset-inline-start": `${x + w}px`, top: `${y + high}px` } },
    isOpen &&
      h(
        "div",
        { class: "cards", role: "group", "aria-label": say("last taken") },
        taken.cards.map(({ seat, name }) =>
          h(
            "span",
            { class: `card-of seat-${seat}${seat === taken.by ? " took" : ""}`, key: name },
            laid(of, name, 1, { small: true }),
            avatar(of, state, seat),
          ),
        ),
      ),
    h("button", { type: "button", class: "plain", "aria-expanded": String(isOpen), onclick: turn }, say("last taken")),
  );
}
