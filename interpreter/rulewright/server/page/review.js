// After the game: each of one's own decisions, as the server tells of them (see `reviewed.js`).

/** @import { Side } from "./types" */

export class Review {
  /** @param {Side} side */
  constructor(side) {
    this.side = side;
    this.found = new Map();
    this.at = 0;
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

  // Other words: all is asked for again.
  forget() {
    const open = this.found.size > 0;
    this.found.clear();
    if (open) this.to(this.at);
  }
}
