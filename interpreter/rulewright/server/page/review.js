// After the game: each of one's own decisions, as the server tells of them, and what they are judged to be worth (see
// `reviewed.js`).

/** @import { Analysed, JudgedTold } from "./protocol" */
/** @import { Side } from "./types" */

const ERRORS = new Set(["inaccuracy", "mistake", "blunder"]);

/** @param {JudgedTold} row */
export const isError = ({ verdict }) => ERRORS.has(verdict);

export class Review {
  /** @param {Side} side */
  constructor(side) {
    this.side = side;
    this.found = new Map();
    this.at = 0;
    /** @type {JudgedTold[]} */
    this.rows = []; // of all seats, in the order of the game, as far as they are judged
    /** @type {Analysed | null} */
    this.analysis = null; // the last part of it
    this.isAsked = false;
  }

  // Has the decisions judged, once, whether or not anybody looks yet.
  begin() {
    if (!this.isAsked) this.side.connection.send({ type: "analyse" });
    this.isAsked = true;
  }

  open() {
    this.begin();
    this.to(this.at);
  }

  /** @param {number} at */
  to(at) {
    this.at = at;
    if (!this.found.has(at)) this.side.connection.send({ type: "review", number: at });
  }

  /** @param {any} message */
  heard(message) {
    this.found.set(message.number, message);
  }

  /** @param {Analysed} message */
  judged(message) {
    const came = new Set(message.rows.map(({ place }) => place));
    this.rows = [...this.rows.filter(({ place }) => !came.has(place)), ...message.rows].toSorted(
      (one, other) => one.place - other.place,
    );
    this.analysis = message;
  }

  // What one of the own decisions is judged to be: of picks that are one decision, the worst.
  /** @param {number} number */
  of(number) {
    const own = this.rows.filter((row) => row.seat === this.side.table?.seat && row.number === number);
    return own.toSorted((one, other) => other.lost - one.lost)[0] ?? null;
  }

  // How many of the own decisions were not good enough, as far as they are judged.
  get errors() {
    return this.rows.filter((row) => row.seat === this.side.table?.seat && isError(row)).length;
  }

  // The next of the own decisions that was not good enough, from the first again after the last; null for none.
  get nextError() {
    const errors = this.rows.filter((row) => row.seat === this.side.table?.seat && isError(row));
    return (errors.find(({ number }) => number > this.at) ?? errors[0])?.number ?? null;
  }

  // Other words: all is asked for again.
  forget() {
    const open = this.found.size > 0;
    this.found.clear();
    this.rows = [];
    this.isAsked = false;
    if (open) this.open();
  }
}
