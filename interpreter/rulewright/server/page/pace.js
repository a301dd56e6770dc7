// What has happened is held on the reader's own screen before the next state is drawn: states wait in a row, and
// neither the server nor anybody else waits for them.

import { h } from "./preact.js";
import { sowingTime } from "./sowing.js";
import { readStored } from "./storage.js";
import { say } from "./words.js";

/** @import { LogLine, LoggedState, PastState, Redraw, State, Tell } from "./types" */

export const KEPT = "rulewright pace";
/** @type {Record<string, { line: number, row: number, whole: number }>} */
const PACES = {
  // line: milliseconds for each new line; row: for all that waits, which is shown the faster the more there is; whole:
  // for what several have laid before it is taken, such as a trick, from the last of it on
  slow: { line: 1000, row: Number.POSITIVE_INFINITY, whole: 1500 },
  usual: { line: 250, row: 1500, whole: 1000 },
  fast: { line: 140, row: 1200, whole: 500 },
  "at once": { line: 0, row: 0, whole: 0 },
};
const LINES = 3; // that a step is held for, at most
const TOLD = 4; // lines of a step that are told, at most
const OWN = 250; // ms at most, for what only tells what the reader has done
const MOST = 60; // of more, only the last is shown
const READ = 6000; // ms for the end of a deal, where nobody is waited for
const READ_LINE = 600; // and for each line that tells of it

export function pace() {
  const kept = readStored(KEPT);
  return kept !== null && kept in PACES ? kept : "usual";
}

// Milliseconds that it takes to look at what a state has brought.
/** @param {State | undefined} before @param {Pick<PastState, "lines" | "scores"> | undefined} after */
export function time(before, after) {
  if (!before || !after) return 0;
  const told = after.lines.filter((line) => !line.heading).length;
  const scored = after.scores.some((score, seat) => score?.told !== before.scores[seat]?.told);
  return PACES[pace()].line * Math.min(LINES, Math.max(Number(scored), told));
}

// Whether a round ends with a state.
/** @param {State} state @param {State | undefined} next */
export const endsRound = (state, next) => next !== undefined && state.round > 0 && next.round > state.round;

// Milliseconds in which one reads what a deal has brought.
/** @param {number} lines */
export const readingTime = (lines) => READ + READ_LINE * lines;

// Zones of several seats that a state has emptied at once, by their name.
/** @param {State} state */
function swept({ moves }) {
  const owners = Map.groupBy(
    moves.map(({ source }) => source.split("/")),
    ([zone]) => zone,
  );
  return [...owners].filter(([, keys]) => new Set(keys.map(([, owner]) => owner)).size > 1).map(([zone]) => zone);
}

/** @type {(LoggedState | PastState)[]} */
export const passed = []; // states that were shown or looked back at last, in their order; not all of them are drawn

// show: takes a state as what is shown now; redraw: when something else is to be seen.
export class Pace {
  // seat: gives the reader's, or null; deals: whether the end of each round is looked at until the reader goes on.
  /** @param {(state: LoggedState) => void} show @param {Redraw} redraw @param {() => number | null} [seat] @param {() => boolean} [deals] */
  constructor(show, redraw, seat = () => null, deals = () => false) {
    this.show = show;
    this.redraw = redraw;
    this.seat = seat;
    this.deals = deals;
    /** @type {Map<string, number>} */
    this.laid = new Map(); // when something came into a zone last, by its name
    /** @type {State | null} */
    this.resting = null; // the end of a deal that is being looked at
    /** @type {State | null} */
    this.read = null; // the last one that was
    /** @type {LoggedState[]} */
    this.waiting = [];
    /** @type {any} */
    this.shown = null; // none before the first has come
    /** @type {LogLine[]} */
    this.told = []; // what the step that is shown brought to the log
    this.long = 0; // milliseconds for which it is held
    this.since = 0;
    this.lines = 0; // of the log, as far as it is known
    this.speed = 1; // at which what waits is shown
    this.skipping = false; // until the reader is asked
    /** @type {number | undefined} */
    this.timer = undefined;
  }

