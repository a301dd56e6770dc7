// Pieces that move are seen to move: a picture of each flies from where it was to where it is, in the order in which the
// server tells it. Nothing is waited for; whoever clicks, presses a key or is asked anew sees all at its place.

/** @import { Flight, Picture, State, Table, Zone } from "./types" */

import { back, face } from "./pieces.js";
import { render } from "./preact.js";
import { play } from "./sound.js";
import { isSown, SOWN } from "./sowing.js";
import { zoneKey } from "./zones.js";

const TIME = 300; // milliseconds of a flight
const APART = 60; // from one to the next
const LONGEST = 1200; // all together
const REST = 900; // for which what has just come, such as a whole trick, lies there before it goes on
const TUMBLE = 400; // of dice
const SMALL = 0.6; // times its size, where a piece comes out of something or goes into it
const RING = 1500; // for which a ring stays where nothing flies

const still = matchMedia("(prefers-reduced-motion: reduce)");

/** @type {Set<Animation>} */
const running = new Set();
for (const touch of ["pointerdown", "keydown"]) addEventListener(touch, finishMoves, { passive: true, capture: true });

// Everything is at its place.
export function finishMoves() {
  for (const one of running) one.finish();
  running.clear();
}

/** @typedef {{ whose: unknown, state: State, step: number | null }} Drawn */
/** @type {Drawn | null} */
let last = null;
/** @type {string[]} */
let told = []; // moves since the last step that the log tells of

// What is to be seen of a new state besides itself: called before it is drawn, while all is where it was; what it gives
// is called when it is. whose: of what it is a state; step: at which one looks back, null for now.
/** @param {Table} of @param {State} after @param {unknown} whose @param {number | null} [step] */
export function movement(of, after, whose, step = null) {
  const before = last !== null && last.whose === whose ? last.state : null;
  const follows = isNext(last, { whose, state: after, step });
  last = { whose, state: after, step };
  if (before === after) return () => {};
  finishMoves();
  if (!before || !follows) return () => {};
  const old = new Map(before.zones.map((zone) => [zoneKey(zone), zone]));
  const flights = departures(of, old, after);
  const dice = thrown(of, old, after, flights);
  const was = new Set(document.querySelectorAll("main [data-at]"));
  return () => {
    if (after.over && !before.over) play("end");
    else if (dice.length) play("dice");
    else if (flights.length) play("move");
    animate(of, flights, was);
    for (const [at, name, place] of dice) {
      const die = placeOf(at, name, place);
      if (die && still.matches) ring(die);
      else if (die) tumble(die);
    }
  };
}

// Whether a state comes just after the one that was drawn last. Without a new line in the log, what was told before was
// taken back.
/** @param {Drawn | null} before @param {Drawn} after */
export function isNext(before, { whose, state, step }) {
  const text = JSON.stringify(state.moves);
  if (before === null || before.whose !== whose || (before.step === null) !== (step === null)) {
    told = [text];
    return false;
  }
  if (before.step !== null || before.state.steps !== state.steps) {
    told = [text];
    return before.step !== null ? step === before.step + 1 : state.steps > before.state.steps;
  }
  if (before.state.moves === state.moves) return false;
  if (told.at(-2) === text) {
    told.pop();
    return false;
  }
  told.push(text);
  return true;
}

// ── what moves ──

/** @param {Table} of @param {Map<string, Zone>} old @param {State} after @returns {Flight[]} */
function departures(of, old, after) {
  const counts = new Counts();
  return after.moves.flatMap(({ source, target, pieces, hidden }) =>
    [...pieces, ...Array.from({ length: hidden }, () => "")]
      .filter((name) => !of.pieces[name]?.die || old.get(source)?.pieces?.includes(name))
      .map((name) => {
        const from = placeOf(source, name, counts.next(source, name));
        return {
          name,
          source,
          target,
          rect: still.matches ? undefined : from?.getBoundingClientRect(),
          picture: picture(of, from, source, name),
        };
      }),
  );
}

