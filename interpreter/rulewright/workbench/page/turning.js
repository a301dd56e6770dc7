// Another number in the place of a value: the curve of a figure over its numbers, and the way into the source.

import { button } from "./controls.js";
import { curve } from "./curves.js";
import { told } from "./estimates.js";
import { h } from "./preact.js";
import { filled, number, say } from "./words.js";

/** @import { NumberValue } from "./records" */
/** @import { Events } from "./answers" */
/** @import { Figures } from "./figures.js" */
/** @import { FieldEvent } from "./types" */

export class Turning {
  /** @param {Figures} pane */
  constructor(pane) {
    this.pane = pane;
    this.value = "";
    this.key = "total";
    this.least = 0;
    this.most = 0;
    /** @type {number | null} */
    this.at = null;
    /** @type {Events["curve"] | null} */
    this.found = null;
    /** @type {number | null} */
    this.took = null;
    /** @type {Record<string, string>} */
    this.written = {};
  }

  // What the workbench is to play for it.
  get wanted() {
    return this.chosen ? { value: this.value, least: this.least, most: this.most } : null;
  }

  get chosen() {
    return this.pane.told?.values.find(({ name }) => name === this.value);
  }

  /** @param {string} name */
  choose(name) {
    const { pane } = this;
    this.value = name;
    Object.assign(this, {
      found: null,
      at: null,
      took: null,
      ...(this.chosen ? { least: this.chosen.least, most: this.chosen.most } : {}),
    });
    pane.look();
  }

  // The figure whose curve is shown.
  get shown() {
    const known = this.pane.figures?.quantities ?? {};
    return this.key in known ? this.key : Object.keys(known)[0];
  }

  // The number that stands on the line of the cursor.
  get atCursor() {
    const {
      bench,
      known: { values },
    } = this.pane;
    return bench.source === bench.file ? values.find(({ line }) => line === bench.cursor.line) : null;
  }

  /** @param {number} least @param {number} most */
  range(least, most) {
    if (!Number.isInteger(least) || !Number.isInteger(most) || least >= most) return;
    Object.assign(this, { least, most, found: null, at: null });
    this.pane.look();
  }

  /** @param {Events["curve"]} found */
  heard(found) {
    if (found.value === this.value) this.found = found;
  }

  async take() {
    const { pane, at, value } = this;
    if (await pane.bench.post("figures/take", { numbers: { [value]: at } })) this.took = at;
    pane.redraw();
  }

  draw() {
    const { pane, chosen, atCursor } = this;
    const { values } = pane.known;
    if (!values.length) return h("p", { class: "faint" }, say("figures no values"));
    return [
      h(
        "div",
        { class: "row", key: "choose value" },
        h(
          "label",
          {},
          h("span", {}, say("figures value")),
          h(
            "select",
            { value: this.value, onchange: (event) => this.choose(event.target.value) },
            h("option", { value: "" }, say("figures choose value")),
            values.map(({ name, now }) =>
              h("option", { value: name }, filled("figures of value", { value: name, now: number(now) })),
            ),
          ),
        ),
        atCursor && atCursor.name !== this.value && button(say("figures here"), () => this.choose(atCursor.name)),
        chosen && [
          h(
            "label",
            {},
            h("span", {}, say("figures shows")),
            h(
              "select",
              {
                value: this.shown,
                onchange: (event) => {
                  this.key = event.target.value;
                  pane.redraw();
                },
              },
              Object.keys(pane.figures?.quantities ?? { rounds: 1 }).map((key) =>
                h("option", { value: key }, pane.title(key)),
              ),
            ),
          ),
          this.bound("figures least", this.least, (end) => this.range(end, this.most)),
          this.bound("figures top", this.most, (end) => this.range(this.least, end)),
        ],
      ),
      chosen && this.curve(chosen),
    ];
  }

  // What is being written stays, though new figures draw the pane anew meanwhile.
  /** @param {string} word @param {number} value @param {(value: number) => void} set */
  bound(word, value, set) {
    const { written } = this;
    const chosen = (/** @type {FieldEvent} */ event) => {
      delete written[word];
      set(Number(event.target.value));
    };
    return h(
      "label",
      { class: "bound" },
      h("span", {}, say(word)),
      h("input", {
        type: "number",
        value: written[word] ?? String(value),
        step: 1,
        key: word,
        oninput: (event) => {
          written[word] = event.target.value;
        },
        onchange: chosen,
      }),
    );
  }

  /** @param {NumberValue} chosen */
  curve(chosen) {
    const { pane, found } = this;
    const key = this.shown;
    const shares = pane.figures?.quantities?.[key]?.shares ?? false;
    const points = (found?.points ?? []).flatMap(({ value, games = 0, estimates }) => {
      const estimate = estimates?.[key];
      return estimate ? [{ value, games, estimate }] : [];
    });
    if (points.length < 2) return h("p", { class: "faint", "aria-busy": "true" }, say("figures beginning"));
    const far = (/** @type {number} */ value) => Math.abs(value - chosen.now);
    const nearest = points.reduce((near, point) => (far(point.value) < far(near.value) ? point : near));
    const here = points.find(({ value }) => value === this.at) ?? nearest;
    const at = here.value;
    this.at = at;
    const what = pane.title(key);
    const broken = (found?.points ?? []).filter(({ estimates = {} }) => !Object.keys(estimates).length);
    return h(
      "div",
      { class: "turning" },
      curve(filled("figures curve", { what, value: chosen.name }), {
        points,
        value: chosen.name,
        what,
        shares,
        now: chosen.now,
        at,
      }),
      h(
        "label",
        { class: "drag" },
        h("span", {}, filled("figures drag", { value: number(at) })),
        h("input", {
          type: "range",
          min: 0,
          max: points.length - 1,
          step: 1,
          value: String(points.indexOf(here)),
          "aria-valuetext": number(at),
          oninput: (event) => {
            this.at = points[Number(event.target.value)].value;
            pane.redraw();
          },
        }),
      ),
      h(
        "div",
        { class: "row taking" },
        h(
          "output",
          {},
          filled("figures with", {
            value: chosen.name,
            number: number(at),
            what,
            estimate: told(here.estimate, shares),
            games: number(here.games),
          }),
        ),
        button(say("figures take"), () => this.take(), { class: "main", disabled: at === chosen.now }),
        this.took !== null &&
          this.took === chosen.now &&
          h("span", { class: "faint", role: "status" }, filled("figures took", { number: number(this.took) })),
      ),
      broken.map(({ value, text = say("figures no end") }) =>
        h(
          "p",
          { class: "faint", key: value },
          filled("figures unplayable", { value: chosen.name, number: number(value), text }),
        ),
      ),
    );
  }
}
