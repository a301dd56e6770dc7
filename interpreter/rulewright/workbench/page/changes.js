// The pane 'Changes': what is different in words, each with its place in the source.

import { el } from "./dom.js";
import { filled, row, say } from "./words.js";

export class Changes {
  constructor(bench, redraw) {
    Object.assign(this, { bench, redraw, told: null, since: "", seen: false, loading: false, again: false });
    bench.on("edited", ({ file, number }) => { if (file === bench.file && number !== undefined) this.stale(); });
    bench.on("shown", () => { Object.assign(this, { told: null, since: "" }); this.stale(); });
  }

  shown() {
    this.seen = true;
    this.load();
  }

  hidden() {
    this.seen = false;
  }

  stale() {
    if (this.seen) this.load();
  }

  async load() {
    if (!this.bench.file) return;
    if (this.loading) {
      this.again = true;
      return;
    }
    this.loading = true;
    this.redraw();
    const { file } = this.bench;
    const found = await this.bench.get("changes", this.since ? { since: this.since } : {});
    this.loading = false;
    if (found && file === this.bench.file) this.told = found;
    this.redraw();
    if (this.again) {
      this.again = false;
      this.load();
    }
  }

  draw() {
    const { told } = this;
    return el("div", { class: "changes-pane" }, el("h2", { class: "unseen" }, say("changes")),
      told && el("div", { class: "tools" }, el("label", {}, el("span", {}, say("compared with")),
        el("select", { value: told.since, onchange: (event) => { this.since = event.target.value; this.load(); } },
          told.others.map(({ key, name }) => el("option", { value: key, selected: key === told.since }, name || say("since opened")))))),
      el("p", { class: "faint state", role: "status" }, this.loading ? say("looking for changes") : told ? say("changes told") : this.bench.unready),
      told && !told.sections.length && el("p", {}, say("no changes")),
      told && !told.sections.length && told.written.length > 0 && el("p", { class: "faint" }, filled("changes of texts", { names: row(told.written) })),
      told?.sections.map(({ title, changes }) => el("section", { class: "panel differences", key: title }, el("h3", {}, title),
        el("ul", {}, changes.map((change, n) => el("li", { key: `${n} ${change.sentence}` }, this.sentence(change), this.both(change)))))));
  }

  sentence({ sentence, line, column }) {
    if (!line) return el("p", {}, sentence);
    return el("button", { type: "button", class: "plain", onclick: () => this.bench.open(this.bench.file, line, column) }, sentence);
  }

  both({ before, after }) {
    if (!before && !after) return null;
    return el("dl", {}, before && el("div", { class: "before" }, el("dt", {}, say("changes before")), el("dd", {}, before)),
      after && el("div", { class: "after" }, el("dt", {}, say("changes now")), el("dd", {}, after)));
  }
}
