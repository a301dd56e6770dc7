// The pane 'Texts': what the game says in another language, translated in place.

import { button } from "./controls.js";
import { required } from "./dom.js";
import { LoadingPane } from "./loading_pane.js";
import { h } from "./preact.js";
import { readStored, store } from "./storage.js";
import { filled, languages, number, say } from "./words.js";

/** @import { TranslatedText } from "./records" */
/** @import { Answers } from "./answers" */
/** @import { Bench, KeyEvent, Redraw, TapEvent } from "./types" */

const KEPT = "rulewright translated language";
const AT_ONCE = 60; // texts that are shown before one asks for more
const PAUSE = 300; // milliseconds without a letter before a text is looked at

/** @param {{ context: string, one: string }} given */
const keyOf = ({ context, one }) => `${context}\u0004${one}`;

export class Texts extends LoadingPane {
  // typed: what somebody has typed and not kept, by text; looked: what is wrong with that, and how it reads.
  /** @param {Bench} bench @param {Redraw} redraw */
  constructor(bench, redraw) {
    super(bench, redraw);
    /** @type {Answers["texts"] | null} */
    this.told = null;
    this.filter = "missing";
    this.sought = "";
    this.most = AT_ONCE;
    /** @type {Set<string> | null} */
    this.listed = null;
    /** @type {Map<string, string[]>} */
    this.typed = new Map();
    /** @type {Map<string, Answers["texts/check"]>} */
    this.looked = new Map();
    this.inside = "";
    this.form = 0;
    bench.on("edited", ({ file }) => {
      if (file === bench.file) this.stale();
    });
    bench.on("shown", () => {
      Object.assign(this, { told: null, listed: null, typed: new Map(), looked: new Map() });
      this.stale();
    });
  }

  get choices() {
    return languages().filter(([code]) => code !== "en");
  }

  get language() {
    const kept = readStored(KEPT) ?? document.documentElement.lang.replace("-", "_");
    return this.choices.some(([code]) => code === kept) ? kept : this.choices[0][0];
  }

  shown() {
    this.listed = null;
    super.shown();
  }

  async fetch() {
    const { file } = this.bench;
    const found = await this.bench.get("texts", { to: this.language });
    if (found && file === this.bench.file && found.language === this.language) this.told = found;
  }

  /** @param {{ filter?: string, sought?: string }} how */
  choose(how) {
    Object.assign(this, how, { listed: null, most: AT_ONCE });
    this.redraw();
  }

  /** @param {string} code */
  turn(code) {
    store(KEPT, code);
    Object.assign(this, { told: null, listed: null, typed: new Map(), looked: new Map() });
    this.load();
  }

  // What is shown stays while it is worked on: a text that is done does not go away under somebody's hands.
  list() {
    const { texts } = required(this.told);
    const wanted = this.sought.toLowerCase();
    const fits = (/** @type {TranslatedText} */ text) =>
      (this.filter === "done" || text.state === this.filter) &&
      (!wanted || [text.one, text.many, ...text.texts].some((one) => one.toLowerCase().includes(wanted)));
    /** @type {Set<string>} */
    const listed = this.listed ?? new Set(texts.filter(fits).map(keyOf));
    this.listed = listed;
    return texts.filter((text) => listed.has(keyOf(text)) || (!wanted && this.filter !== "done" && fits(text)));
  }

  /** @param {TranslatedText} text */
  now(text) {
    return this.typed.get(keyOf(text)) ?? text.texts;
  }

  /** @param {TranslatedText} text @param {number} form @param {string} value */
  type(text, form, value) {
    const texts = [...this.now(text)];
    texts[form] = value;
    const key = keyOf(text);
    this.typed.set(key, texts);
    clearTimeout(this.pausing);
    this.pausing = setTimeout(async () => {
      const { context, one } = text;
      const found = await this.bench.post("texts/check", { context, one, texts }, { to: this.language });
      if (found && this.typed.get(key) === texts) {
        this.looked.set(key, found);
        this.redraw();
      }
    }, PAUSE);
  }

