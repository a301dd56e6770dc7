// The pane 'Set up': a position that is made by dragging pieces, to play from there or to begin a case with.

import { button, checkbox } from "./controls.js";
import { boards } from "./board.js";
import "./roving.js";
import { Carrying } from "./carrying.js";
import { about, now } from "./document.js";
import { notice, required } from "./dom.js";
import { fetched } from "./pictures.js";
import { face, heaps, sorted } from "./pieces.js";
import { avatar } from "./seat_parts.js";
import { Latest } from "./latest.js";
import { h } from "./preact.js";
import { drawnOn } from "./regions.js";
import { counted } from "./setup_counters.js";
import { filled, number, say, times } from "./words.js";
import { zoneKey } from "./zones.js";

/** @import { PositionDraft } from "./records" */
/** @import { Answers, SetUpForm } from "./answers" */
/** @import { Bench, Held, Redraw, State, Table, Zone } from "./types" */

const MANY = 12; // pieces of a zone of which those that are alike lie together
const MOST_UNDONE = 100;

/** @typedef {{ from: string, in?: string, name?: string, node?: number, people?: string }} Beginning */

export class SetUp {
  /** @param {Bench} bench @param {Redraw} redraw */
  constructor(bench, redraw) {
    this.bench = bench;
    this.redraw = redraw;
    /** @type {PositionDraft | null} */
    this.draft = null;
    /** @type {PositionDraft[]} */
    this.before = [];
    /** @type {Set<string>} */
    this.apart = new Set();
    this.from = "usual";
    this.ordered = false;
    /** @type {SetUpForm | null} */
    this.told = null;
    this.checks = new Latest();
    this.loads = new Latest();
    /** @type {Beginning | null} */
    this.beginning = null; // whose answer is on its way
    /** @type {Table} */
    this.of = /** @type {any} */ (null); // until something has come
    /** @type {State} */
    this.base = /** @type {any} */ (null);
    this.field = "";
    /** @type {Answers["setup/check"] | null} */
    this.checked = null;
    this.carrying = new Carrying(this);
    bench.on("shown", () => {
      Object.assign(this, { draft: null, beginning: null });
      this.loads.drop();
      if (this.seen) this.begin({ from: "usual" });
    });
    for (const event of /** @type {const} */ (["edited", "language"]))
      bench.on(event, () => {
        if (this.seen) this.shown();
      });
  }

  // wanted: {from: "node", node} or {from: "case", in, name}, where another pane knows it.
  /** @param {Beginning} [wanted] */
  async shown(wanted) {
    this.seen = true;
    const begins = wanted ?? this.beginning;
    if (begins || !this.draft) await this.begin(begins ?? { from: "usual" });
    else await this.again();
  }

  hidden() {
    this.seen = false;
    this.carrying.letGo();
  }

  // The position that is laid out, and what it can be.
  get position() {
    return required(this.draft);
  }
  get form() {
    return required(this.told);
  }

  /** @param {Beginning} wanted */
  async begin(wanted) {
    if (!this.bench.file) return;
    this.beginning = wanted;
    const found = await this.loads.of(this.bench.get("setup", wanted));
    if (found === undefined) return;
    this.beginning = null;
    if (!found) return;
    this.take(found);
    Object.assign(this, {
      from: wanted.from === "case" ? `case ${wanted.in} ${wanted.name}` : wanted.from,
      draft: found.draft,
      before: [],
    });
    await this.check();
  }

  // The rules have changed: what is laid out stays, as far as there are such places.
  async again() {
    const people = this.position.seats.length;
    const found = await this.loads.of(this.bench.get("setup", { from: "usual", people }));
    if (!found) return;
    const { zones, counters, ...rest } = this.position;
    /** @type {<T>(now: Record<string, T>, before: Record<string, T>) => Record<string, T>} */
    const known = (now_, kept) =>
      Object.fromEntries(Object.entries(now_).map(([key, what]) => [key, key in kept ? kept[key] : what]));
    if (found.draft.seats.length === this.position.seats.length) {
      this.draft = { ...rest, zones: known(found.draft.zones, zones), counters: known(found.draft.counters, counters) };
    } else this.draft = found.draft;
    this.take(found);
    await this.check();
  }

  /** @param {SetUpForm} found */
  take(found) {
    this.told = found;
    this.of = about(found.table);
    this.base = now(found.now, this.of);
    fetched(this.of.edition, this.redraw);
  }

  // ── what is changed ──

  // field: what is being typed into: letter by letter, it is one change.
  /** @param {Partial<PositionDraft>} made */
  async change(made, field = "") {
    if (!field || field !== this.field) this.before.push(this.position);
    this.field = field;
    this.before.splice(0, this.before.length - MOST_UNDONE);
    this.draft = { ...this.position, ...made };
    this.redraw();
    await this.check();
  }

