// The pane 'Steps': what the rules did since an answer, sentence by sentence, with the table as it was on the way.

import { button, signButton } from "./controls.js";
import { about, now } from "./document.js";
import { notice, required } from "./dom.js";
import { fetched } from "./pictures.js";
import { Latest } from "./latest.js";
import { h } from "./preact.js";
import { seatChoice } from "./seat_choice.js";
import { avatarOf, details } from "./step_details.js";
import { folded, rowsOf, seenRows } from "./step_rows.js";
import { wholeTable } from "./whole_table.js";
import { filled, number, say } from "./words.js";

/** @import { Row } from "./step_rows.js" */
/** @import { StepView } from "./records" */
/** @import { Answers } from "./answers" */
/** @import { Bench, KeyEvent, Redraw, State, Table } from "./types" */

const DEEPEST = 10; // by which a row is moved in

export class Steps {
  /** @param {Bench} bench @param {Redraw} redraw */
  constructor(bench, redraw) {
    this.bench = bench;
    this.redraw = redraw;
    /** @type {Answers["steps"] | null} */
    this.told = null;
    /** @type {Table} */
    this.of = /** @type {any} */ (null); // until something has come
    /** @type {Row[]} */
    this.rows = [];
    /** @type {StepView[]} */
    this.steps = [];
    this.at = 0;
    /** @type {number | null} */
    this.answer = null;
    this.seat = "all";
    /** @type {Map<string, State>} */
    this.tables = new Map();
    /** @type {Set<number>} */
    this.closed = new Set();
    this.loads = new Latest();
    for (const event of /** @type {const} */ (["shown", "played"])) bench.on(event, () => this.stale());
    for (const event of /** @type {const} */ (["edited", "language"]))
      bench.on(event, () => this.stale(this.told ? { answer: this.answer, step: this.at } : {}));
  }

  // wanted: {answer, step}, where another pane knows what is to be seen.
  /** @param {{ answer?: number, step?: number } | null} [wanted] */
  async shown(wanted = null) {
    this.seen = true;
    await this.load(wanted ?? {});
  }

  hidden() {
    this.seen = false;
    this.bench.mark();
  }

  // wanted: what is still to be seen, where only the rules have changed.
  stale(wanted = {}) {
    if (this.seen) this.load(wanted);
    else this.told = null;
  }

  /** @param {{ answer?: number | null, step?: number | null }} wanted */
  async load({ answer = null, step = null }) {
    if (!this.bench.file) return;
    /** @type {Record<string, number>} */
    const wanted = answer === null ? {} : { answer, node: this.told?.node ?? 0 };
    const found = await this.loads.of(this.bench.get("steps", wanted));
    if (!found) return;
    this.told = found;
    this.answer = found.answer;
    this.of = about(found.table);
    this.steps = found.trace.steps;
    this.tables = new Map();
    this.rows = rowsOf(found.trace);
    this.closed = folded(this.rows);
    fetched(this.of.edition, this.redraw);
    await this.go(Math.min(step ?? 0, Math.max(0, this.steps.length - 1)));
  }

  // To a step, by its place.
  /** @param {number} place */
  async go(place) {
    this.at = Math.max(0, Math.min(place, this.steps.length - 1));
    const row = this.rows.find((found) => found.place === this.at);
    for (let above = row?.parent; above; above = above.parent) this.closed.delete(above.id);
    const where = this.sentence()?.place;
    if (where?.file) this.bench.mark(where.file, where.line);
    await this.fetch();
    this.redraw();
    requestAnimationFrame(() =>
      document.querySelector(".steps [aria-current=step]")?.scrollIntoView({ block: "nearest" }),
    );
  }

  // To the answer before, or after.
  /** @param {number} by */
  turn(by) {
    const answer = (this.answer ?? -1) + by;
    if (answer >= -1 && answer < this.known.answers) this.load({ answer });
  }

  get known() {
    return required(this.told);
  }
  get step() {
    return this.steps[this.at] ?? null;
  }
  sentence(step = this.step) {
    return step && step.sentence >= 0 ? this.known.trace.sentences[step.sentence] : null;
  }

  async fetch() {
    const key = `${this.step?.state ?? 0} ${this.seat}`;
    if (this.tables.has(key)) return;
    const { node } = this.known;
    const found = await this.bench.get("steps/table", {
      node,
      answer: required(this.answer),
      state: this.step?.state ?? 0,
      seat: this.seat,
    });
    if (found) this.tables.set(key, now(found, this.of));
  }

  /** @param {string} seat */
  async see(seat) {
    this.seat = seat;
    await this.fetch();
    this.redraw();
  }

  // On to the next sentence of the line in which the cursor stands; from the end, from the beginning.
  toCursor() {
    const { source, cursor } = this.bench;
    const there = (/** @type {number} */ place) => {
      const where = this.sentence(this.steps[place])?.place;
      return where?.file === source && where.line === cursor.line;
    };
    const places = this.steps.map((_, place) => place).filter(there);
    if (places.length) this.go(places.find((place) => place > this.at) ?? places[0]);
    else notice(say("not in line"));
  }

