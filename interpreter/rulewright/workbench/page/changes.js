// The pane 'Changes': what is different in words, each with its place in the source.

import { button } from "./controls.js";
import { LoadingPane } from "./loading_pane.js";
import { h } from "./preact.js";
import { filled, row, say } from "./words.js";

/** @import { Answers } from "./answers" */
/** @import { Bench, Redraw } from "./types" */

export class Changes extends LoadingPane {
  /** @param {Bench} bench @param {Redraw} redraw */
  constructor(bench, redraw) {
    super(bench, redraw);
    /** @type {Answers["changes"] | null} */
    this.told = null;
    this.since = "";
    bench.on("edited", ({ file, number }) => {
      if (file === bench.file && number !== undefined) this.stale();
    });
    bench.on("shown", () => {
      Object.assign(this, { told: null, since: "" });
      this.stale();
    });
  }

  async fetch() {
    const { file } = this.bench;
    const found = await this.bench.get("changes", this.since ? { since: this.since } : {});
    if (found && file === this.bench.file) this.told = found;
  }

  draw() {
    const { told } = this;
    return h(
      "div",
      { class: "changes-pane" },
      h("h2", { class: "unseen" }, say("changes")),
      told &&
        h(
          "div",
          { class: "tools" },
          h(
            "label",
            {},
            h("span", {}, say("compared with")),
            h(
              "select",
              {
                value: told.since,
                onchange: (event) => {
                  this.since = event.target.value;
                  this.load();
                },
              },
              told.others.map(({ key, name }) =>
                h("option", { value: key, selected: key === told.since }, name || say("since opened")),
              ),
            ),
          ),
        ),
      h(
        "p",
        { class: "faint state", role: "status" },
        this.loading ? say("looking for changes") : told ? say("changes told") : this.bench.unready,
      ),
      told && !told.sections.length && h("p", {}, say("no changes")),
      told &&
        !told.sections.length &&
        told.written.length > 0 &&
        h("p", { class: "faint" }, filled("changes of texts", { names: row(told.written) })),
      told?.sections.map(({ title, changes }) =>
        h(
          "section",
          { class: "panel differences", key: title },
          h("h3", {}, title),
          h(
            "ul",
            {},
            changes.map((change, n) =>
              h("li", { key: `${n} ${change.sentence}` }, this.sentence(change), this.both(change)),
            ),
          ),
        ),
      ),
    );
  }

  /** @param {{ sentence: string, line: number, column: number }} given */
  sentence({ sentence, line, column }) {
    if (!line) return h("p", {}, sentence);
    return button(sentence, () => this.bench.open(this.bench.file, line, column), { class: "plain" });
  }

  /** @param {{ before: string, after: string }} given */
  both({ before, after }) {
    if (!before && !after) return null;
    return h(
      "dl",
      {},
      before && h("div", { class: "before" }, h("dt", {}, say("changes before")), h("dd", {}, before)),
      after && h("div", { class: "after" }, h("dt", {}, say("changes now")), h("dd", {}, after)),
    );
  }
}