  async undo() {
    this.draft = required(this.before.pop());
    this.field = "";
    this.redraw();
    await this.check();
  }

  async check() {
    const how = { ordered: this.ordered ? "yes" : "no" };
    const found = await this.checks.of(this.bench.post("setup/check", this.draft, how));
    if (found === undefined) return;
    this.checked = found ?? { text: "", trouble: "" };
    this.redraw();
  }

  /** @param {string} name */
  kind(name) {
    const { kinds } = this.form.pieces;
    return kinds[name] ?? kinds[name.replace(/ \([^()]*\)$/, "")];
  }

  // The zone in which a piece can be put at a place: that itself, or another one of the same space. from: where it
  // lies.
  /** @param {string} key @param {{ name: string, key: string }} given */
  home(key, { name, key: from }) {
    const [zone, , word] = key.split("/");
    const list = this.of.zones[zone].of;
    const beside =
      word && list
        ? Object.keys(this.position.zones).filter(
            (other) => other.split("/")[2] === word && this.of.zones[other.split("/")[0]].of === list,
          )
        : [];
    return (
      [key, ...beside].find(
        (other) =>
          this.form.pieces.holds[other.split("/")[0]].includes(this.kind(name)) &&
          (other === from || this.position.zones[other].length < this.form.pieces.rooms[other]),
      ) ?? null
    );
  }

  // index: before which of those that lie there; else it comes on top.
  /** @param {Held} held @param {string} goal @param {number | null} [before] */
  put({ name, key, index }, goal, before = null) {
    const zones = { ...this.position.zones };
    const left = [...zones[key]];
    const at = index ?? left.lastIndexOf(name);
    left.splice(at, 1);
    zones[key] = left;
    const there = [...zones[goal]];
    let place = before ?? there.length;
    if (goal === key && before !== null && at < before) place -= 1;
    there.splice(place, 0, name);
    zones[goal] = there;
    return this.change({ zones });
  }

  /** @param {Held} given @param {string} shows */
  turn({ name, key, index }, shows) {
    const names = [...this.position.zones[key]];
    names[index ?? names.lastIndexOf(name)] = shows;
    return this.change({ zones: { ...this.position.zones, [key]: names } });
  }

  async play() {
    const found = await this.bench.post("setup/play", this.draft);
    if (found) this.bench.show("play", { node: found.node });
  }

  async copy() {
    await navigator.clipboard.writeText(required(this.checked).text);
    notice(say("given copied"));
  }

  // ── what is drawn ──

  draw() {
    if (!this.draft) return h("p", {}, this.bench.unready);
    const { of } = this;
    const state = {
      ...this.base,
      zones: this.base.zones.map((zone) => ({
        ...zone,
        pieces: this.position.zones[zoneKey(zone)] ?? [],
        count: this.position.zones[zoneKey(zone)]?.length ?? 0,
      })),
      touch: this.carrying.touch,
    };
    const laid = h("div", { class: "lain", ...this.carrying.handlers() }, this.boards(state), this.zones(state));
    return h(
      "section",
      { class: "setup" },
      h("h2", { class: "unseen" }, say("setup")),
      this.beginnings(),
      this.ways(),
      this.checked?.trouble && h("p", { class: "trouble", role: "alert" }, this.checked.trouble),
      this.carrying.bar(of),
      h("p", { class: "faint", key: "told" }, say("setup told")),
      laid,
      counted(this, this.form.counters, this.position),
      this.checked?.text &&
        h(
          "details",
          { class: "panel", key: "text" },
          h("summary", {}, say("as given")),
          h("pre", { tabindex: 0 }, this.checked.text),
        ),
    );
  }

  beginnings() {
    const { form: told, position: draft } = this;
    const option = (/** @type {string} */ value, /** @type {string} */ text) =>
      h("option", { value, key: value }, text);
    const chosen = (/** @type {string} */ value) => {
      const one = told.cases.find(({ file, name }) => value === `case ${file} ${name}`);
      this.begin(one ? { from: "case", in: one.file, name: one.name } : { from: value });
    };
    return h(
      "div",
      { class: "row beginnings", key: "beginnings" },
      h(
        "label",
        {},
        h("span", {}, say("setup from")),
        h(
          "select",
          { value: this.from, onchange: (event) => chosen(event.target.value) },
          option("usual", say("setup usual")),
          option("node", say("setup played")),
          told.cases.map(({ file, name }) => option(`case ${file} ${name}`, filled("setup case", { name }))),
        ),
      ),
      this.from === "usual" &&
        told.people.length > 1 &&
        h(
          "label",
          { key: "people" },
          h("span", {}, say("setup people")),
          h(
            "select",
            {
              value: String(draft.roles.filter((role) => !role).length),
              onchange: (event) => this.begin({ from: "usual", people: event.target.value }),
            },
            told.people.map((count) => option(String(count), number(count))),
          ),
        ),
      h(
        "label",
        {},
        h("span", {}, say("setup phase")),
        h(
          "select",
          { value: draft.phase, onchange: (event) => this.change({ phase: event.target.value }) },
          told.phases.map(([name, label]) => option(name, label)),
        ),
      ),
      h(
        "label",
        { class: "short" },
        h("span", {}, say("setup round")),
        h("input", {
          type: "number",
          min: 1,
          max: 10000,
          value: String(draft.round),
          oninput: (event) => {
            if (event.target.validity.valid && event.target.value)
              this.change({ round: Number(event.target.value) }, "round");
          },
        }),
      ),
    );
  }

