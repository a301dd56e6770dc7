// The pane 'What does it do?': how many games come out, what never happens, what is different, what a number would do.

import { required } from "./dom.js";
import { differences } from "./figures_compared.js";
import { never } from "./figures_never.js";
import { closeness, decisions, length, points, seats } from "./figures_results.js";
import { Looking } from "./looking.js";
import { Latest } from "./latest.js";
import { h } from "./preact.js";
import { Turning } from "./turning.js";
import { filled, number, say } from "./words.js";

/** @import { Answers, Events, ResultFigures } from "./answers" */
/** @import { Bench, Child, Redraw } from "./types" */

const AGAIN = 15_000; // milliseconds: how often the workbench is told that somebody looks
const FEW = 3; // options that need no folding

/** @typedef {{ people: number, player: string, options: Record<string, string>, against: string }} Wish */

export class Figures {
  /** @param {Bench} bench @param {Redraw} redraw */
  constructor(bench, redraw) {
    this.bench = bench;
    this.redraw = redraw;
    /** @type {Answers["figures"] | null} */
    this.told = null;
    /** @type {Events["figures"] | null} */
    this.figures = null;
    this.old = false;
    this.trouble = "";
    this.key = "";
    this.seen = false;
    this.loads = new Latest();
    /** @type {number | undefined} */
    this.timer = undefined;
    /** @type {Wish} */
    this.wish = { people: 0, player: "random", options: {}, against: "" };
    this.turning = new Turning(this);
    this.looking = new Looking(this);
    bench.on("shown", () => this.other());
    bench.on("edited", () => this.edited());
    bench.on("language", () => this.load());
    bench.on("cursor", () => {
      if (this.seen && this.told?.values.length) this.redraw();
    });
    bench.on("figures", (found) => this.heard(found));
    bench.on("curve", (found) => this.curved(found));
    bench.on("search", (found) => this.searched(found));
    bench.on("games failed", (found) => this.failed(found));
    document.addEventListener("visibilitychange", () => (document.hidden ? this.rest() : this.look()));
  }

  // Where something is surely wrong with the figures that are known.
  get badge() {
    if (this.trouble) return { text: "!", bad: true };
    return this.figures && !this.old && this.unfair.length ? { text: "!", bad: false } : null;
  }

  get known() {
    return required(this.told);
  }

  // The figures of games that have ended, which are there wherever they are drawn.
  get results() {
    return /** @type {Events["figures"] & ResultFigures} */ (required(this.figures));
  }

  get unfair() {
    return (this.figures?.seats ?? []).filter(
      ({ odd, player }) => odd && this.results.seats.every((other) => other.player === player),
    );
  }

  async other() {
    Object.assign(this, { told: null, figures: null, trouble: "", key: "" });
    this.wish = { people: 0, player: "random", options: {}, against: "" };
    this.turning = new Turning(this);
    this.looking = new Looking(this);
    await this.load(); // also where nobody looks: the rules as they were opened are what later ones are compared with
  }

  async shown() {
    this.seen = true;
    clearInterval(this.timer);
    this.timer = setInterval(() => this.look(), AGAIN);
    await this.load();
  }

  hidden() {
    this.seen = false;
    clearInterval(this.timer);
    this.rest();
  }

  rest() {
    if (this.bench.file && this.key) this.bench.post("figures/leave");
    this.key = "";
  }

  async edited() {
    Object.assign(this, { old: this.figures !== null, trouble: "" });
    this.looking.wanted = null; // it was about other rules
    if (this.seen) await this.load();
  }

  async load() {
    const { bench } = this;
    if (!bench.file) return;
    const file = bench.file;
    const found = await this.loads.of(bench.get("figures"));
    if (!found || file !== bench.file) return;
    this.told = found;
    const { wish } = this;
    if (!found.people.includes(wish.people)) wish.people = found.usual;
    for (const name of Object.keys(wish.options)) {
      if (
        !found.options.some(
          (option) => option.name === name && option.choices.some((choice) => choice.name === wish.options[name]),
        )
      )
        delete wish.options[name];
    }
    if (!found.against.some(({ what }) => what === wish.against)) wish.against = "";
    if (this.turning.value && !this.turning.chosen) this.turning.choose("");
    else await this.look();
  }

  async look() {
    const { bench, told: known } = this;
    if (!this.seen || document.hidden || !known || !bench.file) return;
    const found = await bench.post("figures/look", {
      ...this.wish,
      curve: this.turning.wanted,
      search: this.looking.wanted,
    });
    if (!found) return;
    if (found.key !== this.key) {
      this.key = found.key;
      this.old = this.figures !== null;
    }
    if (found.failed) this.failed({ ...found.failed, key: this.key });
    if (found.figures) this.heard({ ...found.figures, key: this.key });
    if (found.search) this.searched({ ...found.search, key: this.key });
    if (found.curve) this.curved({ ...found.curve, key: this.key });
    this.redraw();
  }

  /** @param {Events["figures"]} found */
  heard(found) {
    if (found.key !== this.key) return;
    Object.assign(this, { figures: found, old: false, trouble: "" });
    this.redraw();
  }

  /** @param {Events["curve"]} found */
  curved(found) {
    if (found.key !== this.key) return;
    this.turning.heard(found);
    this.redraw();
  }

  /** @param {Events["search"]} found */
  searched(found) {
    if (found.key !== this.key) return;
    this.looking.heard(found);
    this.redraw();
  }

  /** @param {Events["games failed"]} given */
  failed({ key, text, died }) {
    if (key !== this.key) return;
    this.trouble = died ? say("figures died") : text;
    this.redraw();
  }

