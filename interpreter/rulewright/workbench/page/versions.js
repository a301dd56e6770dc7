// The pane 'History': what a file said before, what has changed since, and the way back.

import { button } from "./controls.js";
import { Latest } from "./latest.js";
import { h } from "./preact.js";
import { entry, language, say } from "./words.js";

/** @import { Version } from "./records" */
/** @import { Bench, Redraw } from "./types" */

export class Versions {
  /** @param {Bench} bench @param {Redraw} redraw */
  constructor(bench, redraw) {
    this.bench = bench;
    this.redraw = redraw;
    /** @type {Version[]} */
    this.list = [];
    /** @type {(Version & { text: string }) | null} */
    this.looked = null;
    this.of = "";
    this.lists = new Latest();
    this.texts = new Latest(); // of a version each
    bench.on("saved", () => this.stale());
    bench.on("opened", () => this.stale());
  }

  async shown() {
    this.seen = true;
    await this.load();
  }

  hidden() {
    this.seen = false;
  }

  stale() {
    if (this.seen) this.load();
  }

  async load() {
    const { source } = this.bench;
    if (!source) return;
    const found = await this.lists.of(this.bench.get("history", { file: source }));
    if (found === undefined) return;
    if (this.of !== source) this.looked = null;
    Object.assign(this, { list: found?.versions ?? [], of: source });
    this.redraw();
  }

  /** @param {Version} version */
  async look(version) {
    const found = await this.texts.of(this.bench.get(`history/${version.id}`, { file: this.of }));
    if (found === undefined) return;
    this.looked = found && { ...version, text: found.text };
    this.redraw();
  }

  /** @param {Version} version @param {string} label */
  async name(version, label) {
    if (label === version.label) return;
    await this.bench.post("history/name", { id: version.id, label }, { file: this.of });
    await this.load();
  }

  /** @param {Version} version */
  async restore(version) {
    await this.bench.post("history/restore", { id: version.id }, { file: this.of });
    this.looked = null;
    await this.load();
  }

  draw() {
    const when = new Intl.DateTimeFormat(language().replace("_", "-"), { dateStyle: "short", timeStyle: "medium" });
    const row = (/** @type {Version} */ version) =>
      h(
        "li",
        { key: version.id },
        button(
          version.label ? entry(version.label, when.format(version.time * 1000)) : when.format(version.time * 1000),
          () => this.look(version),
          { "aria-pressed": String(this.looked?.id === version.id) },
        ),
        h("span", { class: "faint" }, this.what(version)),
      );
    return h(
      "div",
      {},
      h("h2", { class: "unseen" }, say("history")),
      h("p", { class: "faint" }, say("history told")),
      this.list.length < 2
        ? h("p", {}, say("no history"))
        : h("div", { class: "history" }, h("ol", { class: "versions" }, this.list.map(row)), this.older()),
    );
  }

  // What has changed with it; who did that only where nobody typed.
  /** @param {{ reason: string, line: string, is_removed: boolean }} given */
  what({ reason, line, is_removed }) {
    const told = line && h(is_removed ? "del" : "code", {}, line);
    return reason === "typed" && told ? told : [say(`version ${reason}`), told && [" ", told]];
  }

  older() {
    const { looked } = this;
    if (!looked) return h("div", { class: "then" });
    return h(
      "div",
      { class: "then" },
      h("h3", {}, say("now beside then")),
      h(
        "div",
        { class: "row" },
        h(
          "label",
          {},
          h("span", {}, say("version name")),
          h("input", {
            value: looked.label,
            maxlength: 100,
            key: `name ${looked.id}`,
            onchange: (event) => this.name(looked, event.target.value),
          }),
        ),
        button(say("version back"), () => this.restore(looked), { class: "main" }),
      ),
      this.bench.places.beside(`then ${looked.id} ${this.bench.source}`, looked.text),
    );
  }
}