  // Whether something waits behind what is shown.
  get holding() {
    return this.waiting.length > 0;
  }

  get newest() {
    return this.waiting.at(-1) ?? this.shown;
  }

  /** @param {LoggedState} state */
  heard(state) {
    const before = this.newest;
    // Other words, or another past: there is nothing to follow any more.
    const other = before === null || state.steps < before.steps || state.log.start < this.lines;
    this.lines = state.log.start + state.log.lines.length;
    this.waiting.push(state);
    if (other || document.hidden || pace() === "at once" || this.waiting.length > MOST) this.all();
    else if (this.skipping) this.upToDeal();
    else if (this.resting) return;
    else if (this.isDealEnd()) this.rest();
    else if (this.timer === undefined || (this.waiting.length === 1 && state.steps === this.shown.steps)) this.next();
    else this.hold();
    if (state.asked || state.over) this.skipping = false;
  }

  // Shows the next step, with whatever else belongs to it, for as long as it takes to look at it.
  next() {
    const early = this.untilTaken();
    if (early > 0) {
      this.seen();
      this.timer = setTimeout(() => this.go(), early);
      return;
    }
    const before = this.shown;
    const lines = this.take();
    if (before.steps === this.shown.steps) return;
    this.told = lines;
    this.since = performance.now();
    this.long = this.timeOf(before, this.shown, lines);
    this.hold();
  }

  /** @param {State} before @param {State} after @param {LogLine[]} lines */
  timeOf(before, after, lines) {
    const most = this.isOwn(lines) ? OWN : Number.POSITIVE_INFINITY;
    return Math.max(Math.min(time(before, { scores: after.scores, lines }), most), sowingTime(after.moves));
  }

  // Milliseconds for which what the next state takes is still to be seen as a whole.
  untilTaken() {
    const laid = swept(this.waiting[0]).map((zone) => this.laid.get(zone) ?? Number.NEGATIVE_INFINITY);
    return Math.max(...laid, Number.NEGATIVE_INFINITY) + PACES[pace()].whole - performance.now();
  }

  // What counts a deal is shown at once.
  take() {
    const lines = [];
    let left = this.counting();
    do {
      this.shown = this.waiting.shift();
      left -= 1;
      lines.push(...this.shown.log.lines);
      passed.splice(0, passed.push(this.shown) - MOST);
      for (const { target } of this.shown.moves) this.laid.set(target.split("/")[0], performance.now());
      this.show(this.shown);
    } while (left > 0 || (this.waiting.length && this.waiting[0].steps === this.shown.steps));
    return lines;
  }

  // How many of the states that wait are of the phase with which a deal ends.
  counting() {
    const [first] = this.waiting;
    const other = this.waiting.findIndex(({ round, phase }) => round !== first.round || phase !== first.phase);
    return this.deals() && other > 0 && endsRound(first, this.waiting[other]) ? other : 0;
  }

  // The state with which a deal ends that is being looked at, or null.
  get dealEnd() {
    return this.resting === this.shown ? this.resting : null;
  }

  isDealEnd() {
    return this.shown !== this.read && this.deals() && endsRound(this.shown, this.waiting[0]);
  }

  // Stays at the end of a deal: as long as the reader wants to, or as it takes to read it, where they watch, do not want
  // to wait, or their time runs.
  rest() {
    this.seen();
    this.resting = this.shown;
    this.long = readingTime(this.told.length);
    this.speed = 1;
    if (!this.staysOpen) this.timer = setTimeout(() => this.go(), this.long);
  }

  get staysOpen() {
    const waits = pace() !== "fast" && !this.waiting.some(({ deadline }) => deadline);
    return waits && this.seat() !== null;
  }