  /** @param {Record<string, string | number | undefined>} slots @param {string} missing */
  async why(slots, missing) {
    const found = await this.bench.get("steps/why", {
      node: this.known.node,
      answer: required(this.answer),
      step: this.at,
      ...slots,
    });
    if (!found) return;
    if (found.step === null || found.step === undefined) notice(say(missing));
    else if (found.answer === this.answer) await this.go(found.step);
    else await this.load({ answer: found.answer, step: found.step });
  }

  // ── what is drawn ──

  draw() {
    if (!this.told) return h("p", {}, this.bench.unready);
    return h(
      "section",
      { class: "steps", onkeydown: (event) => this.key(event) },
      h("h2", { class: "unseen" }, say("steps")),
      this.ways(),
      this.list(),
      this.step && details(this, this.step, this.sentence()),
      this.table(),
    );
  }

  /** @param {KeyEvent} event */
  key(event) {
    const by = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
    const to = event.key === "Home" ? 0 : event.key === "End" ? this.steps.length - 1 : by && this.at + by;
    if (
      to === undefined ||
      event.target.closest("select, input, .map") ||
      event.ctrlKey ||
      event.metaKey ||
      event.altKey
    )
      return;
    event.preventDefault();
    const inList = event.target.closest(".done");
    this.go(to).then(() => {
      if (inList) document.querySelector(".steps [aria-current=step]")?.focus({ preventScroll: true });
    });
  }

  ways() {
    const { known: told, at, steps } = this;
    const way = (
      /** @type {string} */ word,
      /** @type {string} */ sign,
      /** @type {number} */ to,
      /** @type {boolean} */ off,
    ) => signButton(sign, word, () => this.go(to), { "aria-disabled": off ? "true" : null });
    const whose = told.taken;
    const last = told.answers - 1;
    return h(
      "div",
      { class: "row ways" },
      h(
        "div",
        { class: "row", key: "answers" },
        signButton("‹", "earlier answer", () => this.turn(-1), {
          "aria-disabled": (this.answer ?? -1) < 0 ? "true" : null,
        }),
        h(
          "strong",
          { class: "after", title: whose?.taken },
          whose
            ? filled("steps answer", { name: this.of.seats[whose.seat].name, taken: whose.taken })
            : say("steps opening"),
        ),
        signButton("›", "later answer", () => this.turn(1), {
          "aria-disabled": (this.answer ?? -1) >= last ? "true" : null,
        }),
      ),
      h(
        "div",
        { class: "row", key: "ways" },
        way("steps first", "⇤", 0, at <= 0),
        way("step back", "←", at - 1, at <= 0),
        h(
          "span",
          { class: "count", role: "status" },
          filled("step of", { number: number(steps.length ? at + 1 : 0), count: number(steps.length) }),
        ),
        way("step on", "→", at + 1, at >= steps.length - 1),
        way("steps last", "⇥", steps.length - 1, at >= steps.length - 1),
        button(say("to the cursor"), () => this.toCursor(), { key: "cursor" }),
      ),
    );
  }

  list() {
    const { trace } = this.known;
    if (!this.steps.length) return h("p", { class: "done faint" }, trace.error || say("no steps"));
    const { rows, above, below } = seenRows(this.rows, this.closed, this.at);
    return h(
      "div",
      { class: "done", role: "group", "aria-label": say("sentences done"), key: "done" },
      trace.done > this.steps.length &&
        h(
          "p",
          { class: "faint" },
          filled("steps left out", { done: number(trace.done), count: number(this.steps.length) }),
        ),
      above > 0 && h("p", { class: "faint" }, `… ${number(above)}`),
      h(
        "ol",
        {},
        rows.map((row) => this.row(row)),
      ),
      below > 0 && h("p", { class: "faint" }, `… ${number(below)}`),
      trace.error && h("p", { class: "trouble" }, trace.error),
      trace.questions &&
        trace.questions.length > 0 &&
        h(
          "div",
          { class: "asks" },
          h("p", { class: "faint" }, say("step asks")),
          trace.questions.map(({ seat, prompt }) =>
            h("p", { key: seat }, avatarOf(this.of, seat), " ", h("strong", {}, this.of.seats[seat].name), " ", prompt),
          ),
        ),
    );
  }

