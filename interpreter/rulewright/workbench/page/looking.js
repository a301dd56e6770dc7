// Values that bring a game nearer to what somebody wants: what is varied, goals, trade-offs as they come, and the way
// into the source.

import { button } from "./controls.js";
import { tradeOffs, wideTable } from "./curves.js";
import { required } from "./dom.js";
import { told } from "./estimates.js";
import { h } from "./preact.js";
import { filled, number, say } from "./words.js";

/** @import { NumberValue } from "./records" */
/** @import { Candidate, Events, FoundValues, PlayedCandidate } from "./answers" */
/** @import { Figures } from "./figures.js" */
/** @import { FieldEvent } from "./types" */

const GOALS = 3;
const SPREAD = "spread of seat wins";
/** @param {string | number} text */
const whole = (text) => (String(text).trim() === "" ? NaN : Number(text)); // what is written may not be a number yet
const SHOWN = 12; // candidates in the table: the best ones, and what cannot be played is told apart

/** @param {Candidate} row @returns {row is PlayedCandidate} */
const isPlayed = (row) => row.figures !== undefined;

/** @typedef {{ key: string, toward: string, at: string }} Goal */

export class Looking {
  /** @param {Figures} pane */
  constructor(pane) {
    this.pane = pane;
    /** @type {Map<string, { least: string | number, most: string | number }>} */
    this.varied = new Map();
    /** @type {Goal[]} */
    this.goals = Array.from({ length: GOALS }, () => ({ key: "", toward: "low", at: "" }));
    /** @type {Looking["ready"]} */
    this.wanted = null;
    /** @type {Events["search"] | null} */
    this.found = null;
    this.goals[0].key = SPREAD;
  }

  // What the workbench is to look for: asked for with its button, until it is stopped.
  get ready() {
    return this.lacks ? null : { values: this.values, goals: this.aims };
  }

  get values() {
    return [...this.varied].map(([value, { least, most }]) => ({ value, least: whole(least), most: whole(most) }));
  }

  get aims() {
    return this.goals
      .filter(({ key }) => key)
      .map(({ key, toward, at }) => ({ key, toward: toward === "number" ? at : toward }));
  }

  // What is still missing before the workbench can look, or "".
  get lacks() {
    const { values } = this;
    const odd = values.find(({ least, most }) => !Number.isInteger(least) || !Number.isInteger(most) || least >= most);
    if (!values.length) return say("figures lacks value");
    if (odd) return filled("figures lacks span", { value: odd.value });
    if (!this.aims.length) return say("figures lacks goal");
    return this.aims.some(({ toward }) => String(toward).trim() === "") ? say("figures lacks number") : "";
  }

  start() {
    Object.assign(this, { wanted: this.ready, found: null });
    this.pane.look();
    this.pane.redraw();
  }

  stop() {
    this.wanted = null;
    this.pane.look();
    this.pane.redraw();
  }

  /** @param {Events["search"]} found */
  heard(found) {
    if (this.wanted) this.found = found;
  }

  /** @param {Candidate} given */
  async take({ values }) {
    const numbers = Object.fromEntries(required(this.search).names.map((name, n) => [name, Number(values[n])]));
    this.wanted = null; // the rules are other ones now
    await this.pane.bench.post("figures/take", { numbers });
    this.pane.redraw();
  }

  draw() {
    const { pane, found } = this;
    const { values } = pane.known;
    if (!values.length) return h("p", { class: "faint" }, say("figures no values"));
    return [
      h("p", { class: "faint" }, say("figures look about")),
      h(
        "ul",
        { class: "varied plain" },
        values.map((value) => this.value(value)),
      ),
      this.goals.map((goal, n) => this.goal(goal, n)),
      h(
        "div",
        { class: "row" },
        button(say("figures search"), () => this.start(), {
          class: "main",
          disabled: Boolean(this.lacks),
          "aria-describedby": "figures-state",
        }),
        this.wanted && !found?.done && button(say("figures search stop"), () => this.stop()),
        h("span", { class: "faint", role: "status", id: "figures-state" }, this.lacks || this.state),
      ),
      this.search && this.result(this.search),
    ];
  }

  // What was found, unless there is nothing to look for.
  get search() {
    return this.found && "rows" in this.found ? this.found : null;
  }

  get state() {
    if (this.found && "text" in this.found) return this.found.text;
    const found = this.search;
    if (!found) return this.wanted ? say("figures beginning") : "";
    if (found.done)
      return filled(found.drawn ? "figures searched drawn" : "figures searched", { tried: number(found.tried) });
    return found.tried < found.planned
      ? filled("figures searching", { tried: number(found.tried), planned: number(found.planned) })
      : say("figures checking");
  }