  // Keeps what was typed; given: for several texts at once.
  /** @param {TranslatedText[]} texts @param {(text: TranslatedText) => string[]} [given] */
  async keep(texts, given = (text) => this.now(text)) {
    const all = texts.map((text) => ({ context: text.context, one: text.one, texts: given(text) }));
    const sent = new Map(texts.map((text) => [keyOf(text), this.typed.get(keyOf(text))]));
    const found = await this.bench.post("texts/write", { all }, { to: this.language });
    if (!found || !this.told) return;
    const fresh = new Map(found.texts.map((text) => [keyOf(text), text]));
    this.told.texts = this.told.texts.map((text) => fresh.get(keyOf(text)) ?? text);
    for (const [key, typed] of sent) if (this.typed.get(key) === typed) this.typed.delete(key);
    this.redraw();
  }

  // Of several forms that belong together, while some are still to be typed.
  /** @param {TranslatedText} text */
  unfinished(text) {
    const given = this.now(text).map((one) => Boolean(one.trim()));
    return this.typed.has(keyOf(text)) && given.includes(true) && given.includes(false);
  }

  /** @param {TranslatedText} text */
  leave(text) {
    const typed = this.typed.get(keyOf(text));
    if (typed?.some((one, at) => one !== text.texts[at])) this.keep([text]);
    else this.typed.delete(keyOf(text));
  }

  /** @param {KeyEvent} event @param {TranslatedText} text */
  press(event, text) {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    const fields = [...required(event.target.closest(".texts")).querySelectorAll("textarea")];
    const next = fields[fields.indexOf(/** @type {HTMLTextAreaElement} */ (event.target)) + 1];
    if (next) next.focus();
    else this.leave(text);
  }

  /** @param {TapEvent} event @param {TranslatedText} text @param {string} slot */
  insert(event, text, slot) {
    const fields = [...required(event.target.closest("li")).querySelectorAll("textarea")];
    const field = fields[this.form] ?? fields[0];
    field.setRangeText(`{${slot}}`, field.selectionStart, field.selectionEnd, "end");
    this.type(text, fields.indexOf(field), field.value);
    field.focus();
  }

  draw() {
    const { told } = this;
    /** @type {Record<string, number>} */
    const counted = { missing: 0, look: 0, done: told?.texts.length ?? 0 };
    for (const { state } of told?.texts ?? []) if (state !== "done") counted[state] += 1;
    return h(
      "div",
      { class: "texts-pane" },
      h("h2", { class: "unseen" }, say("texts")),
      h(
        "div",
        { class: "tools" },
        h(
          "label",
          {},
          h("span", {}, say("texts language")),
          h(
            "select",
            { value: this.language, onchange: (event) => this.turn(event.target.value) },
            this.choices.map(([code, name]) =>
              h(
                "option",
                { value: code, selected: code === this.language },
                told?.begun.includes(code) ? filled("texts begun", { language: name }) : name,
              ),
            ),
          ),
        ),
        told &&
          !told.trouble &&
          h(
            "label",
            {},
            h("span", {}, say("texts shown")),
            h(
              "select",
              { value: this.filter, onchange: (event) => this.choose({ filter: event.target.value }) },
              ["missing", "look", "done"].map((state) =>
                h(
                  "option",
                  { value: state, selected: state === this.filter },
                  filled(`texts ${state}`, { count: number(counted[state]) }),
                ),
              ),
            ),
          ),
        told &&
          !told.trouble &&
          h(
            "label",
            {},
            h("span", { class: "unseen" }, say("texts seek")),
            h("input", {
              type: "search",
              placeholder: say("texts seek"),
              value: this.sought,
              oninput: (event) => this.choose({ sought: event.target.value }),
            }),
          ),
        this.allKnown(),
      ),
      h(
        "p",
        { class: "faint state", role: "status" },
        this.loading && !told ? say("texts reading") : told ? say("texts told") : this.bench.unready,
      ),
      told?.trouble &&
        h(
          "p",
          { class: "wrong", role: "alert" },
          say("texts broken"),
          " ",
          button(`${told.catalog}: ${told.trouble}`, () => this.bench.open(told.catalog, told.line || 1), {
            class: "plain",
          }),
        ),
      told && !told.trouble && this.texts(),
      h("p", { class: "faint" }, say("texts other")),
    );
  }

