// The dialogue 'New game': from nothing, from a game that is there, or from a file that somebody has sent.

import { button } from "./controls.js";
import { fill, notice, required } from "./dom.js";
import { h } from "./preact.js";
import { say } from "./words.js";

/** @import { NewGameChoices } from "./answers" */
/** @import { Bench, FormEvent } from "./types" */

const WAYS = /** @type {const} */ (["nothing", "variant", "copy", "parcel"]);
const PATH = "path"; // the board of a race has one row

/** @typedef {Record<Amount, number> & Record<Choice, string> & { name: string, sorts: string | null, marker: string }} Wishes */
/** @typedef {"fewest" | "most" | "highest" | "copies" | "dice" | "sides" | "columns" | "rows" | "length"} Amount */
/** @typedef {"of" | "turn" | "win" | "cards" | "form"} Choice */

/** @type {NewGame | null} */
let dialogue = null;

// The button in the head of the workbench. Where the folder has no game yet, the dialogue comes by itself.
/** @param {Bench} bench */
export function newGame(bench) {
  const made = dialogue ?? new NewGame(bench);
  dialogue = made;
  return button(say("make game"), () => made.open(), { key: "new game" });
}

class NewGame {
  /** @param {Bench} bench */
  constructor(bench) {
    /** @type {Wishes} */
    const answers = {
      name: "",
      of: "cards",
      turn: "",
      win: "",
      fewest: 2,
      most: 4,
      cards: "suits",
      sorts: null,
      highest: 10,
      copies: 1,
      dice: 2,
      sides: 6,
      columns: 8,
      rows: 8,
      length: 16,
      form: "square",
      marker: "",
    };
    this.bench = bench;
    /** @type {NewGameChoices | null} */
    this.told = null;
    /** @type {(typeof WAYS)[number]} */
    this.way = "nothing";
    this.answers = answers;
    this.edition = "";
    this.trouble = "";
    this.busy = false;
    /** @type {File | null} */
    this.chosen = null;
    this.box = document.createElement("dialog");
    this.box.className = "new-game";
    this.box.setAttribute("aria-labelledby", "new-game");
    document.body.append(this.box);
    bench.on("empty", () => this.open());
    bench.on("language", () => {
      if (this.box.open) this.draw();
    });
  }

  async open() {
    this.told ??= await this.bench.get("new");
    if (!this.told || this.box.open) return;
    this.trouble = "";
    this.draw();
    this.box.showModal();
    this.box.querySelector("[name=way]:checked")?.focus();
  }

  /** @template {keyof Wishes} N @param {N} name @param {Wishes[N]} value */
  set(name, value) {
    this.answers[name] = value;
    this.draw();
  }

  // ── what fits together ──

  get known() {
    return required(this.told);
  }

  get turns() {
    return this.known.turns.filter(({ of }) => of === this.answers.of);
  }

  get turn() {
    return this.turns.find(({ name }) => name === this.answers.turn) ?? this.turns[0];
  }

  get win() {
    return this.turn.wins.find((name) => name === this.answers.win) ?? this.turn.wins[0];
  }

  get cards() {
    return this.turn.with || this.answers.cards;
  }

  // Which names are asked for, by the word that asks for them; null for none.
  get sorts() {
    const { of } = this.answers;
    if (of === "cards") return this.cards;
    return of === "markers" && !this.turn.with ? "sorts" : null;
  }

  get names() {
    return this.answers.sorts ?? say(`new usual ${this.sorts}`).split(", ").join("\n");
  }

  /** @param {"fewest" | "most"} which */
  people(which) {
    const { fewest, most } = this.turn;
    return Math.max(fewest, Math.min(most, this.answers[which]));
  }

  copies() {
    if (this.answers.copies > 1 || this.sorts === "suits" || !this.sorts) return this.answers.copies;
    return this.sorts === "names" ? 10 : 8;
  }

