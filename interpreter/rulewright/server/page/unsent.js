// What somebody does while there is no connection: an answer waits for the next one, and is given there once if it is
// still asked for; anything else is refused, so that nobody believes that it was done.

import { notice } from "./dom.js";
import { say } from "./words.js";

/** @import { Message, Said } from "./types" */

const PATIENCE = 4000; // milliseconds, after which an answer is told to be under way still

// What a page asks for by itself, and asks for again.
const UNTOLD = new Set(["again", "analyse", "explain", "language", "look", "review", "try"]);

export class Unsent {
  // connection: the one of a device; send: sends a message for a reader.
  /** @param {import("./connection.js").Connection} connection */
  constructor(connection) {
    this.connection = connection;
    this.answer = null;
    this.over = 0; // the number of the connection over which it was sent; 0 while it was not
  }

  // An answer is given, or was given once more.
  /** @param {Said.Answer} answer */
  give(answer) {
    this.answer = answer;
    this.over = this.connection.number;
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => {
      notice(say("answer waits"), { holds: true });
      this.connection.check();
    }, PATIENCE);
  }

  // Refuses what was not sent; of an answer, tells that it waits.
  /** @param {Message} message */
  failed(message) {
    if (message.type === "answer") {
      this.over = 0;
      notice(say("answer waits"), { holds: true });
    } else if (!UNTOLD.has(message.type)) notice(say("not sent"));
    return false;
  }

  // The server has taken the answer, or refused it.
  done() {
    clearTimeout(this.waiting);
    this.answer = null;
  }

  // question: the number of what is asked now, as the server says after another connection was made; send: gives the
  // answer.
  /** @param {number | undefined} question @param {(answer: Said.Answer) => void} send */
  reconnected(question, send) {
    const { answer } = this;
    if (answer === null || this.over === this.connection.number) return;
    this.done();
    if (answer.question === question) send(answer);
  }
}
