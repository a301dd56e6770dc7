// What answers lead to: asked for once a question is shown, and told beside each of them when it comes.

import { h } from "./preact.js";
import { entry, row } from "./words.js";

/** @import { Lead, Send } from "./types" */

const PAUSE = 150; // ms between two questions about an answer of several parts that is still being made
const PATIENCE = 5000; // ms, that an answer waits for what it leads to

// What is known of the answers to the question that one reader is asked.
export class Leads {
  /** @param {Send} send */
  constructor(send) {
    this.send = send;
    this.doubt = "";
    this.asked = -PAUSE; // when an answer that is being made was asked about last
    this.ask(null);
  }

  // Another question, or none.
  /** @param {number | null} question */
  ask(question, several = false) {
    clearTimeout(this.waiting);
    this.question = question;
    this.several = several;
    /** @type {Record<string, Lead>} */
    this.each = {};
    /** @type {Lead | null} */
    this.whole = null;
    /** @type {string | null} */
    this.of = null;
    this.doubt = "";
    /** @type {string | null} */
    this.heardOf = null;
    /** @type {((lead: Lead | null) => void) | null} */
    this.waiter = null;
    this.again();
  }

  // The same once more, in another language.
  again() {
    if (this.question !== null && !this.several) this.send({ type: "try", question: this.question ?? 0, take: [] });
  }

  // An answer that is being made.
  /** @param {string[]} take */
  make(take) {
    const made = take.join("\n");
    if (made === this.of) return;
    Object.assign(this, { of: made, whole: null, heardOf: null });
    clearTimeout(this.waiting);
    if (!take.length) return;
    const early = this.asked + PAUSE - performance.now();
    const ask = () => {
      this.asked = performance.now();
      this.send({ type: "try", question: this.question ?? 0, take });
    };
    if (early > 0) this.waiting = setTimeout(ask, early);
    else ask(); // at once: what comes of a tap is to be seen soon
  }

  /** @param {Omit<Required<import("./protocol").Tried>, "leads"> & { leads: Record<string, Lead> }} message */
  heard(message) {
    if (message.question !== this.question) return;
    if (!message.take.length) this.each = message.leads;
    else if (message.take.join("\n") === this.of) {
      this.whole = message.leads[""] ?? null;
      this.heardOf = this.of;
      this.waiter?.(this.whole);
    }
    this.doubt = message.doubt ?? "";
  }

  // Goes on when it is known what one answer leads to, or with nothing if that takes too long.
  /** @param {string} key @param {(lead: Lead | null) => void} go */
  await(key, go) {
    if (this.heardOf === key) return go(this.whole);
    if (this.to(key)) return go(this.to(key));
    const question = this.question ?? 0;
    const once = (/** @type {Lead | null} */ lead) => {
      if (this.waiter !== once || this.question !== question) return;
      this.waiter = null;
      go(lead);
    };
    Object.assign(this, { of: key, whole: null, heardOf: null, waiter: once });
    clearTimeout(this.waiting);
    if (this.send({ type: "try", question, take: [key] })) setTimeout(() => once(null), PATIENCE);
    else once(null);
  }

  // Of an answer by its key, '' for nothing.
  /** @param {string} key */
  to(key) {
    return Object.hasOwn(this.each, key) ? this.each[key] : null;
  }

  // Why nothing comes of it as well, if that is known.
  /** @param {string} key */
  told(key) {
    return whole(this.to(key));
  }

  /** @param {string} key */
  idle(key) {
    return this.to(key)?.idle ?? false;
  }

  /** @param {string} key */
  mark(key) {
    return this.idle(key) ? " idle" : "";
  }
}

/** @param {Lead | null} lead */
function told(lead) {
  return lead ? row([...(lead.sure ?? []), ...(lead.perhaps ?? []).map((text) => `≈ ${text}`)]) : "";
}

/** @param {Lead | null} lead */
function whole(lead) {
  return lead?.why ? entry(told(lead), lead.why) : told(lead);
}

// always: keeps its room while nothing is known.
/** @param {Lead | null} lead */
export function leadOf(lead, always = false) {
  const text = whole(lead);
  return (text || always) && h("span", { class: "leads-to", "aria-hidden": "true" }, text);
}