  allKnown() {
    const known = this.told?.texts.filter(({ state, known: texts }) => state === "missing" && texts.length) ?? [];
    return (
      known.length > 1 &&
      button(filled("texts all known", { count: number(known.length) }), () =>
        this.keep(known.slice(0, 2000), (text) => text.known),
      )
    );
  }

  texts() {
    const list = this.list();
    if (!required(this.told).texts.length) return h("p", {}, say("texts none at all"));
    if (!list.length) return h("p", {}, say("texts none"));
    return [
      h(
        "ol",
        { class: "texts" },
        list.slice(0, this.most).map((text) => this.text(text)),
      ),
      list.length > this.most &&
        button(say("texts more"), () => {
          this.most += AT_ONCE;
          this.redraw();
        }),
    ];
  }

  /** @param {TranslatedText} text */
  text(text) {
    const key = keyOf(text);
    const texts = this.now(text);
    const typed = this.typed.has(key);
    const { wrong, said } = (typed && this.looked.get(key)) || {
      wrong: typed ? [] : text.wrong,
      said: this.looked.get(key)?.said ?? [],
    };
    const told = this.unfinished(text) && this.inside === key ? [] : wrong;
    const name = text.many ? `${text.one} / ${text.many}` : text.one;
    const open = () => this.bench.open(this.bench.file, text.line);
    const left = (/** @type {FocusEvent & { target: HTMLElement }} */ { target, relatedTarget }) => {
      if (target.closest("li")?.contains(/** @type {Node | null} */ (relatedTarget))) return;
      this.inside = "";
      this.form = 0;
      this.leave(text);
    };
    return h(
      "li",
      { key, class: `text ${text.state}` },
      h(
        "div",
        { class: "english" },
        h("p", { lang: "en" }, name),
        h(
          "p",
          { class: "faint" },
          text.comments.join(" "),
          " ",
          text.line > 0 &&
            button(say("texts place"), open, { class: "plain", "aria-label": `${say("texts place")}: ${text.one}` }),
        ),
        text.former && h("p", { class: "faint" }, filled("texts former", { text: text.former })),
      ),
      h(
        "div",
        { class: "other" },
        texts.map((value, form) =>
          h("textarea", {
            key: form,
            rows: Math.min(6, 1 + Math.floor(Math.max(text.one.length, value.length) / 45)),
            lang: this.language.replace("_", "-"),
            spellcheck: "true",
            value,
            "aria-label": texts.length > 1 ? filled("texts form", { text: name, number: number(form + 1) }) : name,
            "aria-invalid": String(told.length > 0),
            placeholder: text.known[form] ?? (texts.length > 1 ? (form ? text.many : text.one) : ""),
            onfocus: () => Object.assign(this, { form, inside: key }),
            onblur: left,
            oninput: (event) => this.type(text, form, event.target.value),
            onkeydown: (event) => this.press(event, text),
          }),
        ),
        h(
          "div",
          { class: "tools" },
          text.slots.map((slot) =>
            button(`{${slot}}`, (event) => this.insert(event, text, slot), {
              class: "chip",
              key: slot,
              "aria-label": filled("texts slot", { slot: `{${slot}}` }),
            }),
          ),
          text.state === "missing" &&
            !typed &&
            text.known.length > 0 &&
            button(filled("texts known", { text: text.known.join(" / ") }), () => this.keep([text], () => text.known), {
              class: "plain",
            }),
          text.state === "look" && !typed && !wrong.length && button(say("texts right"), () => this.keep([text])),
        ),
        told.length > 0 &&
          h(
            "ul",
            { class: "wrong", role: "status" },
            told.map((why) => h("li", {}, why)),
          ),
        said.length > 0 &&
          h(
            "div",
            { class: "said faint" },
            h("span", {}, say("texts reads")),
            h(
              "ul",
              { lang: this.language.replace("_", "-") },
              said.map((line) => h("li", {}, line)),
            ),
          ),
      ),
    );
  }
}
