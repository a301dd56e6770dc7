// What a thing on the table is: its rules, on a small card above the table.
//
// Whatever has data-explain="WHAT NAME" explains itself: by a tap; what a tap takes, or what cannot be taken among it, by a
// long one or by the other mouse button.

import { h } from "./preact.js";

/** @import { Explained } from "./protocol" */
/** @import { Child, Table } from "./types" */

const LONG = 500; // ms
const STILL = 12; // px that a finger may move meanwhile
const TAKEN = ".offered, .refused, .picked, .instead, .direct, .plannable, .planned, .target"; // by a tap

// A name beside a thing, which explains it.
/** @param {string} what @param {string} name @param {...Child} children */
export function explains(what, name, ...children) {
  return h("button", { type: "button", class: "explains", "data-explain": `${what} ${name}` }, children);
}

export class Explainer {
  // ask: sends a question about a thing; book: where the rules stand at a passage.
  /**
   * @param {(question: { type: "explain", what: string, name: string }) => void} ask
   * @param {(passage?: string) => string} book
   */
  constructor(ask, book) {
    this.ask = ask;
    this.book = book;
    this.card = document.createElement("dialog");
    this.card.id = "explained";
    this.card.addEventListener("click", (event) => {
      if (event.target === this.card) this.card.close();
    });
    document.body.append(this.card);
    document.addEventListener("click", (event) => this.pressed(event), true);
    document.addEventListener("contextmenu", (event) => this.other(event));
    document.addEventListener("pointerdown", (event) => this.down(event));
    document.addEventListener("pointermove", (event) => this.moved(event));
    for (const end of ["pointerup", "pointercancel"]) document.addEventListener(end, () => clearTimeout(this.timer));
  }

  /** @param {Event} event */
  pressed(event) {
    const found = thing(event);
    if (this.long) {
      this.long = false; // the end of a long tap takes nothing
      event.stopPropagation();
    } else if (found && !found.matches(TAKEN)) this.open(found);
  }

  /** @param {Event} event */
  other(event) {
    const found = thing(event);
    if (!found) return;
    event.preventDefault();
    if (!this.long) this.open(found);
  }

  /** @param {PointerEvent} event */
  down(event) {
    clearTimeout(this.timer);
    this.long = false;
    const found = thing(event);
    if (!found || event.pointerType !== "touch") return;
    this.at = [event.clientX, event.clientY];
    this.timer = setTimeout(() => {
      this.long = true;
      this.open(found);
    }, LONG);
  }

  /** @param {PointerEvent} given */
  moved({ clientX, clientY }) {
    if (this.at && Math.hypot(clientX - this.at[0], clientY - this.at[1]) > STILL) clearTimeout(this.timer);
  }

  /** @param {HTMLElement} found */
  open(found) {
    const [what, ...words] = (found.dataset.explain ?? "").split(" ");
    this.wanted = { what, name: words.join(" ") };
    this.ask({ type: "explain", ...this.wanted });
  }

  // of: what the table is made of. What shows it comes when something is asked about for the first time.
  /** @param {Table} of @param {Explained} given */
  async heard(of, given) {
    const { explained } = await import("./explained.js");
    if (given.what === "reasons" || (given.what === this.wanted?.what && given.name === this.wanted.name))
      explained(this.card, of, given, this.book);
  }
}

/** @param {Event} event */
function thing(event) {
  return event.target instanceof Element ? event.target.closest("[data-explain]") : null;
}
