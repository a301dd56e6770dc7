// The pane 'Share': the game as one file, a table for friends, and what others say of a game that they look at.

import { el } from "./dom.js";
import { copied } from "./lobby.js";
import { nameField, keepName } from "./own_name.js";
import { save } from "./saving.js";
import { filled, language, number, row, say } from "./words.js";

export class Share {
  constructor(bench, redraw) {
    Object.assign(this, { bench, redraw, now: null, table: null, everywhere: false, friends: 1, computers: 0, title: "", everything: false, busy: "", seen: 0, looking: false });
    bench.on("remarked", () => this.load());
    bench.on("shown", () => { this.table = null; this.load(); });
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
    this.now = await this.bench.get("share");
    if (this.looking) this.seen = this.count;
    this.redraw();
  }

  // Something that takes a moment: what, by which its button is told.
  async wait(what, work) {
    if (this.busy) return null;
    this.busy = what;
    this.redraw();
    const found = await work();
    this.busy = "";
    await this.load();
    return found;
  }

  async open(event) {
    event.preventDefault();
    const name = event.target.querySelector("[name=own-name]").value.trim();
    if (name) keepName(name);
    const { everywhere } = this;
    const [friends, computers] = [Number(this.friends), Number(this.computers)];
    this.table = await this.wait("table", () => this.bench.post("share/table", { everywhere, name, friends, computers }));
    this.redraw();
  }

  async end() {
    this.table = null;
    await this.wait("end", () => this.bench.post("share/end"));
  }

  async ask(event) {
    event.preventDefault();
    const { title, everything, everywhere } = this;
    if (await this.wait("line", () => this.bench.post("share/line", { title, everything, everywhere }))) this.title = "";
    this.redraw();
  }

  draw() {
    if (!this.bench.file) return el("p", {}, say("no file"));
    return el("div", { class: "sharing" }, el("h2", { class: "unseen" }, say("share tab")), this.file(), this.place(), this.play(), this.remarks());
  }

  file() {
    return el("section", {}, el("h2", {}, say("share file")), el("p", { class: "faint" }, say("share file told")),
      el("button", { type: "button", onclick: () => save(this.bench, "share/file") }, say("share save")));
  }

  // Who can come: asked before anything is opened.
  place() {
    const { now } = this;
    const option = (everywhere, word, told) => el("label", { class: "row", key: word },
      el("input", { type: "radio", name: "everywhere", checked: this.everywhere === everywhere, onchange: () => { this.everywhere = everywhere; this.redraw(); } }), el("span", {}, say(word), told && el("span", { class: "faint" }, ` ${say(told)}`)));
    if (now?.address) {
      return el("section", {}, el("p", { role: "status" }, filled(now.everywhere ? "share open network" : "share open here", { address: now.address })),
        el("div", { class: "row" }, el("button", { type: "button", disabled: Boolean(this.busy), onclick: () => this.end() }, say("share end")), el("span", { class: "faint" }, say("share end told"))));
    }
    return el("section", {}, el("fieldset", {}, el("legend", {}, say("share who")), option(false, "share here"), option(true, "share network", "share network told")));
  }

  play() {
    // Kept at every letter, since the pane is drawn anew whenever somebody remarks something.
    const count = (name, word) => el("label", { key: word }, el("span", {}, say(word)),
      el("input", { type: "number", min: 0, max: 11, required: true, value: this[name], key: word, oninput: (event) => { this[name] = event.target.value; } }));
    return el("section", {}, el("h2", {}, say("share friends")), el("p", { class: "faint" }, say("share friends told")),
      el("form", { onsubmit: (event) => this.open(event) }, el("div", { class: "row" },
        el("label", {}, el("span", {}, say("share your name")), nameField({ required: true, name: "own-name", key: "own name" })), count("friends", "share friends count"), count("computers", "share computers count"),
        el("button", { type: "submit", class: "main", disabled: Boolean(this.busy) }, say("share open")))),
      this.table && this.opened(), this.over());
  }

  opened() {
    const { mine, invite, watch } = this.table;
    return el("div", { role: "status" }, el("p", {}, el("strong", {}, say("share table")), " ", el("a", { class: "main", href: mine, target: "_blank", rel: "noopener" }, say("share seat"))),
      invite && copied(say("share invite"), invite, this.pattern, say("share invite")), copied(say("share watch"), watch));
  }

  // Games that friends have played to their end.
  over() {
    const games = this.now?.over ?? [];
    const when = new Intl.DateTimeFormat(language().replace("_", "-"), { dateStyle: "short", timeStyle: "short" });
    const look = async (id) => { const found = await this.bench.post("share/take", { id }); if (found) this.bench.show("play", { node: found.node }); };
    return games.length > 0 && el("section", {}, el("h3", {}, say("share over")), el("p", { class: "faint" }, say("share over told")),
      el("ol", { class: "remark-list" }, games.map(({ id, at, names }) => el("li", { key: id, class: "row" },
        el("button", { type: "button", onclick: () => look(id) }, say("share look")), el("span", {}, row(names)), el("span", { class: "faint" }, when.format(new Date(at)))))));
  }

  remarks() {
    const { now } = this;
    return el("section", {}, el("h2", {}, say("share remarks")), el("p", { class: "faint" }, say("share remarks told")),
      el("form", { onsubmit: (event) => this.ask(event) },
        el("label", { class: "wide" }, el("span", {}, say("share line title")), el("input", { maxlength: 80, value: this.title, key: "line title", oninput: (event) => { this.title = event.target.value; } })),
        el("label", { class: "row" }, el("input", { type: "checkbox", checked: this.everything, onchange: (event) => { this.everything = event.target.checked; } }), el("span", {}, say("share everything"))),
        el("button", { type: "submit", disabled: Boolean(this.busy) }, say("share ask"))),
      el("ol", { class: "shown-lines" }, (now?.lines ?? []).map((line) => this.line(line))));
  }

  line(line) {
    const when = new Intl.DateTimeFormat(language().replace("_", "-"), { dateStyle: "short", timeStyle: "short" });
    const gone = async (path, id) => { await this.bench.post(`share/${path}/remove`, { id }); await this.load(); };
    return el("li", { key: line.id },
      el("div", { class: "row ends" }, el("h3", {}, line.title || say("share line untitled")), el("span", { class: "faint" }, line.file),
        el("button", { type: "button", onclick: () => gone("line", line.id) }, say("share stop"))),
      line.link ? copied(say("share line"), line.link, this.pattern, line.title) : el("p", { class: "faint" }, say("share closed")),
      line.remarks.length === 0 ? el("p", { class: "faint" }, say("share no remarks"))
        : el("ol", { class: "remark-list" }, line.remarks.map((one) => el("li", { key: one.id },
          el("div", { class: "row ends" }, el("button", { type: "button", onclick: () => this.go(line, one) }, filled("share moment", { number: number(one.step + 1) })),
            el("strong", {}, one.name || say("share anonymous")), el("span", { class: "faint" }, when.format(one.at * 1000)),
            el("button", { type: "button", class: "plain", onclick: () => gone("remark", one.id) }, say("share done"))),
          el("p", { class: "said" }, one.text)))));
  }

  // The moment of a remark, among the lines of play.
  async go(line, { answers }) {
    const found = await this.bench.get("share/moment", { id: line.id, answers });
    if (!found) return;
    if (line.file !== this.bench.file) this.bench.open(line.file);
    this.bench.show("play", { node: found.node });
  }
}