  // What is sent: all that was asked.
  wanted() {
    const { name, highest, dice, sides, form, marker, of } = this.answers;
    const [columns, rows] = of === PATH ? [this.answers.length, 1] : [this.answers.columns, this.answers.rows];
    const fewest = this.people("fewest");
    return {
      name,
      turn: this.turn.name,
      win: this.win,
      fewest,
      most: Math.max(fewest, this.people("most")),
      cards: this.cards === "names" ? "names" : "suits",
      sorts: this.sorts
        ? this.names
            .split("\n")
            .map((/** @type {string} */ one) => one.trim())
            .filter(Boolean)
        : [],
      highest,
      dice,
      sides,
      form,
      marker,
      columns,
      rows,
      copies:
        of === "markers" && this.turn.with
          ? Math.max(5, this.answers.copies === 1 ? 15 : this.answers.copies)
          : this.copies(),
    };
  }

  /** @param {FormEvent} event */
  async make(event) {
    event.preventDefault();
    if (this.busy) return;
    this.busy = true;
    this.draw();
    const found = await this.asked();
    this.busy = false;
    this.trouble = found ? "" : (document.getElementById("notice")?.textContent ?? "");
    notice("");
    if (!found) return this.draw();
    this.box.close();
    this.answers.name = "";
    this.chosen = null;
    this.bench.open(found.file);
    this.bench.show("play");
  }

  asked() {
    const { bench, way, answers } = this;
    if (way === "nothing") return bench.post("new/nothing", this.wanted());
    if (way === "parcel")
      return bench.ask(bench.address("new/parcel", { name: this.chosen?.name ?? "" }), {
        method: "POST",
        body: this.chosen,
      });
    return bench.post(`new/${way}`, { name: answers.name, edition: this.from() });
  }

  from() {
    const names = this.way === "copy" ? this.known.whole : this.known.editions.map(({ name }) => name);
    return names.includes(this.edition) ? this.edition : names[0];
  }

  // ── what is drawn ──

  draw() {
    const { way } = this;
    const ways = WAYS.map((one) =>
      h(
        "label",
        { class: "way", key: one },
        h("input", {
          type: "radio",
          name: "way",
          value: one,
          checked: way === one,
          onchange: () => {
            this.way = one;
            this.trouble = "";
            this.draw();
          },
        }),
        h("span", {}, h("strong", {}, say(`new ${one}`)), h("span", { class: "faint" }, say(`new ${one} told`))),
      ),
    );
    fill(
      this.box,
      h(
        "div",
        { class: "row ends" },
        h("h2", { id: "new-game" }, say("new welcome")),
        button(say("new close"), () => this.box.close(), { class: "plain", key: "close" }),
      ),
      h(
        "form",
        { onsubmit: (event) => this.make(event) },
        h("fieldset", { class: "ways" }, h("legend", { class: "unseen" }, say("new welcome")), ways),
        way === "parcel" ? this.file() : [this.name(), way === "nothing" ? this.questions() : this.editions()],
        this.trouble && h("p", { class: "trouble", role: "alert" }, this.trouble),
        h("p", { class: "on" }, h("button", { type: "submit", class: "main", disabled: this.busy }, say("new make"))),
      ),
    );
  }

  name() {
    return h(
      "label",
      { class: "wide", key: "name" },
      h("span", {}, say("new name")),
      h("input", {
        required: true,
        maxlength: 80,
        value: this.answers.name,
        key: "name",
        oninput: (event) => {
          this.answers.name = event.target.value;
        },
      }),
    );
  }

  file() {
    return h(
      "label",
      { class: "wide", key: "file" },
      h("span", {}, say("new choose")),
      h("input", {
        type: "file",
        required: true,
        accept: ".rulewright",
        onchange: (event) => {
          this.chosen = event.target.files?.[0] ?? null;
        },
      }),
    );
  }

  editions() {
    const known =
      this.way === "copy"
        ? this.known.editions.filter(({ name }) => this.known.whole.includes(name))
        : this.known.editions;
    return h(
      "label",
      { class: "wide", key: "which" },
      h("span", {}, say("new which")),
      h(
        "select",
        {
          value: this.from(),
          onchange: (event) => {
            this.edition = event.target.value;
          },
        },
        known.map(({ name, title }) => h("option", { value: name, selected: name === this.from() }, title)),
      ),
    );
  }

