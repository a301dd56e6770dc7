// The pane 'Cases': all cases and examples of the edition, run after every change, and of what differs both pictures.

import { button, checkbox } from "./controls.js";
import { boards } from "./board.js";
import "./roving.js";
import { about, now } from "./document.js";
import { fetched } from "./pictures.js";
import { Latest } from "./latest.js";
import { cloneElement, h } from "./preact.js";
import { entry, filled, number, say } from "./words.js";
import { zone, zoneKey } from "./zones.js";

/** @import { FileRun, CaseRun, CaseDifference } from "./records" */
/** @import { Bench, FoldEvent, Redraw, State, Table, VNode, Zone } from "./types" */

/** @typedef {{ of: Table, state: State, expected: Zone[], notes: Record<string, string> }} Picture */

export class Cases {
  // files: what came of the cases of each; pictures: of cases that are looked at, by their names; open: those.
  /** @param {Bench} bench @param {Redraw} redraw */
  constructor(bench, redraw) {
    this.bench = bench;
    this.redraw = redraw;
    /** @type {FileRun[] | null} */
    this.files = null;
    this.current = false;
    /** @type {Map<string, Picture | null>} */
    this.pictures = new Map();
    /** @type {Set<string>} */
    this.open = new Set();
    this.only = false;
    this.told = "";
    this.loads = new Latest();
    bench.on("shown", () => {
      Object.assign(this, { files: null, told: "" });
      this.pictures.clear();
      this.open.clear();
      if (bench.file) this.load();
    });
    bench.on("edited", () => {
      this.current = false;
      this.redraw();
    });
    bench.on("cases", ({ file }) => {
      if (file === bench.file) this.load();
    });
  }

  // argument: the case to show, by its file and name.
  /** @param {{ file: string, name: string }} [argument] */
  async shown(argument) {
    this.visible = true;
    if (this.bench.file) await this.load();
    if (argument?.name) {
      this.open.add(keyOf(argument.file, argument.name));
      this.redraw();
      document
        .querySelector(`[data-case="${CSS.escape(keyOf(argument.file, argument.name))}"]`)
        ?.scrollIntoView({ block: "nearest" });
    }
  }

  hidden() {
    this.visible = false;
  }

  async load() {
    const found = await this.loads.of(this.bench.get("cases"));
    if (!found) return;
    this.pictures.clear();
    Object.assign(this, { files: found.files, current: found.current });
    await Promise.all(
      [...this.open].map((key) => {
        const [file, name] = key.split("\n");
        return this.picture(file, name);
      }),
    );
    this.redraw();
  }

  get all() {
    return (this.files ?? []).flatMap((one) => one.cases);
  }

  get wrong() {
    return (
      this.all.filter(({ differences }) => differences?.length).length +
      (this.files ?? []).filter(({ error }) => error).length
    );
  }

  get badge() {
    if (!this.files?.length) return null;
    return this.wrong ? { text: number(this.wrong), bad: true } : { text: number(this.all.length) };
  }

  /** @param {string} file @param {string} name */
  async picture(file, name) {
    const key = keyOf(file, name);
    const one = this.files?.find((each) => each.file === file)?.cases.find((each) => each.name === name);
    if (!one?.differences?.length || this.pictures.has(key)) return;
    this.pictures.set(key, null);
    const found = await this.bench.get("cases/picture", { cases: file, name });
    if (!found?.picture) return;
    const of = about(found.picture.table);
    await fetched(of.edition, this.redraw);
    const { zones } = now({ zones: found.picture.expected }, of);
    this.pictures.set(key, {
      of,
      state: now(found.picture.now, of),
      expected: zones,
      notes: found.picture.notes ?? {},
    });
    this.redraw();
  }

  /** @param {string} file @param {string} name @param {FoldEvent} event */
  async toggle(file, name, event) {
    const key = keyOf(file, name);
    if (event.target.open === this.open.has(key)) return;
    if (event.target.open) this.open.add(key);
    else this.open.delete(key);
    if (event.target.open) await this.picture(file, name);
  }

  /** @param {string} file @param {string} name */
  async mend(file, name) {
    const found = await this.bench.post("cases/mend", { cases: file, name });
    if (!found) return;
    this.told = say("cases mended");
    this.redraw();
  }

  /** @param {string} file @param {string} name */
  async play(file, name) {
    const found = await this.bench.post("cases/play", { cases: file, name });
    if (found) this.bench.show("play", { node: found.node });
  }

  // ── what is drawn ──

  draw() {
    if (!this.bench.file) return h("p", {}, say("no file"));
    const count = this.all.length;
    const head =
      !this.files || (!this.current && !count)
        ? say("cases running")
        : !this.files.length
          ? say("cases none")
          : this.wrong
            ? filled("cases wrong", { wrong: number(this.wrong), count: number(count) })
            : filled("cases all right", { count: number(count) });
    return h(
      "div",
      { class: "cases" },
      h("h2", { class: "unseen" }, say("cases")),
      h(
        "p",
        { class: `sum-up${this.wrong ? " bad" : count ? " good" : ""}`, role: "status" },
        h("strong", {}, head),
        !this.current && count > 0 && h("span", { class: "faint" }, ` ${say("cases running")}`),
        this.told && h("span", { class: "faint" }, ` ${this.told}`),
      ),
      count > 0 && h("p", { class: "faint" }, say("cases told")),
      this.wrong > 0 &&
        this.wrong < count &&
        checkbox(say("cases only wrong"), this.only, (checked) => {
          this.only = checked;
          this.redraw();
        }),
      (this.files ?? []).map((one) => this.file(one)),
    );
  }