  ways() {
    const sound = Boolean(this.checked?.text);
    return h(
      "div",
      { class: "row ways", key: "ways" },
      button(say("play from here"), () => this.play(), { class: "main", disabled: !sound }),
      button(say("copy given"), () => this.copy(), { disabled: !sound }),
      button(say("undo piece"), () => this.undo(), { disabled: !this.before.length }),
      checkbox(say("in order"), this.ordered, (checked) => {
        this.ordered = checked;
        this.check();
      }),
    );
  }

  /** @param {State} state */
  boards(state) {
    return boards(this.of, state, null, this.redraw);
  }

  // All zones that are on no board, with what lies in them.
  /** @param {State} state */
  zones(state) {
    const { of } = this;
    const onBoards = new Set([...of.boards.map((board) => board.words), ...drawnOn(of, state)]);
    const rest = state.zones.filter((zone) => !zone.word || !onBoards.has(of.zones[zone.zone].of));
    const of_ = (/** @type {Zone[]} */ found) => found.map((zone) => this.zone(zone));
    return [
      h(
        "div",
        { class: "panel", key: "table" },
        h("h3", {}, say("table")),
        h(
          "div",
          { class: "zones" },
          of_(rest.filter((zone) => zone.owner === null && !zone.word)),
          of_(rest.filter((zone) => zone.word)),
        ),
      ),
      of.seats.map(({ name }, seat) =>
        h(
          "section",
          { class: `panel seat-${seat}`, key: `seat ${seat}` },
          h("h3", {}, avatar(of, this.base, seat), " ", name),
          h("div", { class: "zones" }, of_(rest.filter((zone) => zone.owner === seat))),
        ),
      ),
    ];
  }

  /** @param {Zone} zone */
  zone(zone) {
    const { of, apart } = this;
    const key = zoneKey(zone);
    const names = required(zone.pieces);
    const label = zone.word
      ? filled("counter of", {
          label: of.zones[zone.zone].label,
          owner: of.words[of.zones[zone.zone].of]?.words[zone.word] ?? zone.word,
        })
      : of.zones[zone.zone].label;
    const together = names.length > MANY && !apart.has(key);
    const shown = together
      ? sorted(of, heaps(names)).map(({ name, count }) => this.piece(key, name, null, count))
      : names.map((name, index) => this.piece(key, name, index, 1));
    return h(
      "section",
      { class: "zone", key, "data-zone": key },
      h(
        "h4",
        {},
        label,
        names.length > 1 && h("span", { class: "faint" }, ` ${number(names.length)}`),
        names.length > MANY &&
          button(
            say(together ? "pieces in order" : "pieces alike"),
            () => {
              if (!apart.delete(key)) apart.add(key);
              this.redraw();
            },
            { class: "plain" },
          ),
      ),
      h(
        "div",
        { class: "pieces" },
        shown,
        names.length === 0 && h("span", { class: "faint" }, say("no pieces")),
        this.carrying.target(key, label),
      ),
    );
  }

  /** @param {string} key @param {string} name @param {number | null} index @param {number} count */
  piece(key, name, index, count) {
    const { held } = this.carrying;
    const taken = this.carrying.isHeld(name, key, index);
    return h(
      "button",
      {
        type: "button",
        class: `laid small movable${taken ? " held" : ""}`,
        "aria-pressed": held ? String(taken) : undefined,
        key: `${name} ${index ?? ""}`,
        "data-piece": name,
        "data-at": key,
        "data-index": index,
        "aria-label": filled("take piece", { piece: times(this.of.pieces[name].label, count) }),
        title: times(this.of.pieces[name].label, count),
      },
      this.of.pieces[name].chart
        ? h("span", { class: "token slip" }, h("span", { class: "name" }, this.of.pieces[name].label))
        : face(this.of, name, count),
    );
  }
}
