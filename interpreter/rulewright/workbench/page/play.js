// The pane 'Play': the game by the rules as they are now, from any seat, and what came out otherwise since they
// changed.

import { button, signButton } from "./controls.js";
import { bar } from "./bar.js";
import { enlarge } from "./enlarged.js";
import { naming, propose } from "./case_making.js";
import { curve } from "./curve.js";
import { about, line, now } from "./document.js";
import { required } from "./dom.js";
import { attendDrags, settleDrop } from "./drag.js";
import { fold } from "./folded.js";
import { movement } from "./move_animation.js";
import { follow, log, telling } from "./log.js";
import { parted } from "./parted.js";
import { Picking } from "./picking.js";
import { fetched } from "./pictures.js";
import { startMenu } from "./play_start.js";
import { h } from "./preact.js";
import "./roving.js";
import { settle, stage } from "./stage.js";
import { readStored, store } from "./storage.js";
import { LineTree, lineOf } from "./tree.js";
import { filled, say } from "./words.js";

/** @import { Regions } from "./arrange.js" */
/** @import { Answers, PlayedNode } from "./answers" */
/** @import { Bench, FieldEvent, LogLine, Picked, Redraw, State, Table, TapEvent } from "./types" */

// What is open beside the table, unless somebody is in it.
/** @param {Node | null} inside */
function closeMenus(inside) {
  for (const menu of document.querySelectorAll(".play-bar .menu[open]"))
    if (!menu.contains(inside)) menu.removeAttribute("open");
}

const KEPT = "rulewright lines shown";

// How the computer may play, the usual way first.
const KINDS = ["best", "hard", "medium", "easy", "random"];

// How it plays here: as was chosen last, where that can still be chosen.
const chosenKind = () => KINDS.find((kind) => kind === readStored("rulewright computer")) ?? KINDS[0];

export class Play {
  // found: what the workbench said last; of, state, lines: its table, as the table's page has them; sight: from where
  // it is seen; picked: of the answer that is being made; form: what a new game can be like; wanted: what is filled in
  // there; making: the name of a case that is being made; made: the file that it is in.
  /** @param {Bench} bench @param {Redraw} redraw */
  constructor(bench, redraw) {
    this.bench = bench;
    this.redraw = redraw;
    /** @type {PlayedNode | null} */
    this.found = null;
    /** @type {(Table & { seat: number }) | null} */
    this.of = null;
    /** @type {State | null} */
    this.state = null;
    /** @type {LogLine[]} */
    this.lines = [];
    this.sight = "asked";
    /** @type {Picked} */
    this.picked = new Map();
    /** @type {Answers["play/form"] | null} */
    this.form = null;
    /** @type {{ people: number, seed: number, roles: string[], options: Record<string, string> } | null} */
    this.wanted = null;
    /** @type {string | null} */
    this.making = null;
    /** @type {{ file: string, name: string | null } | null} */
    this.made = null;
    this.busy = false;
    this.asking = 0;
    this.visible = false;
    this.tree = new LineTree(this);
    this.open = readStored(KEPT) === "yes";
    bench.on("shown", () => this.forget());
    bench.on("edited", ({ file }) => {
      if (file === bench.file) this.edited();
    });
    bench.on("played", ({ file }) => {
      if (file === bench.file && this.open && this.visible) this.tree.soon();
    });
    bench.on("language", () => this.forget());
    /** @type {Picking | null} */
    this.picking = null; // of the answer that is being made
    attendDrags(() => {
      const { of, picking, visible, making, waiting } = this;
      return visible && of && picking && !making && !waiting ? { of, picking } : null;
    }, redraw);
    document.addEventListener("click", ({ target }) => closeMenus(/** @type {Node | null} */ (target)));
    document.addEventListener("keydown", ({ key }) => {
      if (key === "Escape") closeMenus(null);
    });
  }

  // argument: the node to go to, if any.
  /** @param {{ node?: number, file?: string | null, name?: string }} [argument] */
  async shown(argument) {
    this.visible = true;
    if (!this.bench.file) return;
    if (argument?.node) await this.go(argument.node);
    else if (!this.found || this.stale) await this.load();
    if (this.open) await this.tree.load();
  }

  hidden() {
    this.visible = false;
  }

  forget() {
    Object.assign(this, { found: null, of: null, state: null, form: null, wanted: null, making: null, made: null });
    this.tree.nodes = [];
    if (this.visible && this.bench.file) this.shown();
  }

  edited() {
    this.stale = true;
    this.form = null;
    if (this.found || this.visible) this.load();
  }

  get node() {
    return this.found?.node ?? "";
  }

