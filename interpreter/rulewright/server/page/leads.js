// What answers lead to: asked for once a question is shown, and told beside each of them when it comes.

import { inHand, onBoard } from "./picking.js";
import { chip } from "./pieces.js";
import { h } from "./preact.js";
import { entry, row } from "./words.js";

const PAUSE = 150; // ms, while an answer of several parts is still being made
const PATIENCE = 5000; // ms, that an answer waits for what it leads to
const MOST_NAMED = 12;

// What is known of the answers to the question that one reader is asked.
export class Leads {
  constructor(send) {
    this.send = send;
    this.ask(null);
  }

  // Another question, or none.
  ask(question, several = false) {
    clearTimeout(this.waiting);
    Object.assign(this, { question, several, each: {}, whole: null, of: null, doubt: "", heardOf: null, then: null });
    this.again();
  }

  // The same once more, in another language.
  again() {
    if (this.question !== null && !this.several) this.send({ type: "try", question: this.question, take: [] });
  }

  // An answer that is being made.
  make(take) {
    const made = take.join("\n");
    if (made === this.of) return;
    Object.assign(this, { of: made, whole: null, heardOf: null });
    clearTimeout(this.waiting);
    if (take.length) this.waiting = setTimeout(() => this.send({ type: "try", question: this.question, take }), PAUSE);
  }

  heard(message) {
    if (message.question !== this.question) return;
    if (!message.take.length) this.each = message.leads;
    else if (message.take.join("\n") === this.of) {
      this.whole = message.leads[""] ?? null;
      this.heardOf = this.of;
      this.then?.(this.whole);
    }
    this.doubt = message.doubt;
  }

  // Goes on when it is known what one answer leads to, or with nothing if that takes too long.
  await(key, go) {
    if (this.heardOf === key) return go(this.whole);
    if (this.to(key)) return go(this.to(key));
    const { question } = this;
    const once = (lead) => {
      if (this.then !== once || this.question !== question) return;
      this.then = null;
      go(lead);
    };
    Object.assign(this, { of: key, whole: null, heardOf: null, then: once });
    clearTimeout(this.waiting);
    if (this.send({ type: "try", question, take: [key] })) setTimeout(() => once(null), PATIENCE);
    else once(null);
  }

  // Of an answer by its key, '' for nothing.
  to(key) {
    return Object.hasOwn(this.each, key) ? this.each[key] : null;
  }

  // Why nothing comes of it as well, if that is known.
  told(key) {
    return whole(this.to(key));
  }

  idle(key) {
    return this.to(key)?.idle ? " idle" : "";
  }
}

function told(lead) {
  return lead ? row([...(lead.sure ?? []), ...(lead.perhaps ?? []).map((text) => `≈ ${text}`)]) : "";
}

function whole(lead) {
  return lead?.why ? entry(told(lead), lead.why) : told(lead);
}

export function leadOf(lead) {
  return lead && h("span", { class: "leads-to", "aria-hidden": "true" }, whole(lead));
}

// Of what is taken where it lies, on a board or in the hand: what leads to the same, together; the
// reasons are told where it lies.
export function elsewhere(of, asked, leads) {
  const groups = new Map();
  for (const choice of asked.choices.filter((one) => onBoard(of, one) || inHand(of, one))) {
    const text = told(leads.to(choice.key));
    if (text) groups.set(text, [...(groups.get(text) ?? []), choice]);
  }
  return groups.size > 0 && h("ul", { class: "leads" }, [...groups].map(([text, choices]) => h("li", { key: `lead ${text}` },
    choices.slice(0, MOST_NAMED).map((choice) => (inHand(of, choice) ? chip(of, choice.piece, 1) : h("b", {}, `${choice.label} `))),
    choices.length > MOST_NAMED && "… ", h("span", { class: "leads-to" }, text))));
}

export function doubt(leads) {
  return leads.doubt && h("p", { class: "doubt" }, leads.doubt);
}