  /** @param {FileRun} given */
  file({ file, cases, error, line }) {
    const shown = this.only ? cases.filter(({ differences }) => differences?.length) : cases;
    return h(
      "section",
      { key: file },
      h(
        "h3",
        {},
        button(file, () => this.bench.open(file, line || 1), { class: "plain" }),
      ),
      error && h("p", { class: "trouble" }, filled("cases file wrong", { why: error })),
      h(
        "ul",
        {},
        shown.map((one) => this.case(file, one)),
      ),
    );
  }

  /** @param {string} file @param {CaseRun} given */
  case(file, { name, line, differences = [] }) {
    const key = keyOf(file, name),
      bad = differences.length > 0;
    return h(
      "li",
      { key, "data-case": key, class: bad ? "bad" : "good" },
      h(
        "details",
        { open: this.open.has(key), ontoggle: (event) => this.toggle(file, name, event) },
        h(
          "summary",
          {},
          h(
            "span",
            { class: "sign", role: "img", "aria-label": say(bad ? "cases otherwise" : "cases right") },
            bad ? "✕" : "✓",
          ),
          ` ${name}`,
        ),
        bad && this.both(key),
        h(
          "div",
          { class: "row" },
          bad &&
            differences.every(({ can_update }) => can_update) &&
            button(say("cases mend"), () => this.mend(file, name), { class: "main" }),
          button(`▶ ${say("cases play")}`, () => this.play(file, name)),
          button(`${say("cases source")} ›`, () => this.bench.open(file, (bad && differences[0].line) || line), {
            class: "plain",
          }),
        ),
      ),
      bad && this.differs(file, differences),
    );
  }

  /** @param {string} file @param {CaseDifference[]} differences */
  differs(file, differences) {
    return h(
      "dl",
      { class: "differences" },
      differences.map(({ title, details, line }, n) =>
        h(
          "div",
          { key: n },
          h(
            "dt",
            {},
            button(title, () => this.bench.open(file, line), { class: "plain" }),
          ),
          details.map(([label, text]) =>
            h(
              "dd",
              { class: label, key: label },
              label &&
                h(
                  "span",
                  { class: "faint" },
                  entry({ expected: say("cases expected"), actual: say("cases actual") }[label] ?? label, ""),
                ),
              " ",
              text.includes("\n") ? h("pre", {}, text) : text,
            ),
          ),
        ),
      ),
    );
  }

  // The table that was expected beside the one that came out: boards, and the zones that differ.
  /** @param {string} key */
  both(key) {
    const found = this.pictures.get(key);
    if (!found || !found.expected.length) return null;
    const { of, state, expected, notes } = found;
    const wanted = new Map(expected.map((one) => [zoneKey(one), one]));
    const onBoards = new Set(of.boards.filter((board) => board.drawn).map((board) => board.words));
    const drawn = of.boards.filter(
      (board) => board.drawn && expected.some((one) => of.zones[one.zone]?.of === board.words),
    );
    const shown = { ...state, zones: state.zones.map((one) => wanted.get(zoneKey(one)) ?? one) };
    const loose = expected.filter((one) => of.zones[one.zone] && !onBoards.has(of.zones[one.zone].of));
    const is = new Map(state.zones.map((one) => [zoneKey(one), one]));
    const whole = { ...of, boards: drawn };
    const named = (/** @type {string} */ title, /** @type {VNode} */ board) =>
      cloneElement(board, { "aria-label": entry(title, say("board")) });
    const side = (/** @type {string} */ title, /** @type {State} */ table, /** @type {(Zone | undefined)[]} */ zones) =>
      h(
        "figure",
        { class: "picture-of" },
        h("figcaption", {}, title),
        boards(whole, table, null, this.redraw).map((board) => named(title, board)),
        h(
          "div",
          { class: "zones" },
          zones
            .filter((one) => one !== undefined)
            .map((one) => zone(of, table, null, one, { label: label(of, one, notes), small: true })),
        ),
      );
    return h(
      "div",
      { class: "both-pictures" },
      side(say("cases expected"), shown, loose),
      side(
        say("cases actual"),
        state,
        loose.map((one) => is.get(zoneKey(one))),
      ),
    );
  }
}

/** @param {string} file @param {string} name */
const keyOf = (file, name) => `${file}\n${name}`;

/** @param {Table} of @param {Zone} one @param {Record<string, string>} notes */
function label(of, one, notes) {
  const { label: name } = of.zones[one.zone];
  const whose =
    one.owner !== null
      ? of.seats[one.owner].name
      : one.word
        ? (of.words[of.zones[one.zone].of]?.words[one.word] ?? one.word)
        : "";
  const note = { includes: say("cases includes"), "any order": say("cases any order") }[notes[zoneKey(one)]];
  return [whose ? entry(whose, name) : name, note && `(${note})`].filter(Boolean).join(" ");
}
