// Pieces that move are seen to move: a picture of each flies from where it was to where it is.

import { moves } from "./moves.js";
import { zoneKey } from "./zones.js";

/** @import { Departure, Place, State } from "./types" */

const TIME = 420; // milliseconds
const MOST = 24;

const still = matchMedia("(prefers-reduced-motion: reduce)");

// What moves between two states, with the places that it leaves; then, when the new state is drawn, it flies.
/** @param {State | null} before @param {State} after */
export function departures(before, after) {
  if (still.matches || !before || before === after) return [];
  const found = moves(before, after);
  return found.length > MOST
    ? []
    : found.map((move) => ({ ...move, left: placeOf(move.from, move.name)?.getBoundingClientRect() }));
}

/** @param {Departure[]} departed */
export function animateMoves(departed) {
  for (const { name, to, left } of departed) {
    const target = placeOf(to, name);
    const there = target?.getBoundingClientRect();
    if (!target || !left?.width || !there?.width || !target.dataset.at) continue;
    const ghost = target.cloneNode(true);
    ghost.inert = true;
    ghost.classList.add("flying");
    Object.assign(ghost.style, {
      left: `${there.left}px`,
      top: `${there.top}px`,
      width: `${there.width}px`,
      height: `${there.height}px`,
    });
    document.body.append(ghost);
    const size = Math.min(1.4, Math.max(0.4, left.width / there.width));
    const [x, y] = [
      left.left + left.width / 2 - there.left - there.width / 2,
      left.top + left.height / 2 - there.top - there.height / 2,
    ];
    ghost
      .animate([{ transform: `translate(${x}px, ${y}px) scale(${size})` }, { transform: "none" }], {
        duration: TIME,
        easing: "cubic-bezier(.3, .1, .2, 1)",
      })
      .finished.then(
        () => ghost.remove(),
        () => ghost.remove(),
      );
    target.animate([{ opacity: 0 }, { opacity: 0, offset: 0.9 }, { opacity: 1 }], { duration: TIME });
  }
}

// Where a piece lies on the page; else its zone, else whose that is.
/** @param {Place} zone @param {string | null} name */
function placeOf(zone, name) {
  const at = CSS.escape(zoneKey(zone));
  const ways = [
    name !== null && `[data-at="${at}"][data-piece="${CSS.escape(name)}"]`,
    `[data-at="${at}"]`,
    `[data-zone="${at}"]`,
    zone.owner !== null && `[data-seat="${zone.owner}"]`,
  ];
  return (
    ways
      .filter(Boolean)
      .map((way) => document.querySelector(`main ${way}`))
      .find((found) => found !== null) ?? null
  );
}