  /** @param {Partial<Wish>} wish */
  set(wish) {
    Object.assign(this.wish, wish);
    this.look();
    this.redraw();
  }

  // What a figure is called.
  /** @param {string} key */
  title(key) {
    const { known } = this;
    const [sort, name] = [key.slice(0, key.indexOf(": ")), key.slice(key.indexOf(": ") + 2)];
    if (sort === "won") return filled("figures won", { seat: number(Number(name)) });
    if (sort === "points") return known.lines[name] ?? name;
    if (sort === "measure") return known.measures[name] ?? name;
    if (sort === "held" || sort === "used") return filled(`figures ${sort}`, { power: known.powers[name] ?? name });
    return say(`figures ${key}`);
  }

  // ── what is drawn ──

  draw() {
    const { told: known, figures } = this;
    if (!known) return h("div", { class: "many-games" }, h("h2", { class: "unseen" }, say("figures")));
    return h(
      "div",
      { class: "many-games" },
      h("h2", { class: "unseen" }, say("figures")),
      this.choices(),
      this.state(),
      figures &&
        h(
          "div",
          { class: `dashboard${this.old ? " old" : ""}` },
          differences(this),
          figures.quantities && [
            h("div", { class: "column", key: "column 1" }, seats(this), points(this)),
            h("div", { class: "column", key: "column 2" }, length(this), closeness(this)),
          ],
          never(this),
          this.part("figures turn", "turn", this.turning.draw()),
          this.part("figures look", "look", this.looking.draw()),
          Boolean(figures.decisions?.length) && decisions(this),
        ),
    );
  }

  choices() {
    const {
      wish,
      known: { people, players, options, against },
    } = this;
    const pick = (
      /** @type {string} */ label,
      /** @type {string | number} */ value,
      /** @type {[string | number, string][]} */ choices,
      /** @type {(value: string) => void} */ set,
    ) =>
      h(
        "label",
        {},
        h("span", {}, label),
        h(
          "select",
          { value: String(value), onchange: (event) => set(event.target.value) },
          choices.map(([name, text]) => h("option", { value: String(name) }, text)),
        ),
      );
    const option = (/** @type {Answers["figures"]["options"][number]} */ { name, label, usual, choices }) =>
      pick(
        label,
        wish.options[name] ?? usual,
        choices.map((choice) => [choice.name, choice.label]),
        (choice) => this.set({ options: { ...wish.options, [name]: choice } }),
      );
    const changed = options
      .filter(({ name, usual }) => (wish.options[name] ?? usual) !== usual)
      .map(({ label }) => label);
    return h(
      "div",
      { class: "row table-of-games", role: "group", "aria-label": say("figures table") },
      pick(
        say("figures people"),
        wish.people,
        people.map((count) => [count, number(count)]),
        (count) => this.set({ people: Number(count) }),
      ),
      pick(
        say("figures player"),
        wish.player,
        players.map((kind) => [kind, say(`figures player ${kind}`)]),
        (player) => this.set({ player }),
      ),
      options.length > FEW ? null : options.map(option),
      against.length > 0 &&
        pick(
          say("figures against"),
          wish.against,
          [
            ["", say("figures against nothing")],
            ...against.map(
              ({ what, title }) =>
                /** @type {[string, string]} */ ([what, filled(`figures against ${what}`, { title })]),
            ),
          ],
          (what) => this.set({ against: what }),
        ),
      options.length > FEW &&
        h(
          "details",
          { class: "options-of-games" },
          h("summary", {}, say("options"), changed.length > 0 && ` (${changed.join(", ")})`),
          h("div", { class: "row" }, options.map(option)),
        ),
    );
  }

  state() {
    const { figures, trouble, old } = this;
    if (trouble)
      return h("div", { class: "trouble", role: "alert" }, h("h3", {}, say("figures stopped")), h("p", {}, trouble));
    if (!figures) return h("p", { class: "faint", "aria-busy": "true" }, say("figures beginning"));
    const { games, ended, limited, stopped, done, wanted } = figures;
    return h(
      "div",
      { class: "state-of-games" },
      h(
        "p",
        { "aria-busy": String(!done || old) },
        h("strong", {}, filled(done ? "figures games" : "figures playing", { games: number(games) })),
        " ",
        !done &&
          h("progress", {
            max: wanted,
            value: games,
            "aria-label": filled("figures playing", { games: number(games) }),
          }),
        h(
          "span",
          { class: "faint" },
          old ? say("figures old") : say("figures interval"),
          " ",
          done && games < wanted && say("figures slow"),
        ),
      ),
      limited > 0 &&
        h(
          "p",
          { class: "surely" },
          filled(ended + stopped.games < games ? "figures endless" : "figures limited", {
            limited: number(limited),
            games: number(games),
          }),
        ),
      stopped.games > 0 &&
        h(
          "p",
          { class: "surely" },
          filled("figures not ended", {
            stopped: number(stopped.games),
            games: number(games),
            seed: stopped.seed,
            why: stopped.why,
          }),
        ),
    );
  }

  /** @param {string} word @param {string} name @param {...Child} inside */
  part(word, name, ...inside) {
    return h(
      "section",
      { class: `panel part of-${name}`, key: name, "aria-labelledby": `figures-${name}` },
      h("h3", { id: `figures-${name}` }, say(word)),
      inside,
    );
  }

  /** @param {string} decision @param {string} name */
  answer(decision, name) {
    return this.known.decisions[decision]?.answers[name] ?? name;
  }
}
