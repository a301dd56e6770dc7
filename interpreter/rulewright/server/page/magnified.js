// A phone's hand of so many cards that a finger hardly hits one: where one is chosen, more is seen of it and its neighbours.

/** @import { Held } from "./fan.js" */
/** @import { Picking } from "./types" */

const FINGER = 32; // px that a finger hits
const NEAR = 34; // px that are seen of a card it has chosen, and of its neighbours
const PRESSED = 22; // px of the others at least

// names: of the pieces, undefined where only a back is seen.
/** @param {Held[]} places @param {Picking} picking @param {(string | undefined)[]} names */
export function magnified(places, picking, names) {
  const key = picking.chosen?.key ?? picking.taken.at(-1);
  return spread(places, names.indexOf(picking.asked.choices.find((choice) => choice.key === key)?.piece));
}

// The same row where a finger has chosen one card of it: that stays where it is, and more is seen of it and its neighbours.
/** @param {Held[]} places @param {number} chosen @returns {Held[]} */
export function spread(places, chosen) {
  const last = places.length - 1;
  const step = last > 0 ? (places[last].x - places[0].x) / last : FINGER;
  if (step >= FINGER || !places[chosen] || places.some(({ y }) => y !== places[0].y)) return places;
  const [before, behind] = [chosen, last - chosen];
  const left = Math.max(step, Math.min(NEAR, before * step - PRESSED * (before - 1)));
  const right = Math.max(step, Math.min(NEAR, (behind * step - PRESSED * (behind - 2)) / 2));
  const { x } = places[chosen];
  return places.map((place, n) => {
    if (n < chosen && before > 1) return { ...place, x: places[0].x + (n * (before * step - left)) / (before - 1) };
    const away = n - chosen;
    if (away <= 0 || behind < 3) return place;
    return {
      ...place,
      x: x + Math.min(away, 2) * right + Math.max(0, away - 2) * ((behind * step - 2 * right) / (behind - 2)),
    };
  });
}
