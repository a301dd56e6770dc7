// The pane 'Share': the game as one file, a table for friends, and what others say of a game that they look at.

import { button, checkbox } from "./controls.js";
import { required } from "./dom.js";
import { copied } from "./lobby.js";
import { nameField, keepName } from "./own_name.js";
import { Latest } from "./latest.js";
import { h } from "./preact.js";
import { save } from "./saving.js";
import { filled, language, number, row, say } from "./words.js";

/** @import { FriendTable, GameComment } from "./records" */
/** @import { Shared, SharedLine } from "./answers" */
/** @import { Bench, FormEvent, Redraw } from "./types" */

export class Share {
  /** @param {Bench} bench @param {Redraw} redraw */
  constructor(bench, redraw) {
    this.bench = bench;
    this.redraw = redraw;
    /** @type {Shared | null} */
    this.now = null;
    /** @type {FriendTable | null} */
    this.table = null;
    this.everywhere = false;
    this.friends = 1;
    this.computers = 0;
    this.title = "";
    this.everything = false;
    this.busy = "";
    this.seen = 0;
    this.looking = false;
    this.loads = new Latest();
    bench.on("remarked", () => this.load());
    bench.on("shown", () => {
      this.table = null;
      this.load();
    });
  }

  // How many remarks have come since somebody last looked.
  get badge() {
    const fresh = this.count - this.seen;
    return !this.looking && fresh > 0 ? { text: number(fresh) } : null;
  }

  get count() {
    return (this.now?.lines ?? []).reduce((all, line) => all + line.remarks.length, 0);
  }

  // Of a link that other devices can open, its pattern is shown, too.
  get pattern() {
    return this.now?.everywhere ? this.redraw : null;
  }

  async shown() {
    this.looking = true;
    await this.load();
  }

  hidden() {
    this.looking = false;
    this.seen = this.count;
  }

  async load() {
    const found = await this.loads.of(this.bench.get("share"));
    if (found === undefined) return;
    this.now = found;
    if (this.looking) this.seen = this.count;
    this.redraw();
  }

  // Something that takes a moment: what, by which its button is told.
  /** @template T @param {string} what @param {() => Promise<T>} work */
  async wait(what, work) {
    if (this.busy) return null;
    this.busy = what;
    this.redraw();
    const found = await work();
    this.busy = "";
    await this.load();
    return found;
  }

  /** @param {FormEvent} event */
  async open(event) {
    event.preventDefault();
    const name =
      /** @type {HTMLInputElement | null} */ (event.target.querySelector("[name=own-name]"))?.value.trim() ?? "";
    if (name) keepName(name);
    const { everywhere } = this;
    const [friends, computers] = [Number(this.friends), Number(this.computers)];
    this.table = await this.wait("table", () =>
      this.bench.post("share/table", { everywhere, name, friends, computers }),
    );
    this.redraw();
  }

  async end() {
    this.table = null;
    await this.wait("end", () => this.bench.post("share/end"));
  }

  /** @param {FormEvent} event */
  async ask(event) {
    event.preventDefault();
    const { title, everything, everywhere } = this;
    if (await this.wait("line", () => this.bench.post("share/line", { title, everything, everywhere })))
      this.title = "";
    this.redraw();
  }

  draw() {
    if (!this.bench.file) return h("p", {}, say("no file"));
    return h(
      "div",
      { class: "sharing" },
      h("h2", { class: "unseen" }, say("share tab")),
      this.file(),
      this.place(),
      this.play(),
      this.remarks(),
    );
  }

  file() {
    return h(
      "section",
      {},
      h("h2", {}, say("share file")),
      h("p", { class: "faint" }, say("share file told")),
      button(say("share save"), () => save(this.bench, "share/file")),
    );
  }

  // Who can come: asked before anything is opened.
  place() {
    const { now } = this;
    const option = (/** @type {boolean} */ everywhere, /** @type {string} */ word, told = "") =>
      h(
        "label",
        { class: "row", key: word },
        h("input", {
          type: "radio",
          name: "everywhere",
          checked: this.everywhere === everywhere,
          onchange: () => {
            this.everywhere = everywhere;
            this.redraw();
          },
        }),
        h("span", {}, say(word), told && h("span", { class: "faint" }, ` ${say(told)}`)),
      );
    if (now?.address) {
      return h(
        "section",
        {},
        h(
          "p",
          { role: "status" },
          filled(now.everywhere ? "share open network" : "share open here", { address: now.address }),
        ),
        h(
          "div",
          { class: "row" },
          button(say("share end"), () => this.end(), { disabled: Boolean(this.busy) }),
          h("span", { class: "faint" }, say("share end told")),
        ),
      );
    }
    return h(
      "section",
      {},
      h(
        "fieldset",
        {},
        h("legend", {}, say("share who")),
        option(false, "share here"),
        option(true, "share network", "share network told"),
      ),
    );
  }