  questions() {
    const kinds = [...new Set(this.known.turns.map(({ of }) => of))];
    return [
      this.choice(
        "with",
        "of",
        kinds.map((of) => [of, say(`new of ${of}`)]),
        this.answers.of,
      ),
      this.choice(
        "turn",
        "turn",
        this.turns.map(({ name }) => [name, say(`new turn ${name}`)]),
        this.turn.name,
      ),
      this.choice(
        "win",
        "win",
        this.turn.wins.map((name) => [name, say(`new win ${name}`)]),
        this.win,
      ),
      h(
        "fieldset",
        { key: "people", class: "row" },
        h("legend", {}, say("new people")),
        this.count("fewest", this.turn.fewest, this.turn.most, this.people("fewest")),
        this.count("most", this.turn.fewest, this.turn.most, Math.max(this.people("fewest"), this.people("most"))),
      ),
      this.things(),
    ];
  }

  // What it is played with, more exactly.
  things() {
    const { of } = this.answers;
    const found = [];
    if (of === "cards" && !this.turn.with)
      found.push(
        this.choice(
          "cards",
          "cards",
          ["suits", "names"].map((one) => [one, say(`new cards ${one}`)]),
          this.cards,
        ),
      );
    const numbers = [];
    if (of === "cards" && this.cards === "suits") numbers.push(this.count("highest", 3, 20));
    if (of === "cards" || of === "markers") numbers.push(this.count("copies", 1, 100, this.wanted().copies));
    if (of === "dice" || of === PATH) numbers.push(this.count("dice", 1, 6), this.count("sides", 2, 20));
    if (of === "board") numbers.push(this.count("columns", 3, 20), this.count("rows", 3, 20));
    if (of === PATH) numbers.push(this.count("length", 5, 26));
    if (this.sorts) {
      found.push(
        h(
          "label",
          { class: "wide", key: `sorts ${this.sorts}` },
          h("span", {}, say(`new ${this.sorts}`)),
          h("textarea", {
            rows: 5,
            required: true,
            maxlength: 2000,
            value: this.names,
            key: `sorts ${this.sorts}`,
            oninput: (event) => {
              this.answers.sorts = event.target.value;
            },
          }),
        ),
      );
    }
    if (of === "board")
      found.push(
        this.choice(
          "form",
          "form",
          ["square", "hexagonal"].map((one) => [one, say(`new ${one}`)]),
          this.answers.form,
        ),
      );
    if (of === "board" || of === PATH || (of === "markers" && this.turn.with)) {
      found.push(
        h(
          "label",
          { class: "wide", key: "marker" },
          h("span", {}, say("new marker")),
          h("input", {
            maxlength: 30,
            value: this.answers.marker,
            placeholder: say("new usual marker"),
            key: "marker",
            oninput: (event) => {
              this.answers.marker = event.target.value;
            },
          }),
        ),
      );
    }
    return [...found, numbers.length > 0 && h("div", { class: "row numbers", key: "numbers" }, numbers)];
  }

  /** @param {string} word @param {Choice} name @param {[string, string][]} options @param {string} chosen */
  choice(word, name, options, chosen) {
    return h(
      "fieldset",
      { key: `choice ${name}`, class: "choice" },
      h("legend", {}, say(`new ${word}`)),
      options.map(([value, label]) =>
        h(
          "label",
          { class: "row", key: value },
          h("input", {
            type: "radio",
            name,
            value,
            checked: value === chosen,
            onchange: () => this.choose(name, value),
          }),
          h("span", {}, label),
        ),
      ),
    );
  }

  /** @param {Choice} name @param {string} value */
  choose(name, value) {
    if (name === "of" || name === "turn" || name === "cards") this.answers.sorts = null;
    this.set(name, value);
  }

  /** @param {Amount} name @param {number} least @param {number} most */
  count(name, least, most, value = this.answers[name]) {
    return h(
      "label",
      { key: name },
      h("span", {}, say(`new ${name}`)),
      h("input", {
        type: "number",
        min: least,
        max: most,
        required: true,
        value,
        key: name,
        onchange: (event) =>
          this.set(name, Math.max(least, Math.min(most, Math.round(Number(event.target.value)) || least))),
      }),
    );
  }
}
