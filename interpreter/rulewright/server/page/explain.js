// What a thing on the table is: its rules, on a small card above the table.
//
// Whatever has data-explain="WHAT NAME" explains itself: by a tap; what a tap takes, or what cannot be taken among it, by a
// long one or by the other mouse button.

import { fill } from "./dom.js";
import { face } from "./pieces.js";
import { h } from "./preact.js";
import { entry, say } from "./words.js";

/** @import { ExampleTold, Explained, RuleTold } from "./protocol" */
/** @import { Child, Table } from "./types" */

const LONG = 500; // ms
const STILL = 12; // px that a finger may move meanwhile
const TAKEN = ".offered, .refused, .picked, .instead, .direct, .plannable, .planned, .target"; // by a tap
/** @type {Record<string, "zones" | "counters" | "powers">} */
const LISTS = { zone: "zones", counter: "counters", power: "powers" };

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

  // of: what the table is made of.
  /** @param {Table} of @param {Explained} given */
  heard(of, { what, name, told, carries = [] }) {
    if (what !== this.wanted?.what || name !== this.wanted.name) return;
    const piece = what === "piece" ? of.pieces[name] : null;
    const title = piece?.label ?? of[LISTS[what]]?.[name]?.label ?? told[0]?.title ?? "";
    this.card.setAttribute("aria-label", title);
    fill(
      this.card,
      h(
        "div",
        { class: "about", key: `${what} ${name}` },
        piece && h("div", { class: "shown", "aria-hidden": "true" }, face(of, name)),
        h(
          "div",
          {},
          h("h2", {}, title),
          carries.length > 0 &&
            h(
              "dl",
              { class: "figures" },
              carries.map(([label, held]) => h("div", {}, h("dt", {}, entry(label, "")), h("dd", {}, held))),
            ),
          told.length + carries.length === 0 && h("p", { class: "faint" }, say("nothing told")),
          told.map((rule) => this.rule(rule, title, of.edition)),
        ),
      ),
      h("button", { type: "button", class: "main", autofocus: true, onclick: () => this.card.close() }, say("close")),
    );
    if (!this.card.open) this.card.showModal();
  }

  /** @param {RuleTold} given @param {string} shown @param {string} edition */
  rule({ title, text, passage, rulings = [], examples = [] }, shown, edition) {
    return h(
      "section",
      { key: passage },
      title.toLocaleLowerCase() !== shown.toLocaleLowerCase() && h("h3", {}, title),
      h("p", {}, text, " ", h("a", { href: this.book(passage), target: "_blank" }, `${say("rulebook")} ›`)),
      rulings.length > 0 &&
        h(
          "dl",
          {},
          rulings.map((ruling) => h("div", {}, h("dt", {}, entry(ruling.title, "")), h("dd", {}, ruling.text))),
        ),
      examples.map((one) => this.example(one, edition)),
    );
  }

  // What was played to show a rule, and where one may play it oneself.
  /** @param {ExampleTold} given @param {string} edition */
  example({ lesson, title, text, lines = [] }, edition) {
    const learning = `/editions/${edition}/learn`;
    return h(
      "details",
      { class: "example", key: `example ${lesson}` },
      h("summary", {}, entry(say("example"), title)),
      h("p", {}, text),
      lines.map((line) =>
        h("p", { class: line.said ? "said" : "line" }, line.heading ? h("strong", {}, line.text) : line.text),
      ),
      h(
        "p",
        {},
        h(
          "a",
          {
            href: `${learning}#${lesson + 1}`,
            target: location.pathname === learning ? undefined : "_blank",
            onclick: () => this.card.close(),
          },
          `${say("try it")} ›`,
        ),
      ),
    );
  }
}

/** @param {Event} event */
function thing(event) {
  return event.target instanceof Element ? event.target.closest("[data-explain]") : null;
}
