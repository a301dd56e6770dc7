// The pane 'Cards': what is cut out, as it is printed.

import { button, checkbox, unfolding } from "./controls.js";
import { LoadingPane } from "./loading_pane.js";
import { h } from "./preact.js";
import { save } from "./saving.js";
import { filled, language, languages, number, say } from "./words.js";

/** @import { Answers } from "./answers" */
/** @import { Bench, Redraw } from "./types" */

/** @typedef {{ sort: string, paper: string, backs: boolean, once: boolean, printer: boolean }} How */

export class Cards extends LoadingPane {
  /** @param {Bench} bench @param {Redraw} redraw */
  constructor(bench, redraw) {
    super(bench, redraw);
    /** @type {Answers["cards"] | null} */
    this.told = null;
    /** @type {How} */
    this.how = { sort: "", paper: "a4", backs: true, once: false, printer: false };
    this.spoken = "";
    this.large = false;
    this.saving = false;
    bench.on("edited", ({ file }) => {
      if (file === bench.file || file.startsWith(`${bench.file.replace(/\.ya?ml$/, "")}.`)) this.stale();
    });
    bench.on("shown", () => {
      this.told = null;
      this.how.sort = "";
      this.stale();
    });
  }

  get slots() {
    const { sort, paper, ...flags } = this.how;
    const set = Object.entries(flags)
      .filter(([, on]) => on)
      .map(([flag]) => [flag, 1]);
    return [["in", this.spoken || language()], ["paper", paper], ...(sort ? [["sort", sort]] : []), ...set];
  }

  async fetch() {
    const { file } = this.bench;
    const found = await this.bench.get("cards", this.slots);
    if (found && file === this.bench.file) this.told = found;
  }

  /** @param {Partial<How>} how */
  change(how) {
    Object.assign(this.how, how);
    this.load();
  }

  async keep() {
    this.saving = true;
    this.redraw();
    await save(this.bench, "cards/file.pdf", this.slots);
    this.saving = false;
    this.redraw();
  }

  draw() {
    const { told, how } = this;
    const chooser = (
      /** @type {string} */ name,
      /** @type {string} */ value,
      /** @type {[string, string][]} */ choices,
      /** @type {(value: string) => void} */ change,
    ) =>
      h(
        "label",
        {},
        h("span", { class: "unseen" }, name),
        h(
          "select",
          { value, onchange: (event) => change(event.target.value) },
          choices.map(([code, word]) => h("option", { value: code, selected: code === value }, word)),
        ),
      );
    const check = (/** @type {keyof How} */ flag, /** @type {string} */ word) =>
      checkbox(say(word), Boolean(how[flag]), (checked) => this.change({ [flag]: checked }), { class: "check" });
    const paper = (/** @type {string} */ name) => (name === "letter" ? "Letter" : name.toUpperCase());
    const cards = told?.sort === "cards";
    const state =
      this.loading || this.saving
        ? say("cutting pages")
        : !told
          ? this.bench.unready
          : told.why || filled("cut pages", { pages: number(told.pages), paper: paper(how.paper) });
    return h(
      "div",
      { class: "cards-pane" },
      h("h2", { class: "unseen" }, say("cards")),
      told &&
        h(
          "div",
          { class: "tools" },
          chooser(
            say("cut what"),
            told.sort,
            told.sorts.map((sort) => [sort, say(`cut ${sort}`)]),
            (sort) => this.change({ sort }),
          ),
          chooser(
            say("paper"),
            how.paper,
            told.papers.map((name) => [name, paper(name)]),
            (name) => this.change({ paper: name }),
          ),
          chooser(say("book language"), this.spoken || language(), languages(), (code) => {
            this.spoken = code;
            this.load();
          }),
          cards && told.backed && check("backs", "with backs"),
          check("once", "one of each"),
          cards && check("printer", "for a printer"),
          button(say("print pdf"), () => this.keep(), { disabled: !told.pages || this.saving }),
        ),
      h("p", { class: "faint state", role: "status" }, state),
      told && unfolding(say("pictures missing"), told.missing),
      told &&
        h(
          "ol",
          { class: `sheets${this.large ? " large" : ""}` },
          Array.from({ length: told.pages }, (_, at) =>
            h(
              "li",
              { key: at },
              button(
                h("img", {
                  loading: "lazy",
                  src: `/api/cards/${told.number}/${at}.svg`,
                  alt: filled("cut page", { page: number(at + 1) }),
                }),
                () => {
                  this.large = !this.large;
                  this.redraw();
                },
                { "aria-pressed": String(this.large) },
              ),
            ),
          ),
        ),
    );
  }
}
