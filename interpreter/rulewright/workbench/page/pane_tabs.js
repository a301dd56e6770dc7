// The panes beside the source, one of which is shown, and their tabs.

import { fill, required } from "./dom.js";
import { PANES } from "./panes.js";
import { h } from "./preact.js";
import { readStored, store } from "./storage.js";
import { say } from "./words.js";

/** @import { Bench, KeyEvent, Pane } from "./types" */

const KEPT = "rulewright pane";

export class PaneTabs {
  // redraw: the whole page; isStale(): whether panes show rules older than the source, which has mistakes.
  /** @param {HTMLElement} place @param {Bench} bench @param {() => void} redraw @param {() => boolean} isStale */
  constructor(place, bench, redraw, isStale) {
    this.place = place;
    this.redraw = redraw;
    this.isStale = isStale;
    this.shown = "";
    /** @type {Map<string, Pane>} */
    this.panes = new Map();
    for (const [name, , Pane] of PANES)
      this.panes.set(name, new Pane(bench, () => (this.shown === name ? redraw() : this.draw())));
  }

  // Turns to the pane that was shown last.
  begin() {
    const last = readStored(KEPT);
    this.turn(last !== null && this.panes.has(last) ? last : PANES[0][0]);
  }

  /** @param {string} name @param {object} [argument] */
  turn(name, argument) {
    if (!this.panes.has(name)) return;
    if (this.shown !== name) this.panes.get(this.shown)?.hidden?.();
    this.shown = name;
    store(KEPT, name);
    this.panes.get(name)?.shown?.(argument);
    this.redraw();
  }

  draw() {
    if (!this.shown) return;
    fill(
      this.place,
      h(
        "div",
        { class: "pane-tabs", role: "tablist", "aria-label": say("panes") },
        PANES.map(([name, word]) => this.tab(name, word)),
      ),
      h(
        "div",
        {
          class: "pane",
          id: "pane",
          role: "tabpanel",
          tabindex: 0,
          "aria-labelledby": `tab-${this.shown}`,
          key: `pane ${this.shown}`,
        },
        this.isStale() && this.shown !== "history" && h("p", { class: "stale", key: "stale" }, say("last good")),
        this.content(),
      ),
    );
  }

  content() {
    try {
      return required(this.panes.get(this.shown)).draw();
    } catch (error) {
      console.error(error);
      return h("p", { class: "trouble" }, say("pane broken"));
    }
  }

  /** @param {string} name @param {string} word */
  tab(name, word) {
    const badge = required(this.panes.get(name)).badge;
    return h(
      "button",
      {
        type: "button",
        role: "tab",
        id: `tab-${name}`,
        key: name,
        "aria-selected": String(name === this.shown),
        "aria-controls": "pane",
        tabindex: name === this.shown ? 0 : -1,
        onclick: () => this.turn(name),
        onkeydown: (/** @type {KeyEvent} */ event) => this.step(event),
      },
      say(word),
      badge && h("span", { class: `news${badge.bad ? " bad" : ""}` }, badge.text),
    );
  }

  // Arrows go from tab to tab.
  /** @param {KeyEvent} event */
  step(event) {
    const by = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (!by) return;
    const names = PANES.map(([name]) => name);
    this.turn(names[(names.indexOf(this.shown) + by + names.length) % names.length]);
    document.getElementById(`tab-${this.shown}`)?.focus();
    event.preventDefault();
  }
}
