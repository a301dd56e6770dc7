// The pane 'Book': the rulebook beside its source. It follows the cursor, and a click goes to the lines of a passage.

import { button, checkbox, unfolding } from "./controls.js";
import { notice, required } from "./dom.js";
import { LoadingPane } from "./loading_pane.js";
import { h } from "./preact.js";
import { save } from "./saving.js";
import { readStored, store } from "./storage.js";
import { filled, language, languages, say } from "./words.js";

/** @import { Slots } from "./bench.js" */
/** @import { Answers } from "./answers" */
/** @import { Bench, Redraw } from "./types" */

const KEPT = "rulewright book language";

export class BookPane extends LoadingPane {
  // made: the book that is shown; coming: one that is still being loaded behind it; place: what is at the top of it.
  /** @param {Bench} bench @param {Redraw} redraw */
  constructor(bench, redraw) {
    super(bench, redraw);
    /** @type {Answers["book"] | null} */
    this.made = null;
    /** @type {Answers["book"] | null} */
    this.coming = null;
    /** @type {object | null} */
    this.place = null;
    this.changes = false;
    this.saving = false;
    bench.on("edited", ({ file }) => {
      if (this.isOurs(file)) this.stale();
    });
    bench.on("shown", () => {
      Object.assign(this, { made: null, coming: null, place: null });
      this.stale();
    });
    bench.on("cursor", () => this.follow());
    addEventListener("message", (event) => this.hear(event));
  }

  get language() {
    const kept = readStored(KEPT) ?? language();
    return languages().some(([code]) => code === kept) ? kept : "en";
  }

  get slots() {
    return { in: this.language, ...(this.changes && { changes: 1 }) };
  }

  // The edition, its examples, its catalogs.
  /** @param {string} file */
  isOurs(file) {
    return file === this.bench.file || file.startsWith(`${this.bench.file.replace(/\.ya?ml$/, "")}.`);
  }

  async fetch() {
    await this.get({ ...this.slots, quick: 1 });
    if (!this.again) await this.get(this.slots);
  }

  // The words come at once, with the examples as they were; playing these anew takes longer.
  /** @param {Slots} slots */
  async get(slots) {
    const { file } = this.bench;
    const found = await this.bench.get("book", slots);
    if (!found || file !== this.bench.file) return;
    if (!this.made) this.made = found;
    else if (found.page !== this.made.page) this.coming = found;
    else Object.assign(this.made, found);
    this.redraw();
  }

  /** @param {Answers["book"]} made */
  frame(made) {
    return /** @type {HTMLIFrameElement | null} */ (document.getElementById(`book-${made.page}`))?.contentWindow;
  }

  // What the books tell: only those frames are listened to.
  /** @param {MessageEvent} event */
  hear({ source, data }) {
    const from = [this.coming, this.made].find((made) => made && this.frame(made) === source);
    if (!from) return;
    if (data.ready) {
      if (this.place) this.frame(from)?.postMessage({ place: this.place }, "*");
      if (from === this.coming) [this.made, this.coming] = [from, null];
      this.redraw();
      this.follow();
    } else if (data.place && from === this.made) this.place = data.place;
    else if (Array.isArray(data.clicked)) this.go(data.clicked);
  }

  follow() {
    const { line, column } = this.bench.cursor;
    if (!this.seen || !this.made || this.bench.source !== this.bench.file) return;
    const around = this.made.passages.filter(
      ({ start, end, column: from }) =>
        start <= line && line <= end && (start < line || from <= column || start !== end),
    );
    const least = Math.min(...around.map(({ start, end }) => end - start));
    const nearest = around.filter(({ start, end }) => end - start === least).at(-1);
    this.frame(this.made)?.postMessage({ passage: nearest?.anchors ?? [] }, "*");
  }

  /** @param {string[]} clicked */
  go(clicked) {
    const { passages, elsewhere: others } = required(this.made);
    for (const id of clicked.map((at) => String(at).replace(/^reference-/, ""))) {
      const found =
        passages.find(({ anchors, exact }) => exact && anchors[0] === id) ??
        passages.find(({ anchors }) => anchors.length === 1 && anchors[0] === id);
      const elsewhere = others[id];
      if (found) return this.bench.open(this.bench.file, found.start, found.column);
      if (elsewhere?.file) return this.bench.open(elsewhere.file, elsewhere.line);
      if (elsewhere) return notice(filled("book elsewhere", { file: elsewhere.called }));
    }
  }

  /** @param {"pdf" | "html"} form */
  async keep(form) {
    this.saving = true;
    this.redraw();
    await save(this.bench, `book/file.${form}`, this.slots);
    this.saving = false;
    this.redraw();
  }

  /** @param {string} code */
  choose(code) {
    store(KEPT, code);
    this.load();
  }

  draw() {
    const { made, coming } = this;
    const book = (/** @type {Answers["book"] | null} */ one, extra = "") =>
      one &&
      h("iframe", {
        id: `book-${one.page}`,
        key: one.page,
        class: `book-page${extra}`,
        sandbox: "allow-scripts",
        src: `/api/book/page/${one.page}`,
        title: say("book"),
      });
    return h(
      "div",
      { class: "book-pane" },
      h("h2", { class: "unseen" }, say("book")),
      h(
        "div",
        { class: "row tools" },
        h(
          "label",
          {},
          h("span", { class: "unseen" }, say("book language")),
          h(
            "select",
            { value: this.language, onchange: (event) => this.choose(event.target.value) },
            languages().map(([code, name]) => h("option", { value: code, selected: code === this.language }, name)),
          ),
        ),
        made?.variant &&
          checkbox(
            say("mark changes"),
            this.changes,
            (checked) => {
              this.changes = checked;
              this.load();
            },
            { class: "check" },
          ),
        button(say("print pdf"), () => this.keep("pdf"), { disabled: !made || this.saving }),
        button(say("save html"), () => this.keep("html"), { disabled: !made || this.saving }),
      ),
      h(
        "p",
        { class: "faint state", role: "status" },
        this.loading || coming || this.saving ? say("making book") : made ? say("book hint") : this.bench.unready,
      ),
      made && unfolding(say("book left out"), made.left),
      h("div", { class: "book-pages" }, book(coming, " coming"), book(made)),
    );
  }
}