// Dice that show something else than before: where they lie, what they show, and which of those that show it they are.
/** @param {Table} of @param {Map<string, Zone>} old @param {State} after @param {Flight[]} flights @returns {[string, string, number][]} */
export function thrown(of, old, after, flights) {
  return after.zones.flatMap((zone) => {
    const at = zoneKey(zone);
    if (zone === old.get(at) || !zone.pieces?.some((name) => of.pieces[name].die)) return [];
    const left = [...(old.get(at)?.pieces ?? []), ...flights.filter((one) => one.target === at).map((one) => one.name)];
    const counts = new Counts();
    return zone.pieces.flatMap((name) => {
      const place = counts.next(at, name);
      const same = left.indexOf(name);
      if (same >= 0) left.splice(same, 1);
      return same < 0 && of.pieces[name].die ? [/** @type {[string, string, number]} */ ([at, name, place])] : [];
    });
  });
}

// Milliseconds at which each flight begins: one after the other, and none before what it moves has come and been looked at.
/** @param {Pick<Flight, "name" | "source" | "target">[]} flights */
export function schedule(flights) {
  const { apart, longest } = isSown(flights) ? SOWN : { apart: APART, longest: LONGEST };
  /** @type {number[]} */
  const starts = [];
  let rests = flights.length; // the first that goes on
  flights.forEach(({ name, source }, at) => {
    const earlier = flights
      .slice(0, at)
      .findLastIndex((one) => one.target === source && (one.name === name || !one.name || !name));
    if (earlier >= 0) rests = Math.min(rests, at);
    const come = earlier < 0 ? 0 : starts[earlier] + TIME;
    starts.push(Math.max(come, (starts.at(-1) ?? -apart) + apart));
  });
  const speed = Math.max(1, (Math.max(0, ...starts) + TIME) / longest);
  return { starts: starts.map((start, at) => start / speed + (at >= rests ? REST : 0)), time: TIME / speed };
}

// Numbers those that look alike in one place.
class Counts {
  /** @type {Map<string, number>} */
  counts = new Map();

  /** @param {string} at @param {string} name */
  next(at, name) {
    const alike = `${at} ${name}`;
    const number = this.counts.get(alike) ?? 0;
    this.counts.set(alike, number + 1);
    return number;
  }
}

// Where a piece lies on the page; else its zone, else whose that is. place: which of several that look alike.
/** @param {string} zone @param {string} name @param {number} place @returns {HTMLElement | null} */
function placeOf(zone, name, place) {
  const at = CSS.escape(zone);
  const seat = zone.split("/").at(-2);
  const ways = [
    name && `[data-at="${at}"][data-piece="${CSS.escape(name)}"]`,
    `[data-at="${at}"]`,
    `[data-zone="${at}"]`,
    seat && `[data-seat="${seat}"] .plate`,
    seat && `[data-seat="${seat}"]`,
  ];
  for (const way of ways) {
    /** @type {NodeListOf<HTMLElement>} */
    const there = document.querySelectorAll(way ? `main ${way}` : "none");
    if (there.length) return there[Math.min(place, there.length - 1)];
  }
  return null;
}

// ── how it is seen ──

/** @param {Table} of @param {Flight[]} flights @param {Set<Element>} was what lay on the table before */
function animate(of, flights, was) {
  const { starts, time } = schedule(flights);
  const counts = new Counts();
  // where all fly to is asked before any picture is added, which would have the page laid out anew for each of them
  const targets = flights.map(({ target, name, rect }) => {
    const place = placeOf(target, name, counts.next(target, name));
    return (
      place && {
        place,
        to: place.getBoundingClientRect(),
        arrived: rect?.width ? picture(of, place, target, name) : null,
      }
    );
  });
  flights.forEach((flight, number) => {
    const target = targets[number];
    if (target && still.matches) ring(target.place);
    else if (target && flight.rect?.width)
      fly(flight, flight.rect, target, { delay: starts[number], duration: time, was });
  });
}

