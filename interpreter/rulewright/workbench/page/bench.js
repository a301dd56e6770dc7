// What all panes are given: the edition that is shown, how to ask the workbench, what has happened, where to look.

import { button } from "./controls.js";
import { notice } from "./dom.js";
import { h } from "./preact.js";
import { language, say } from "./words.js";

/** @import { Answers, Events, Trouble } from "./answers" */
/** @import { Places } from "./types" */
/** @typedef {Record<string, string | number> | (string | number)[][]} Slots */

const ENDING = 503; // the workbench
export const NOTHING_YET = 202; // there have been no rules without mistakes, which panes tell themselves

export class Bench {
  constructor() {
    this.file = "";
    this.source = "";
    /** @type {{ line: number, column: number }} */
    this.cursor = { line: 1, column: 1 };
    /** @type {Map<keyof Events, ((event: never) => void)[]>} */
    this.heard = new Map();
    /** @type {Places} */
    this.places = { open() {}, mark() {}, beside: () => h("div", {}) }; // until the source is there
    /** @type {(pane: string, argument?: object) => void} */
    this.turn = () => {};
    this.ruled = true;
    this.on("shown", () => {
      this.ruled = true;
    });
    this.on("edited", ({ file, ok }) => {
      if (file === this.file && ok) this.ruled = true;
    });
  }

  // heard: is called with each event of a type.
  /** @template {keyof Events} E @param {E} type @param {(event: Events[E]) => void} heard */
  on(type, heard) {
    if (!this.heard.has(type)) this.heard.set(type, []);
    this.heard.get(type)?.push(heard);
  }

  /** @template {keyof Events} E @param {E} type @param {Events[E]} event */
  emit(type, event) {
    for (const heard of this.heard.get(type) ?? []) heard(/** @type {never} */ (event));
  }

  /** @param {string} path @param {Slots} [slots] */
  address(path, slots = {}) {
    const given = (Array.isArray(slots) ? slots : Object.entries(slots)).map((slot) => slot.map(String));
    return `/api/${path}?${new URLSearchParams([["file", this.file], ["language", language()], ...given])}`;
  }

  // What a pane says that has nothing to show yet. ruled: whether the file has had rules without mistakes, as far as is
  // known.
  get unready() {
    return say(this.ruled ? "pane loading" : "not yet");
  }

  // What the workbench answers, or null, with a notice, where it refuses.
  /**
   * @template {keyof Answers} P
   * @param {P} path
   * @param {Slots} [slots]
   * @returns {Promise<Answers[P] | null>}
   */
  get(path, slots) {
    return this.ask(this.address(path, slots));
  }

  /**
   * @template {keyof Answers} P
   * @param {P} path
   * @param {unknown} [body]
   * @param {Slots} [slots]
   * @returns {Promise<Answers[P] | null>}
   */
  post(path, body = {}, slots = undefined) {
    return this.ask(this.address(path, slots), {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  }

  /** @param {string} address */
  async ask(address, how = {}) {
    let answer;
    try {
      answer = await fetch(address, how);
    } catch {
      notice(say("bench gone"));
      return null;
    }
    if (answer.status === ENDING) {
      notice(say("bench gone"));
      return null;
    }
    const nothing = answer.status === NOTHING_YET;
    if (nothing && this.ruled) {
      this.ruled = false;
      this.emit("unruled", {});
    }
    const isJson = answer.headers.get("content-type")?.startsWith("application/json");
    const found = isJson ? await answer.json() : { text: "" };
    if (nothing) return null;
    if (answer.ok) notice("");
    else notice(found.text ? this.why(found) : say("pane broken"));
    return answer.ok ? found : null;
  }

  // Why something stopped; where that is a rule, a click shows it.
  /** @param {Trouble} given */
  why({ text, file, line }) {
    if (!file || !line) return text;
    return button(text, () => this.open(file, line), { class: "plain" });
  }

  // Shows a place in the source; of another file, that is opened first.
  /** @param {string} file */
  open(file, line = 1, column = 1) {
    this.places.open(file, line, column);
  }

  // Marks a line without going there; no line: none.
  /** @param {string} [file] @param {number | null} [line] */
  mark(file = "", line = null) {
    this.places.mark(file, line);
  }

  // Turns to another pane. argument: for its `shown`.
  /** @param {string} pane @param {object} [argument] */
  show(pane, argument) {
    this.turn(pane, argument);
  }
}