  /** Whether lines only tell what the reader has done.
   * @param {LogLine[]} lines */
  isOwn(lines = this.told) {
    const told = lines.filter((line) => !line.heading),
      seat = this.seat();
    return told.length > 0 && seat !== null && told.every((line) => line.parts[0]?.seat === seat);
  }

  hold() {
    if (this.isDealEnd()) return this.rest();
    this.seen();
    if (!this.holding) this.speed = 1;
    const rest = this.waiting.map((one, at) => this.timeOf(this.waiting[at - 1] ?? this.shown, one, one.log.lines));
    const all = rest.reduce((sum, one) => sum + one, this.long);
    this.speed = Math.max(this.speed, all / PACES[pace()].row);
    const left = this.since + this.long / this.speed - performance.now();
    if (left > 0) this.timer = setTimeout(() => this.go(), left);
    else if (this.holding) this.next();
  }

  // What is shown has been seen.
  seen() {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  go() {
    this.seen();
    this.close();
    if (!this.holding) return;
    this.next();
    this.redraw();
  }

  // Everything up to now; alone: also what comes until the reader is asked, who sits here alone.
  /** @param {boolean} alone */
  skip(alone) {
    this.skipping = alone && !this.newest?.asked && !this.newest?.over;
    this.close();
    this.upToDeal();
  }

  // The end of a deal has been looked at.
  close() {
    this.read = this.resting ?? this.read;
    this.resting = null;
  }

  // Everything, up to the end of a deal or to now.
  upToDeal() {
    if (this.resting) return;
    while (this.holding && !this.isDealEnd()) this.told = this.take();
    if (this.holding) this.rest();
    else this.seen();
  }

  // Everything, up to now.
  all() {
    this.close();
    while (this.holding) this.take();
    this.seen();
  }
}

// Where what the step that is shown brought to the log is told besides, once each: at the seat with which a line begins,
// where plates stand around a cloth and have free room beside them, else in the bar. What only the reader has done is told
// in the log alone.
/** @param {Pick<Pace, "told" | "seat">} given @param {string} mode of the stage @returns {{ seats: Map<number, LogLine[]>, bar: LogLine[] }} */
export function toldWhere({ told, seat: reader }, mode) {
  const seats = new Map();
  const bar = [];
  const own = reader();
  for (const line of told.filter((one) => !one.heading)) {
    const seat = line.parts[0]?.seat;
    if (seat !== undefined && seat === own) continue;
    if (seat === undefined || mode !== "ring") bar.push(line);
    else seats.set(seat, [...(seats.get(seat) ?? []), line].slice(-TOLD));
  }
  return { seats, bar: bar.slice(-TOLD) };
}

// In the place of the question, while something waits: what has happened and is told nowhere else, or who is waited for,
// and the button that goes on to the next question.
/**
 * @param {Pick<Pace, "shown" | "long" | "speed">} given
 * @param {LogLine[]} lines
 * @param {{ tell: Tell, waiting: string, skip: () => void }} more
 */
export function held({ shown, long, speed }, lines, { tell, waiting, skip }) {
  return h(
    "div",
    { class: "question holding" },
    h(
      "h2",
      { class: "calmly", tabindex: -1 },
      lines.length ? lines.map((line) => h("span", { class: "line" }, tell(line))) : waiting,
    ),
    h(
      "div",
      { class: "row" },
      h(
        "button",
        { type: "button", key: "go on", class: "main", onclick: skip },
        h("span", { class: "words" }, say("continue")),
        " ▸▸",
        h("span", { key: shown.steps, class: "time", style: { "--long": `${Math.round(long / speed)}ms` } }),
      ),
    ),
  );
}

// A key that is for nothing else goes on, also at a card or a space, which nobody is asked for now.
/** @param {KeyboardEvent} event */
export function isForward(event) {
  const { target } = event;
  return (
    target instanceof Element &&
    ["Enter", " ", "ArrowRight", "Escape"].includes(event.key) &&
    !target.closest("button:not(.stage :is(.laid, .space)), a, input, select, textarea, summary, dialog")
  );
}
