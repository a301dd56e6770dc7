// What lay before several people and was taken last, such as a trick: to be looked at once more.

import { passed } from "./pace.js";
import { regionOf } from "./place.js";
import { h } from "./preact.js";
import { known as server } from "./scores_heard.js";
import { avatar } from "./seat_parts.js";
import { number, say } from "./words.js";
import { laid } from "./zones.js";

/** @import { Rect, Redraw, State, Table } from "./types" */

/** @typedef {{ step: number, cards: { seat: number, name: string }[], by: number }} Taken */
/** @typedef {Pick<State, "steps" | "round" | "moves">} Moment */

/** @typedef {{ round: number, taken: Taken | null, laid: number[] }} Step */ // laid: who laid something then, in their order
/** @type {WeakMap<Table["zones"], Map<number, Step | null>>} */
const known = new WeakMap(); // by the number of steps; null while it is asked for
/** @type {import("./place.js").Region[]} */
const KEPT = ["offer", "hand"]; // what goes there has been passed on, not taken
const MOST_STEPS = { seat: 3, more: 4 }; // for each seat, and besides, in which something is taken again
let open = -1; // the step whose cards are shown

/** @param {string} key of a zone */
const parts = (key) => {
  const [zone, owner] = key.split("/");
  return { zone, seat: owner === "" ? -1 : Number(owner) };
};

// Whether somebody takes what several lay on the cloth: all of it goes on to zones of seats, and is not kept in hands.
/** @param {Table} of */
export const takes = (of) =>
  Object.keys(of.zones).some((zone) => {
    const { passes = [], filled = [] } = of.zones[zone].flow ?? {};
    const isTaken = (/** @type {string} */ one) => of.zones[one]?.of === "seat" && !KEPT.includes(regionOf(of, one));
    return regionOf(of, zone) === "offer" && filled.length > 0 && passes.length > 0 && passes.every(isTaken);
  });

// What one seat has taken of several, with the last step of a state.
/** @param {Table} of @param {Moment} state @returns {Taken | null} */
export function takenWith(of, { moves, steps }) {
  const left = moves.filter(
    ({ source, target }) =>
      regionOf(of, parts(source).zone) === "offer" && !KEPT.includes(regionOf(of, parts(target).zone)),
  );
  const cards = left.flatMap(({ source, pieces = [] }) => pieces.map((name) => ({ seat: parts(source).seat, name })));
  const takers = new Set(left.map(({ target }) => parts(target).seat));
  const [by] = takers;
  return new Set(cards.map(({ seat }) => seat)).size > 1 && takers.size === 1 && by >= 0
    ? { step: steps, cards, by }
    : null;
}

// Who has laid something on the cloth with the last step of a state, in their order.
/** @param {Table} of @param {Moment} state */
const laidWith = (of, { moves }) =>
  moves.map(({ target }) => parts(target)).flatMap(({ zone, seat }) => (regionOf(of, zone) === "offer" ? seat : []));

// The same cards in the order in which they were laid; as they are where that is not known yet. ask: for earlier steps.
/** @param {Table} of @param {Taken} taken @param {((step: number) => void) | null} ask @returns {Taken & { isOrdered: boolean }} */
export function inOrder(of, taken, ask) {
  const steps = known.get(of.zones) ?? new Map();
  const seats = new Set(taken.cards.map(({ seat }) => seat));
  const first = Math.max(1, taken.step - MOST_STEPS.seat * seats.size - MOST_STEPS.more);
  /** @type {number[]} */
  let order = [];
  for (let step = taken.step; step >= first && order.length < seats.size; step--) {
    const one = steps.get(step);
    if (one === undefined && ask) {
      steps.set(step, null);
      ask(step - 1);
    }
    if (!one || (step < taken.step && one.taken)) break;
    order = [...one.laid.filter((/** @type {number} */ seat) => seats.has(seat) && !order.includes(seat)), ...order];
  }
  if (order.length < seats.size) return { ...taken, isOrdered: false };
  const cards = taken.cards.toSorted((one, other) => order.indexOf(one.seat) - order.indexOf(other.seat));
  return { ...taken, cards, isOrdered: true };
}

// What was taken last, up to a state: never in another deal. What no page has shown, such as after a reload, is asked
// for, step by step.
/** @param {Table} of @param {Moment} state @param {((step: number) => void) | null} ask @returns {Taken | null} */
export function lastTaken(of, state, ask) {
  const steps = known.get(of.zones) ?? new Map();
  known.set(of.zones, steps);
  /** @param {Moment} one */
  const note = (one) => {
    const [taken, earlier] = [takenWith(of, one), steps.get(one.steps)];
    const laid = [...new Set([...(earlier?.laid ?? []), ...laidWith(of, one)])];
    steps.set(one.steps, { round: one.round, taken: taken ?? earlier?.taken ?? null, laid });
  };
  for (const one of passed.splice(0)) {
    for (const step of "log" in one ? [...steps.keys()] : []) if (step > one.steps) steps.delete(step); // taken back
    note(one);
  }
  if (!steps.has(state.steps)) note(state);
  const first = Math.max(1, state.steps - MOST_STEPS.seat * of.seats.length - MOST_STEPS.more);
  for (let step = state.steps; step > first; step--) {
    const one = steps.get(step);
    if (one === undefined && ask) {
      steps.set(step, null);
      ask(step - 1);
    }
    if (!one || (of.deals && one.round !== state.round)) return null;
    if (one.taken) return one.taken;
  }
  return null;
}

/** @param {number} step */
const look = (step) => server.ask?.({ type: "look", step });

// A button in the corner of the cloth, and the cards while it is pressed.
/** @param {Table} of @param {State} state @param {Rect} cloth @param {Redraw} redraw */
export function takenLast(of, state, cloth, redraw) {
  const taken = takes(of) && lastTaken(of, state, server.ask && look);
  if (!taken) return null;
  const isOpen = open === taken.step;
  const turn = () => {
    open = isOpen ? -1 : taken.step;
    redraw();
  };
  const shown = isOpen && inOrder(of, taken, server.ask && look);
  const { x, y, w, h: high } = cloth;
  return h(
    "div",
    { class: "taken-last", key: "taken last", style: { "inset-inline-start": `${x + w}px`, top: `${y + high}px` } },
    shown &&
      h(
        "div",
        { class: "cards", role: "group", "aria-label": say("last taken") },
        shown.cards.map(({ seat, name }, n) =>
          h(
            "span",
            { class: `card-of seat-${seat}${seat === taken.by ? " took" : ""}`, key: name },
            shown.isOrdered && h("b", { class: "nth" }, number(n + 1)),
            laid(of, name, 1, { small: true }),
            avatar(of, state, seat),
          ),
        ),
      ),
    h("button", { type: "button", class: "plain", "aria-expanded": String(isOpen), onclick: turn }, say("last taken")),
  );
}