  /** @param {Row} row */
  row(row) {
    const style = { "--depth": Math.min(row.depth, DEEPEST) };
    const sentence = this.known.trace.sentences[row.sentence];
    const shut = this.closed.has(row.id);
    const fold =
      row.inside > 0 &&
      button(
        shut ? "▸" : "▾",
        () => {
          if (!this.closed.delete(row.id)) this.closed.add(row.id);
          this.redraw();
        },
        {
          class: "fold",
          "aria-expanded": String(!shut),
          "aria-label": shut ? filled("unfold", { count: number(row.inside) }) : say("fold"),
        },
      );
    if (row.place === null)
      return h(
        "li",
        { key: row.id, class: "header", style },
        fold || h("span", { class: "fold" }),
        h("span", { class: "line faint" }, sentence.place.line),
        h("span", { class: "sentence faint" }, `${sentence.text} … `, say("goes on inside")),
      );
    const { place } = row;
    const step = this.steps[place];
    if (!sentence)
      return h(
        "li",
        { key: row.id, class: "phase", style },
        button(step.lines?.[0] ?? "", () => this.go(place), {
          class: "sentence",
          "aria-current": place === this.at ? "step" : null,
          tabindex: place === this.at ? 0 : -1,
        }),
      );
    return h(
      "li",
      { key: row.id, class: row.turn ? "turn" : "", style },
      fold || h("span", { class: "fold" }),
      h(
        "button",
        {
          type: "button",
          class: "sentence",
          "aria-current": place === this.at ? "step" : null,
          tabindex: place === this.at ? 0 : -1,
          onclick: () => this.go(place),
        },
        h("span", { class: "line faint" }, sentence.place.line),
        step.seat !== null && step.seat !== undefined && avatarOf(this.of, step.seat),
        h("span", { class: "words" }, sentence.text),
        this.short(step),
      ),
    );
  }

  // What came of it, in a few signs.
  /** @param {StepView} step */
  short(step) {
    const found = [];
    if (step.outcome)
      found.push(h("span", { class: `outcome ${step.outcome}` }, say(step.outcome === "yes" ? "yes sign" : "no sign")));
    for (const move of step.moves ?? []) found.push(h("span", { class: "did" }, `${move.pieces} → ${move.goal_label}`));
    for (const count of step.counts ?? [])
      found.push(h("span", { class: "did" }, `${count.label}: ${count.before} → ${count.after}`));
    return found;
  }

  table() {
    const { of, step } = this;
    const state = this.tables.get(`${step?.state ?? 0} ${this.seat}`);
    if (!state) return null;
    /** @type {import("./types").Changed} */
    const fresh = new Map([
      ...(step?.moves ?? []).map(({ start }) => /** @type {const} */ ([start, "left"])),
      ...(step?.moves ?? []).map(({ goal }) => /** @type {const} */ ([goal, "came"])),
      ...(step?.shuffled ?? []).map(({ zone }) => /** @type {const} */ ([zone, "came"])),
    ]);
    const found = wholeTable(
      of,
      { ...state, changed: fresh },
      { ref: (drawn) => drawn && this.light(drawn, fresh, step), redraw: this.redraw },
    );
    return h(
      "section",
      {
        class: "then",
        key: "then",
        "aria-label": say("steps table"),
        onclick: (event) => this.tapped(event.target),
        onkeydown: (event) => {
          if (event.key === "Enter" || event.key === " ") this.tapped(event.target, event);
        },
      },
      h(
        "div",
        { class: "row heading" },
        h("h3", {}, say("steps table")),
        seatChoice(of, this.seat, (seat) => this.see(seat)),
      ),
      h("p", { class: "faint" }, say("steps told")),
      found,
    );
  }

  // Called when the table has been drawn: what has changed glows; whatever lies there can be asked about.
  /** @param {Element} found @param {import("./types").Changed} fresh @param {StepView | null} step */
  light(found, fresh, step) {
    for (const zone of found.querySelectorAll("[data-zone]"))
      zone.classList.toggle("glows", fresh.has(zone.dataset.zone ?? ""));
    const counted = new Set((step?.counts ?? []).map(({ name, owner }) => `${name} ${owner}`));
    for (const counter of found.querySelectorAll('[data-explain^="counter "]')) {
      counter
        .closest("div")
        ?.classList.toggle(
          "glows",
          counted.has(
            `${counter.dataset.explain?.slice(8)} ${counter.closest("[data-seat-table]")?.dataset.seatTable ?? -1}`,
          ),
        );
    }
    for (const piece of found.querySelectorAll(":is(.laid, .man)[data-piece]")) {
      piece.setAttribute("tabindex", "0");
      piece.setAttribute("role", "button");
      piece.removeAttribute("aria-hidden");
      piece.setAttribute("aria-label", filled("why here", { piece: this.of.pieces[piece.dataset.piece ?? ""].label }));
    }
  }

  /** @param {HTMLElement} target @param {Event | null} [event] */
  tapped(target, event = null) {
    const piece = target.closest("[data-piece]");
    const counter = target.closest('[data-explain^="counter "]');
    if (!piece && !counter) return;
    event?.preventDefault();
    if (piece) this.why({ piece: piece.dataset.piece, zone: piece.dataset.at }, "never moved");
    else if (counter)
      this.why(
        {
          counter: counter.dataset.explain?.slice(8),
          owner: counter.closest("[data-seat-table]")?.dataset.seatTable ?? -1,
        },
        "never counted",
      );
  }
}