  /** @param {NumberValue} given */
  value({ name, now, least, most }) {
    const span = this.varied.get(name);
    const turned = (/** @type {FieldEvent} */ event) => {
      if (event.target.checked) this.varied.set(name, { least, most });
      else this.varied.delete(name);
      this.pane.redraw();
    };
    const end = (/** @type {string} */ word, /** @type {"least" | "most"} */ key) =>
      h("input", {
        type: "number",
        step: 1,
        value: String(required(span)[key]),
        "aria-label": filled(word, { value: name }),
        oninput: (event) => {
          required(span)[key] = event.target.value;
          this.pane.redraw();
        },
      });
    return h(
      "li",
      { key: name },
      h(
        "label",
        {},
        h("input", {
          type: "checkbox",
          checked: Boolean(span),
          "aria-label": filled("figures vary", { value: name }),
          onchange: turned,
        }),
        filled("figures of value", { value: name, now: number(now) }),
      ),
      span && h("span", { class: "span" }, end("figures vary from", "least"), "–", end("figures vary to", "most")),
    );
  }

  /** @param {Goal} goal @param {number} n */
  goal(goal, n) {
    const keys = [SPREAD, ...Object.keys(this.pane.figures?.quantities ?? {})];
    const slots = { number: number(n + 1) };
    const set = (/** @type {Partial<Goal>} */ change) => {
      Object.assign(goal, change);
      this.pane.redraw();
    };
    return h(
      "div",
      { class: "row", key: `goal ${n}` },
      h(
        "label",
        {},
        h("span", {}, filled("figures goal", slots)),
        h(
          "select",
          { value: goal.key, onchange: (event) => set({ key: event.target.value }) },
          h("option", { value: "" }, say("figures no goal")),
          keys.map((key) => h("option", { value: key }, this.pane.title(key))),
        ),
      ),
      goal.key &&
        h(
          "label",
          {},
          h("span", {}, say("figures aim")),
          h(
            "select",
            { value: goal.toward, onchange: (event) => set({ toward: event.target.value }) },
            ["low", "high", "number"].map((aim) => h("option", { value: aim }, say(`figures aim ${aim}`))),
          ),
        ),
      goal.key &&
        goal.toward === "number" &&
        h("input", {
          type: "number",
          step: "any",
          value: goal.at,
          "aria-label": filled("figures aim at", slots),
          oninput: (event) => set({ at: event.target.value }),
        }),
    );
  }

  /** @param {FoundValues} found */
  result(found) {
    const { pane } = this;
    const titles = found.goals.map(({ key }) => pane.title(key));
    /** @type {Record<string, number>} */
    const rank = { chosen: 0, now: 1, best: 2, other: 3 };
    const sound = found.rows.filter(isPlayed).sort((one, other) => rank[one.kind] - rank[other.kind]);
    const fresh = sound.some((row) => row.fresh);
    const named = (/** @type {string[]} */ values) => found.names.map((name, n) => `${name} ${values[n]}`).join(", ");
    const [, y] = found.goals;
    return h(
      "div",
      { class: "search-found" },
      y && tradeOffs(filled("figures trade-off", { x: titles[0], y: titles[1] }), sound, found.goals, titles),
      wideTable(
        [
          ...found.names,
          ...titles,
          ...(fresh ? titles.map((what) => filled("figures fresh", { what })) : []),
          say("figures take head"),
        ],
        sound.slice(0, SHOWN).map((row) =>
          h(
            "tr",
            { class: `row-${row.kind}`, key: row.values.join(" ") },
            row.values.map((value, n) => h(n ? "td" : "th", n ? {} : { scope: "row" }, value)),
            row.figures.map((estimate, n) => h("td", {}, told(estimate, found.goals[n].shares))),
            fresh &&
              titles.map((_, n) =>
                h(
                  "td",
                  {},
                  row.fresh ? told(row.fresh[n], found.goals[n].shares) : "–",
                  row.says && h("small", { class: "faint" }, ` ${say(`figures says ${row.says[n]}`)}`),
                ),
              ),
            h(
              "td",
              {},
              row.kind === "now"
                ? say("figures kind now")
                : button(say("figures take all"), () => this.take(row), {
                    class: row.kind === "chosen" ? "main" : "",
                    "aria-label": filled("figures take these", { values: named(row.values) }),
                  }),
            ),
          ),
        ),
      ),
      fresh && h("p", { class: "faint" }, say("figures fresh why")),
      found.rows
        .filter(({ text }) => text)
        .slice(0, SHOWN)
        .map(({ values, text = "" }) =>
          h(
            "p",
            { class: "faint", key: values.join(" ") },
            filled("figures failed values", { values: named(values), text }),
          ),
        ),
    );
  }
}