  // How the tab is marked: where a line has come out otherwise.
  get badge() {
    return this.found?.parted || this.found?.stopped ? { text: "!", bad: true } : null;
  }

  load() {
    return this.take(this.bench.get("play", { node: this.node, sight: this.sight }));
  }

  /** @param {number} node */
  go(node) {
    return this.take(this.bench.post("play/go", { node, sight: this.sight }));
  }

  /** @param {string[]} take */
  answer(take, seat = this.of?.seat ?? 0) {
    return this.take(
      this.bench.post("play/answer", { node: this.node, seat, take, sight: this.sight === "all" ? "all" : "asked" }),
    );
  }

  /** @param {string} until */
  async computer(until) {
    this.busy = true;
    this.redraw();
    const kind = chosenKind();
    await this.take(this.bench.post("play/computer", { node: this.node, kind, until, sight: this.sight }));
    this.busy = false;
    this.redraw();
  }

  // An answer of the workbench that tells the game anew; of several on their way the last one counts.
  /** @param {Promise<PlayedNode | null>} answer */
  async take(answer) {
    const asking = ++this.asking;
    const focused = document.activeElement?.closest(".playing .stage button");
    this.waiting = true;
    const found = await answer;
    if (asking === this.asking) this.waiting = false;
    if (!found && asking === this.asking) this.redraw();
    if (!found || asking !== this.asking) return;
    const of = found.game && about(found.game.table);
    if (of) await fetched(of.edition, () => {});
    if (asking !== this.asking) return;
    if (found.node !== this.found?.node) Object.assign(this, { making: null, made: null });
    const state = found.game && of && now(found.game.now, of);
    const grown = (found.game?.log.length ?? 0) >= this.lines.length;
    const animate = of && state && this.visible ? movement(of, state, grown ? this : found) : () => {};
    Object.assign(this, {
      found,
      of,
      state,
      stale: false,
      lines: found.game?.log.map(line) ?? [],
      picked: new Map(),
    });
    this.redraw();
    settle();
    fold();
    animate();
    enlarge(this.redraw)();
    settleDrop();
    follow(`${found.node} ${this.sight} ${this.lines.length}`);
    if (this.open && this.visible) this.tree.load();
    if (focused) document.querySelector(".playing .asked h2")?.focus({ preventScroll: true });
  }

  // ── what is drawn ──

  // What the workbench has told, which is there wherever it is drawn; likewise what a new game can be like.
  get known() {
    return required(this.found);
  }
  get wishes() {
    return required(this.wanted);
  }

  draw() {
    if (!this.bench.file) return h("p", {}, say("no file"));
    const { found } = this;
    return h(
      "div",
      { class: "playing", onclick: (event) => this.where(event) },
      h("h2", { class: "unseen" }, say("play tab")),
      found && [
        this.bar(),
        this.open && this.tree.draw(),
        found.parted && parted(this, found.parted),
        this.stopped(),
        naming(this),
      ],
      found?.kept
        ? this.asItWas()
        : found?.game && this.of && this.state
          ? this.table(this.of, this.state)
          : found
            ? this.cannot()
            : h("p", { class: "faint" }, this.waiting ? say("pane loading") : this.bench.unready),
    );
  }

  bar() {
    const { known: found } = this;
    const at = found.line.findIndex(({ node }) => node === found.node);
    const step = (/** @type {string} */ sign, /** @type {string} */ word, /** @type {number} */ to) =>
      signButton(sign, word, () => this.go(found.line[to].node), { disabled: !found.line[to] });
    const toggle = () => {
      this.open = !this.open;
      store(KEPT, this.open ? "yes" : "no");
      if (this.open) this.tree.load();
      this.redraw();
    };
    return h(
      "div",
      { class: "play-bar row", key: "bar" },
      startMenu(this),
      h("span", { class: "row to-and-fro" }, step("◀", "play back", at - 1), step("▶", "play forward", at + 1)),
      this.of && this.seeAs(this.of),
      this.state && this.byComputer(this.state),
      button(say("play lines"), toggle, { key: "lines", "aria-pressed": String(this.open) }),
      this.of &&
        this.making === null &&
        button(`✓ ${say("play right")}`, () => propose(this), { class: "main", key: "right" }),
    );
  }

  /** @param {Table} of */
  seeAs(of) {
    const choose = (/** @type {FieldEvent} */ event) => {
      this.sight = event.target.value;
      this.load();
    };
    return h(
      "label",
      { class: "row see-as" },
      h("span", {}, say("play see as")),
      h(
        "select",
        { value: this.sight, onchange: choose },
        h("option", { value: "asked" }, say("play asked")),
        of.seats.map(({ name }, seat) => h("option", { value: String(seat) }, name)),
        h("option", { value: "all" }, say("play all")),
      ),
    );
  }