/**
 * @param {Flight} flight
 * @param {DOMRect} from
 * @param {{ place: HTMLElement, to: DOMRect, arrived: ReturnType<typeof picture> }} target where it goes; arrived: how
 *   it is seen there, null where it is not seen any more
 * @param {{ delay: number, duration: number, was: Set<Element> }} given
 */
function fly({ picture: left }, from, { place: target, to, arrived }, { delay, duration, was }) {
  const shown = arrived ?? left;
  if (!shown || !to.width) return;
  const rect = arrived ? to : from;
  const scale = arrived && left ? Math.min(1.4, Math.max(0.4, from.width / to.width)) : SMALL; // a hand is no card
  const away = arrived ? middle(from, to) : middle(to, from);
  Object.assign(shown.piece.style, {
    left: `${rect.left}px`,
    top: `${rect.top}px`,
    width: `${rect.width}px`,
    height: `${rect.height}px`,
  });
  document.body.append(shown.whole);
  const far = { transform: `translate(${away.x}px, ${away.y}px) scale(${scale})` };
  const frames = arrived ? [far, { transform: "none" }] : [{ transform: "none" }, { ...far, opacity: 0.3 }];
  const flight = shown.piece.animate(frames, { delay, duration, fill: "both", easing: "cubic-bezier(.3, .1, .2, 1)" });
  run(flight, () => shown.whole.remove());
  if (!arrived || was.has(target)) return;
  run(target.animate([{ opacity: 0 }, { opacity: 0, offset: 0.98 }, { opacity: 1 }], { duration: delay + duration }));
}

/** @param {DOMRect} one @param {DOMRect} other */
const middle = (one, other) => ({
  x: one.left + one.width / 2 - other.left - other.width / 2,
  y: one.top + one.height / 2 - other.top - other.height / 2,
});

/** @param {Animation} animation */
function run(animation, done = () => {}) {
  running.add(animation);
  const end = () => {
    running.delete(animation);
    done();
  };
  animation.finished.then(end, end);
}

// A picture of a piece, which looks as it does in its place: within what stands around it there, without its room. name: of
// what flies, '' of what is hidden: another piece may lie where it goes, such as the last one of a pile.
/** @param {Table} of @param {HTMLElement | null} piece @param {string} at @param {string} name @returns {Picture | null} */
function picture(of, piece, at, name) {
  if (!piece || piece.dataset.at === undefined || still.matches) return null;
  const isOther = (piece.dataset.piece ?? "") !== name && piece.matches(".laid");
  const made = /** @type {HTMLElement} */ (piece.cloneNode(!isOther));
  if (isOther) {
    const [zone] = at.split("/");
    made.dataset.piece = name;
    render(name ? face(of, name) : back(of, /** @type {Zone} */ ({ zone, hidden: "" }), 1), made);
  }
  made.classList.add("flying");
  for (const badge of made.querySelectorAll(".badge")) badge.remove(); // one flies, of however many there are
  let whole = made;
  for (let around = piece.parentElement; around?.parentElement?.closest("main"); around = around.parentElement) {
    const shell = /** @type {HTMLElement} */ (around.cloneNode(false));
    shell.removeAttribute("id");
    shell.classList.add("flown");
    shell.append(whole);
    whole = shell;
  }
  const sky = document.createElement("div");
  sky.className = "flights";
  sky.style.width = `${piece.closest(".map")?.clientWidth ?? innerWidth}px`;
  sky.append(whole);
  sky.inert = true;
  sky.setAttribute("aria-hidden", "true");
  return { whole: sky, piece: made };
}

/** @param {HTMLElement} die */
function tumble(die) {
  const frames = [
    { transform: "translate(-60%, -90%) rotate(-500deg) scale(1.3)", opacity: 0.4 },
    { transform: "translate(10%, 15%) rotate(-60deg)", opacity: 1, offset: 0.7 },
    { transform: "none" },
  ];
  run(die.animate(frames, { duration: TUMBLE, easing: "ease-out" }));
}

// Where nothing moves on the page, what has moved on the table has a ring for a while.
/** @param {HTMLElement} where */
function ring(where) {
  where.dataset.moved = "";
  setTimeout(() => delete where.dataset.moved, RING);
}
