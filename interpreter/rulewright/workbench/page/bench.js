// What all panes are given: the edition that is shown, how to ask the workbench, what has happened, where to look.

import { notice } from "./dom.js";
import { h } from "./preact.js";
import { language, say } from "./words.js";

const ENDING = 503; // the workbench
export const NOTHING_YET = 202; // there have been no rules without mistakes, which panes tell themselves

export class Bench {
  constructor() {
    Object.assign(this, { file: "", source: "", cursor: { line: 1, column: 1 }, heard: new Map(), places: null, turn: null, ruled: true });
    this.on("shown", () => { this.ruled = true; });
    this.on("edited", ({ file, ok }) => { if (file === this.file && ok) this.ruled = true; });
  }

  // heard: is called with each event of a type.
  on(type, heard) {
    if (!this.heard.has(type)) this.heard.set(type, []);
    this.heard.get(type).push(heard);
  }

  emit(type, event = {}) {
    for (const heard of this.heard.get(type) ?? []) heard(event);
  }

  address(path, slots = {}) {
    const given = Array.isArray(slots) ? slots : Object.entries(slots);
    return `/api/${path}?${new URLSearchParams([["file", this.file], ["language", language()], ...given])}`;
  }

  // What a pane says that has nothing to show yet. ruled: whether the file has had rules without mistakes, as far as is known.
  get unready() {
    return say(this.ruled ? "pane loading" : "not yet");
  }

  // What the workbench answers, or null, with a notice, where it refuses.
  get(path, slots) {
    return this.ask(this.address(path, slots));
  }

  post(path, body = {}, slots = undefined) {
    return this.ask(this.address(path, slots), { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
  }

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
      this.emit("unruled");
    }
    const isJson = answer.headers.get("content-type")?.startsWith("application/json");
    const found = isJson ? await answer.json() : { text: "" };
    if (nothing) return null;
    if (answer.ok) notice("");
    else notice(found.text ? this.why(found) : say("pane broken"));
    return answer.ok ? found : null;
  }

  // Why something stopped; where that is a rule, a click shows it.
  why({ text, file, line }) {
    if (!line) return text;
    return h("button", { type: "button", class: "plain", onclick: () => this.open(file, line) }, text);
  }

  // Shows a place in the source; of another file, that is opened first.
  open(file, line = 1, column = 1) {
    this.places.open(file, line, column);
  }

  // Marks a line without going there; no line: none.
  mark(file = "", line = null) {
    this.places.mark(file, line);
  }

  // Turns to another pane. argument: for its `shown`.
  show(pane, argument) {
    this.turn(pane, argument);
  }
}