  /** @param {State} state */
  byComputer(state) {
    const kind = chosenKind();
    const go = (/** @type {string} */ until) => (/** @type {TapEvent} */ event) => {
      event.target.closest("details")?.removeAttribute("open");
      this.computer(until);
    };
    return h(
      "details",
      { class: "drop menu", key: "computer" },
      h("summary", {}, this.busy ? say("play thinking") : say("play computer")),
      h(
        "div",
        { class: "panel" },
        [
          ["answer", "play one answer"],
          ["round", "play round"],
          ["end", "play end"],
        ].map(([until, word]) => button(say(word), go(until), { key: until, disabled: this.busy || state.over })),
        h(
          "label",
          { class: "row" },
          h(
            "select",
            {
              "aria-label": say("play computer"),
              value: kind,
              onchange: (event) => store("rulewright computer", event.target.value),
            },
            KINDS.map((one) => h("option", { value: one }, say(`play ${one}`))),
          ),
        ),
      ),
    );
  }

  cannot() {
    return h(
      "p",
      { class: "trouble" },
      say("play cannot"),
      " ",
      this.known.stopped && this.bench.why(this.known.stopped),
    );
  }

  stopped() {
    const { stopped, line: answers } = this.known;
    if (!stopped || !this.of) return null;
    const one = answers.find(({ node }) => node === stopped.node);
    return h(
      "section",
      { class: "parted panel", key: "stopped" },
      h("h3", {}, say("play stopped")),
      h("p", {}, h("strong", {}, one && lineOf(one)), " ", this.bench.why(stopped)),
    );
  }

  asItWas() {
    return h(
      "section",
      { class: "panel" },
      h("h3", {}, say("play kept")),
      h("p", { class: "faint" }, say("play kept told")),
      h(
        "ol",
        { class: "as-it-was" },
        required(this.known.kept).map((one) =>
          h(
            "li",
            { key: one.node },
            h("strong", {}, lineOf(one)),
            one.lines.map((text) => h("p", {}, text)),
          ),
        ),
      ),
    );
  }

  // What lies on the table leads to where the source makes it.
  /** @param {TapEvent} event */
  async where(event) {
    const found = event.target.closest("[data-explain]");
    if (!found || found.matches(".offered")) return;
    const [what, ...words] = required(found.dataset.explain).split(" ");
    const place = await this.bench.get("play/where", { what, name: words.join(" ") });
    if (place) this.bench.open(place.file, place.line, place.column);
  }

  // ── the table ──

  /** @param {Table & { seat: number }} of @param {State} state */
  table(of, state) {
    const picking =
      state.asked && !this.busy
        ? new Picking(state.asked, this.picked, ({ take }) => this.answer(take), this.redraw)
        : null;
    this.picking = picking;
    const tell = telling(of, state);
    return [
      stage(of, state, picking, {
        bar: (regions) => this.question(of, state, picking, regions),
        redraw: this.redraw,
      }),
      h(
        "div",
        { class: "after", key: "after" },
        state.over && curve(of, state.curve, state.standings),
        log(this.lines, {
          tell,
          redraw: this.redraw,
          look: (step) => this.go(this.known.line[step].node),
          phases: of.phases,
        }),
      ),
    ];
  }

  // The question with whose it is, or who is asked.
  /** @param {Table & { seat: number }} of @param {State} state @param {Picking | null} picking @param {Regions} regions */
  question(of, state, picking, regions) {
    const { asked_seats: asked } = required(required(this.found).game);
    const name = (/** @type {number} */ seat) => of.seats[seat].name;
    const other = asked.filter((seat) => seat !== of.seat);
    const told = telling(of, state);
    const looks = other.map((seat) => this.lookAs(seat, name(seat)));
    const text = this.busy
      ? say("play thinking")
      : filled("play is asked", { name: asked.map(name).join(", "), other: name(of.seat) });
    return bar(of, state, picking, regions, {
      told,
      above: picking && h("p", { class: "whose" }, h("strong", {}, name(of.seat)), looks[0]),
      instead:
        !picking &&
        !state.over &&
        h("div", { class: "question" }, h("h2", { class: "calmly", tabindex: -1 }, text), !this.busy && looks),
      ending: state.over && h("div", { class: "question" }, h("h2", { tabindex: -1 }, state.result || say("result"))),
      history: null,
      send: () => false,
    });
  }

  /** @param {number} seat @param {string} name */
  lookAs(seat, name) {
    const look = () => {
      this.sight = String(seat);
      this.load();
    };
    return button(`${filled("play as them", { name })} ›`, look, { class: "plain", key: `as ${seat}` });
  }
}