  play() {
    // Kept at every letter, since the pane is drawn anew whenever somebody remarks something.
    const count = (/** @type {"friends" | "computers"} */ name, /** @type {string} */ word) =>
      h(
        "label",
        { key: word },
        h("span", {}, say(word)),
        h("input", {
          type: "number",
          min: 0,
          max: 11,
          required: true,
          value: this[name],
          key: word,
          oninput: (event) => {
            this[name] = Number(event.target.value);
          },
        }),
      );
    return h(
      "section",
      {},
      h("h2", {}, say("share friends")),
      h("p", { class: "faint" }, say("share friends told")),
      h(
        "form",
        { onsubmit: (event) => this.open(event) },
        h(
          "div",
          { class: "row" },
          h(
            "label",
            {},
            h("span", {}, say("share your name")),
            nameField({ required: true, name: "own-name", key: "own name" }),
          ),
          count("friends", "share friends count"),
          count("computers", "share computers count"),
          h("button", { type: "submit", class: "main", disabled: Boolean(this.busy) }, say("share open")),
        ),
      ),
      this.table && this.opened(),
      this.over(),
    );
  }

  opened() {
    const { mine, invite, watch } = required(this.table);
    return h(
      "div",
      { role: "status" },
      h(
        "p",
        {},
        h("strong", {}, say("share table")),
        " ",
        h("a", { class: "main", href: mine, target: "_blank", rel: "noopener" }, say("share seat")),
      ),
      invite && copied(say("share invite"), invite, this.pattern, say("share invite")),
      copied(say("share watch"), watch),
    );
  }

  // Games that friends have played to their end.
  over() {
    const games = this.now?.over ?? [];
    const when = new Intl.DateTimeFormat(language().replace("_", "-"), { dateStyle: "short", timeStyle: "short" });
    const look = async (/** @type {number} */ id) => {
      const found = await this.bench.post("share/take", { id });
      if (found) this.bench.show("play", { node: found.node });
    };
    return (
      games.length > 0 &&
      h(
        "section",
        {},
        h("h3", {}, say("share over")),
        h("p", { class: "faint" }, say("share over told")),
        h(
          "ol",
          { class: "remark-list" },
          games.map(({ id, start, names }) =>
            h(
              "li",
              { key: id, class: "row" },
              button(say("share look"), () => look(id)),
              h("span", {}, row(names)),
              h("span", { class: "faint" }, when.format(new Date(start))),
            ),
          ),
        ),
      )
    );
  }

  remarks() {
    const { now } = this;
    return h(
      "section",
      {},
      h("h2", {}, say("share remarks")),
      h("p", { class: "faint" }, say("share remarks told")),
      h(
        "form",
        { onsubmit: (event) => this.ask(event) },
        h(
          "label",
          { class: "wide" },
          h("span", {}, say("share line title")),
          h("input", {
            maxlength: 80,
            value: this.title,
            key: "line title",
            oninput: (event) => {
              this.title = event.target.value;
            },
          }),
        ),
        checkbox(say("share everything"), this.everything, (checked) => {
          this.everything = checked;
        }),
        h("button", { type: "submit", disabled: Boolean(this.busy) }, say("share ask")),
      ),
      h(
        "ol",
        { class: "shown-lines" },
        (now?.lines ?? []).map((line) => this.line(line)),
      ),
    );
  }

  /** @param {SharedLine} line */
  line(line) {
    const when = new Intl.DateTimeFormat(language().replace("_", "-"), { dateStyle: "short", timeStyle: "short" });
    const gone = async (/** @type {"line" | "remark"} */ path, /** @type {number} */ id) => {
      await this.bench.post(`share/${path}/remove`, { id });
      await this.load();
    };
    return h(
      "li",
      { key: line.id },
      h(
        "div",
        { class: "row ends" },
        h("h3", {}, line.title || say("share line untitled")),
        h("span", { class: "faint" }, line.file),
        button(say("share stop"), () => gone("line", line.id)),
      ),
      line.link
        ? copied(say("share line"), line.link, this.pattern, line.title)
        : h("p", { class: "faint" }, say("share closed")),
      line.remarks.length === 0
        ? h("p", { class: "faint" }, say("share no remarks"))
        : h(
            "ol",
            { class: "remark-list" },
            line.remarks.map((one) =>
              h(
                "li",
                { key: one.id },
                h(
                  "div",
                  { class: "row ends" },
                  button(filled("share moment", { number: number(one.step + 1) }), () => this.go(line, one)),
                  h("strong", {}, one.name || say("share anonymous")),
                  h("span", { class: "faint" }, when.format(one.time * 1000)),
                  button(say("share done"), () => gone("remark", one.id), { class: "plain" }),
                ),
                h("p", { class: "said" }, one.text),
              ),
            ),
          ),
    );
  }

  // The moment of a remark, among the lines of play.
  /** @param {SharedLine} line @param {GameComment} given */
  async go(line, { answers }) {
    const found = await this.bench.get("share/moment", { id: line.id, answers });
    if (!found) return;
    if (line.file !== this.bench.file) this.bench.open(line.file);
    this.bench.show("play", { node: found.node });
  }
}
