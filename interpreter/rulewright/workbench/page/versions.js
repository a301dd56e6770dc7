// The pane 'History': what a file said before, what has changed since, and the way back.

import { el } from "./dom.js";
import { entry, language, say } from "./words.js";

export class Versions {
  constructor(bench, redraw) {
    Object.assign(this, { bench, redraw, list: [], looked: null, of: "" });
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
    const found = await this.bench.get("history", { file: source });
    if (this.of !== source) this.looked = null;
    Object.assign(this, { list: found?.versions ?? [], of: source });
    this.redraw();
  }

  async look(version) {
    const found = await this.bench.get(`history/${version.id}`, { file: this.of });
    this.looked = found && { ...version, text: found.text };
    this.redraw();
  }

  async name(version, label) {
    if (label === version.label) return;
    await this.bench.post("history/name", { id: version.id, label }, { file: this.of });
    await this.load();
  }

  async restore(version) {
    await this.bench.post("history/restore", { id: version.id }, { file: this.of });
    this.looked = null;
    await this.load();
  }

  draw() {
    const when = new Intl.DateTimeFormat(language().replace("_", "-"), { dateStyle: "short", timeStyle: "medium" });
    const row = (version) => el("li", { key: version.id },
      el("button", { type: "button", "aria-pressed": String(this.looked?.id === version.id), onclick: () => this.look(version) },
        version.label ? entry(version.label, when.format(version.at * 1000)) : when.format(version.at * 1000)),
      el("span", { class: "faint" }, this.what(version)));
    return el("div", {}, el("h2", { class: "unseen" }, say("history")), el("p", { class: "faint" }, say("history told")),
      this.list.length < 2 ? el("p", {}, say("no history"))
        : el("div", { class: "history" }, el("ol", { class: "versions" }, this.list.map(row)), this.then()));
  }

  // What has changed with it; who did that only where nobody typed.
  what({ why, line, gone }) {
    const told = line && el(gone ? "del" : "code", {}, line);
    return why === "typed" && told ? told : [say(`version ${why}`), told && [" ", told]];
  }

  then() {
    const { looked } = this;
    if (!looked) return el("div", { class: "then" });
    return el("div", { class: "then" }, el("h3", {}, say("now beside then")),
      el("div", { class: "row" },
        el("label", {}, el("span", {}, say("version name")), el("input", { value: looked.label, maxlength: 100, key: `name ${looked.id}`, onchange: (event) => this.name(looked, event.target.value) })),
        el("button", { type: "button", class: "main", onclick: () => this.restore(looked) }, say("version back"))),
      this.bench.places.beside(`then ${looked.id} ${this.bench.source}`, looked.text));
  }
}
