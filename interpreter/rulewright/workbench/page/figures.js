// The pane 'What does it do?': how many games come out, what never happens, what is different, what a number would do.

import { bars, intervals, lengths, wideTable } from "./curves.js";
import { required } from "./dom.js";
import { decimals, figure, plain, told } from "./estimates.js";
import { Looking } from "./looking.js";
import { h } from "./preact.js";
import { Turning } from "./turning.js";
import { entry, filled, number, say } from "./words.js";

/** @import { Answers, ComparedFigure, DecisionFigures, Events, NeverSeen, ResultFigures, SeatFigures, SourcePlace } from "./answers" */
/** @import { Bench, Child, Redraw, VNode } from "./types" */

const AGAIN = 15_000; // milliseconds: how often the workbench is told that somebody looks
const FEW = 3; // options that need no folding
const CLEAREST = 6; // differences, before the rest is folded away
const MOST = 8; // of what never happens, before the rest is folded away

/** @typedef {{ people: number, player: string, options: Record<string, string>, against: string }} Wish */

/** @param {NeverSeen["sentences"]} found */
const onePerLine = (found) =>
  found.filter(({ own, line }, n) => found.findIndex((other) => other.own === own && other.line === line) === n);

export class Figures {
  /** @param {Bench} bench @param {Redraw} redraw */
  constructor(bench, redraw) {
    this.bench = bench;
    this.redraw = redraw;
    /** @type {Answers["figures"] | null} */
    this.told = null;
    /** @type {Events["figures"] | null} */
    this.figures = null;
    this.old = false;
    this.trouble = "";
    this.key = "";
    this.seen = false;
    /** @type {number | undefined} */
    this.timer = undefined;
    /** @type {Wish} */
    this.wish = { people: 0, player: "random", options: {}, against: "" };
    this.turning = new Turning(this);
    this.looking = new Looking(this);
    bench.on("shown", () => this.other());
    bench.on("edited", () => this.edited());
    bench.on("language", () => this.load());
    bench.on("cursor", () => {
      if (this.seen && this.told?.values.length) this.redraw();
    });
    bench.on("figures", (found) => this.heard(found));
    bench.on("curve", (found) => this.curved(found));
    bench.on("search", (found) => this.searched(found));
    bench.on("games failed", (found) => this.failed(found));
    document.addEventListener("visibilitychange", () => (document.hidden ? this.rest() : this.look()));
  }

  // Where something is surely wrong with the figures that are known.
  get badge() {
    if (this.trouble) return { text: "!", bad: true };
    return this.figures && !this.old && this.unfair.length ? { text: "!", bad: false } : null;
  }

  get known() {
    return required(this.told);
  }

  // The figures of games that have ended, which are there wherever they are drawn.
  get results() {
    return /** @type {Events["figures"] & ResultFigures} */ (required(this.figures));
  }

  get unfair() {
    return (this.figures?.seats ?? []).filter(
      ({ odd, player }) => odd && this.results.seats.every((other) => other.player === player),
    );
  }

  async other() {
    Object.assign(this, { told: null, figures: null, trouble: "", key: "" });
    this.wish = { people: 0, player: "random", options: {}, against: "" };
    this.turning = new Turning(this);
    this.looking = new Looking(this);
    await this.load(); // also where nobody looks: the rules as they were opened are what later ones are compared with
  }

  async shown() {
    this.seen = true;
    clearInterval(this.timer);
    this.timer = setInterval(() => this.look(), AGAIN);
    await this.load();
  }

  hidden() {
    this.seen = false;
    clearInterval(this.timer);
    this.rest();
  }

  rest() {
    if (this.bench.file && this.key) this.bench.post("figures/leave");
    this.key = "";
  }

  async edited() {
    Object.assign(this, { old: this.figures !== null, trouble: "" });
    this.looking.wanted = null; // it was about other rules
    if (this.seen) await this.load();
  }

  async load() {
    const { bench } = this;
    if (!bench.file) return;
    const file = bench.file;
    const found = await bench.get("figures");
    if (!found || file !== bench.file) return;
    this.told = found;
    const { wish } = this;
    if (!found.people.includes(wish.people)) wish.people = found.usual;
    for (const name of Object.keys(wish.options)) {
      if (
        !found.options.some(
          (option) => option.name === name && option.choices.some((choice) => choice.name === wish.options[name]),
        )
      )
        delete wish.options[name];
    }
    if (!found.against.some(({ what }) => what === wish.against)) wish.against = "";
    if (this.turning.value && !this.turning.chosen) this.turning.choose("");
    else await this.look();
  }

  async look() {
    const { bench, told: known } = this;
    if (!this.seen || document.hidden || !known || !bench.file) return;
    const found = await bench.post("figures/look", {
      ...this.wish,
      curve: this.turning.wanted,
      search: this.looking.wanted,
    });
    if (!found) return;
    if (found.key !== this.key) {
      this.key = found.key;
      this.old = this.figures !== null;
    }
    if (found.failed) this.failed({ ...found.failed, key: this.key });
    if (found.figures) this.heard({ ...found.figures, key: this.key });
    if (found.search) this.searched({ ...found.search, key: this.key });
    if (found.curve) this.curved({ ...found.curve, key: this.key });
    this.redraw();
  }

  /** @param {Events["figures"]} found */
  heard(found) {
    if (found.key !== this.key) return;
    Object.assign(this, { figures: found, old: false, trouble: "" });
    this.redraw();
  }

  /** @param {Events["curve"]} found */
  curved(found) {
    if (found.key !== this.key) return;
    this.turning.heard(found);
    this.redraw();
  }

  /** @param {Events["search"]} found */
  searched(found) {
    if (found.key !== this.key) return;
    this.looking.heard(found);
    this.redraw();
  }

  /** @param {Events["games failed"]} given */
  failed({ key, text, died }) {
    if (key !== this.key) return;
    this.trouble = died ? say("figures died") : text;
    this.redraw();
  }

  /** @param {Partial<Wish>} wish */
  set(wish) {
    Object.assign(this.wish, wish);
    this.look();
    this.redraw();
  }

  // What a figure is called.
  /** @param {string} key */
  title(key) {
    const { known } = this;
    const [sort, name] = [key.slice(0, key.indexOf(": ")), key.slice(key.indexOf(": ") + 2)];
    if (sort === "won") return filled("figures won", { seat: number(Number(name)) });
    if (sort === "points") return known.lines[name] ?? name;
    if (sort === "measure") return known.measures[name] ?? name;
    if (sort === "held" || sort === "used") return filled(`figures ${sort}`, { power: known.powers[name] ?? name });
    return say(`figures ${key}`);
  }

  // ── what is drawn ──

  draw() {
    const { told: known, figures } = this;
    if (!known) return h("div", { class: "many-games" }, h("h2", { class: "unseen" }, say("figures")));
    return h(
      "div",
      { class: "many-games" },
      h("h2", { class: "unseen" }, say("figures")),
      this.choices(),
      this.state(),
      figures &&
        h(
          "div",
          { class: `dashboard${this.old ? " old" : ""}` },
          this.differences(),
          figures.quantities && [
            h("div", { class: "column", key: "column 1" }, this.seats(), this.points()),
            h("div", { class: "column", key: "column 2" }, this.length(), this.closeness()),
          ],
          this.never(),
          this.part("figures turn", "turn", this.turning.draw()),
          this.part("figures look", "look", this.looking.draw()),
          Boolean(figures.decisions?.length) && this.decisions(),
        ),
    );
  }

  choices() {
    const {
      wish,
      known: { people, players, options, against },
    } = this;
    const pick = (
      /** @type {string} */ label,
      /** @type {string | number} */ value,
      /** @type {[string | number, string][]} */ choices,
      /** @type {(value: string) => void} */ set,
    ) =>
      h(
        "label",
        {},
        h("span", {}, label),
        h(
          "select",
          { value: String(value), onchange: (event) => set(event.target.value) },
          choices.map(([name, text]) => h("option", { value: String(name) }, text)),
        ),
      );
    const option = (/** @type {Answers["figures"]["options"][number]} */ { name, label, usual, choices }) =>
      pick(
        label,
        wish.options[name] ?? usual,
        choices.map((choice) => [choice.name, choice.label]),
        (choice) => this.set({ options: { ...wish.options, [name]: choice } }),
      );
    const changed = options
      .filter(({ name, usual }) => (wish.options[name] ?? usual) !== usual)
      .map(({ label }) => label);
    return h(
      "div",
      { class: "row table-of-games", role: "group", "aria-label": say("figures table") },
      pick(
        say("figures people"),
        wish.people,
        people.map((count) => [count, number(count)]),
        (count) => this.set({ people: Number(count) }),
      ),
      pick(
        say("figures player"),
        wish.player,
        players.map((kind) => [kind, say(`figures player ${kind}`)]),
        (player) => this.set({ player }),
      ),
      options.length > FEW ? null : options.map(option),
      against.length > 0 &&
        pick(
          say("figures against"),
          wish.against,
          [
            ["", say("figures against nothing")],
            ...against.map(
              ({ what, title }) =>
                /** @type {[string, string]} */ ([what, filled(`figures against ${what}`, { title })]),
            ),
          ],
          (what) => this.set({ against: what }),
        ),
      options.length > FEW &&
        h(
          "details",
          { class: "options-of-games" },
          h("summary", {}, say("options"), changed.length > 0 && ` (${changed.join(", ")})`),
          h("div", { class: "row" }, options.map(option)),
        ),
    );
  }

  state() {
    const { figures, trouble, old } = this;
    if (trouble)
      return h("div", { class: "trouble", role: "alert" }, h("h3", {}, say("figures stopped")), h("p", {}, trouble));
    if (!figures) return h("p", { class: "faint", "aria-busy": "true" }, say("figures beginning"));
    const { games, ended, limited, stopped, done, wanted } = figures;
    return h(
      "div",
      { class: "state-of-games" },
      h(
        "p",
        { "aria-busy": String(!done || old) },
        h("strong", {}, filled(done ? "figures games" : "figures playing", { games: number(games) })),
        " ",
        !done &&
          h("progress", {
            max: wanted,
            value: games,
            "aria-label": filled("figures playing", { games: number(games) }),
          }),
        h(
          "span",
          { class: "faint" },
          old ? say("figures old") : say("figures interval"),
          " ",
          done && games < wanted && say("figures slow"),
        ),
      ),
      limited > 0 &&
        h(
          "p",
          { class: "surely" },
          filled(ended + stopped.games < games ? "figures endless" : "figures limited", {
            limited: number(limited),
            games: number(games),
          }),
        ),
      stopped.games > 0 &&
        h(
          "p",
          { class: "surely" },
          filled("figures not ended", {
            stopped: number(stopped.games),
            games: number(games),
            seed: stopped.seed,
            why: stopped.why,
          }),
        ),
    );
  }

  /** @param {string} word @param {string} name @param {...Child} inside */
  part(word, name, ...inside) {
    return h(
      "section",
      { class: `panel part of-${name}`, key: name, "aria-labelledby": `figures-${name}` },
      h("h3", { id: `figures-${name}` }, say(word)),
      inside,
    );
  }

  /** @param {string} key */
  estimate(key) {
    const found = this.results.quantities[key];
    return found ? told(found.estimate, found.shares) : null;
  }

  length() {
    const { courses } = this.results;
    const one = (/** @type {string} */ key) => {
      const found = courses[key];
      const fixed = found.most[0] === found.most[1] && found.bars.length === 1;
      return h(
        "div",
        { key, class: "course-of" },
        h(
          "p",
          { class: "large" },
          h("b", {}, fixed ? number(found.middle) : plain(this.results.quantities[key].estimate)),
          " ",
          say(`figures ${key}`),
        ),
        h(
          "p",
          { class: "faint" },
          fixed
            ? filled("figures always", { value: number(found.middle) })
            : filled("figures most", { low: number(found.most[0]), high: number(found.most[1]) }),
        ),
        !fixed && bars(filled("figures share of", { what: say(`figures ${key}`) }), say(`figures ${key}`), found),
      );
    };
    return this.part("figures length", "length", Object.keys(courses).map(one));
  }

  seats() {
    const { seats, fair } = this.results;
    if (seats.length < 2) return null;
    const share = figure(fair, 1, true);
    const unfair = this.unfair;
    const first = unfair.find(({ seat, odd }) => seat === 0 && odd > 0);
    const warn = (/** @type {SeatFigures} */ { seat, odd, won }) =>
      h(
        "p",
        { class: "surely", key: `seat ${seat}` },
        filled(odd > 0 ? "figures more" : "figures less", {
          seat: number(seat + 1),
          won: told(won, true),
          fair: share,
        }),
      );
    return this.part(
      "figures seats",
      "seats",
      first
        ? h(
            "p",
            { class: "surely", key: "first" },
            filled("figures first more", { won: told(first.won, true), fair: share }),
          )
        : unfair.slice(0, 2).map(warn),
      !unfair.length && h("p", { class: "faint" }, say("figures even")),
      intervals(
        say("figures wins"),
        seats.map(({ seat, role, won, total, odd }) => ({
          label: role ? (this.known.roles[role] ?? role) : filled("figures seat", { seat: number(seat + 1) }),
          estimate: won,
          odd,
          more: [told(total)],
        })),
        { shares: true, line: fair, head: [say("figures wins"), say("figures total")] },
      ),
      h("p", { class: "faint key" }, filled("figures fair", { share })),
    );
  }

  points() {
    const { lines, quantities } = this.results;
    if (!quantities.total) return null;
    const rows = [...lines]
      .sort((one, other) => Math.abs(other.mean?.[0] ?? 0) - Math.abs(one.mean?.[0] ?? 0))
      .map(({ name, mean, nothing }) => ({
        label: this.known.lines[name] ?? name,
        estimate: mean,
        more: [figure(nothing, 0, true)],
      }));
    return this.part(
      "figures points",
      "points",
      h("p", { class: "large" }, h("b", {}, plain(quantities.total.estimate)), " ", say("figures total")),
      rows.length > 0 && lengths(say("figures points of"), rows, [say("figures points of"), say("figures nothing of")]),
    );
  }

  closeness() {
    const keys = ["margin", "lead_changes", "shared", "tie_break", "apart"].filter(
      (key) => this.results.quantities[key]?.estimate,
    );
    if (!keys.length) return null;
    return this.part(
      "figures close",
      "close",
      h(
        "dl",
        { class: "so-close" },
        keys.map((key) => h("div", { key }, h("dt", {}, this.title(key)), h("dd", {}, this.estimate(key)))),
      ),
    );
  }

  never() {
    const { powers } = this.known;
    const { games, never } = this.results;
    const { sentences, of, answers, pieces, powers: unused } = never;
    const goes = (/** @type {SourcePlace} */ { own, file, line, column }, /** @type {Child} */ text) =>
      own || file
        ? h(
            "button",
            {
              type: "button",
              class: "plain goes",
              title: filled(own ? "figures line" : "figures elsewhere", { line: number(line) }),
              onclick: () => this.bench.open(file || this.bench.file, line, column),
            },
            text,
          )
        : h(
            "span",
            {},
            text,
            " ",
            line > 0 && h("span", { class: "faint" }, filled("figures elsewhere", { line: number(line) })),
          );
    const list = (/** @type {string} */ name, /** @type {string} */ title, /** @type {VNode[]} */ rows) =>
      rows.length > 0 &&
      h(
        "div",
        { key: name },
        h("h4", {}, title),
        h("ul", {}, rows.slice(0, MOST)),
        rows.length > MOST &&
          h(
            "details",
            {},
            h("summary", {}, filled("figures more of", { count: number(rows.length - MOST) })),
            h("ul", {}, rows.slice(MOST)),
          ),
      );
    return this.part(
      "figures never",
      "never",
      h("p", { class: "faint" }, filled("figures looked at", { games: number(games) })),
      list(
        "sentences",
        filled("figures sentences", { count: number(sentences.length), of: number(of) }),
        onePerLine(sentences).map((one) =>
          h("li", {}, one.own && h("span", { class: "where" }, number(one.line)), goes(one, h("code", {}, one.text))),
        ),
      ),
      list(
        "answers",
        say("figures answers"),
        answers.map((one) =>
          h(
            "li",
            {},
            goes(
              one.place,
              entry(this.known.decisions[one.decision]?.title ?? one.step, this.answer(one.decision, one.name)),
            ),
            " ",
            h(
              "span",
              { class: "faint" },
              one.offered
                ? filled("figures never taken", { count: number(one.offered) })
                : say("figures never offered"),
            ),
          ),
        ),
      ),
      list(
        "pieces",
        say("figures pieces"),
        pieces.map((name) => h("li", {}, name)),
      ),
      list(
        "powers",
        say("figures powers"),
        unused.map(({ name, held }) =>
          h("li", {}, entry(powers[name] ?? name, say(held ? "figures held unused" : "figures never held"))),
        ),
      ),
      !sentences.length &&
        !answers.length &&
        !pieces.length &&
        !unused.length &&
        h("p", {}, say("figures all happens")),
    );
  }

  // What a decision is called, as the table asks it, and an answer to it.
  /** @param {{ step: string, decision: string }} given */
  asks({ step, decision }) {
    const known = this.known.decisions[decision];
    return known
      ? entry(known.title, known.ask)
      : decision.startsWith(`${step}.`)
        ? entry(step, decision.slice(step.length + 1))
        : step;
  }

  /** @param {string} decision @param {string} name */
  answer(decision, name) {
    return this.known.decisions[decision]?.answers[name] ?? name;
  }

  decisions() {
    const one = (/** @type {DecisionFigures} */ { step, decision, answers }) =>
      h(
        "details",
        { key: decision },
        h("summary", {}, this.asks({ step, decision })),
        intervals(
          entry(step, say("figures taken")),
          answers.map(({ name, offered: times, taken }) => ({
            label: this.answer(decision, name),
            estimate: taken,
            more: [number(times)],
          })),
          { shares: true, head: [say("figures taken"), say("figures offered")] },
        ),
      );
    return this.part("figures chosen", "chosen", this.results.decisions.map(one));
  }

  // ── differences ──

  differences() {
    const {
      results: { against, lacking },
      wish,
    } = this;
    if (!wish.against) return null;
    if (lacking)
      return this.part(
        "figures differences",
        "differences",
        h("p", { class: "surely" }, say("figures not there")),
        h("p", { class: "faint" }, lacking),
      );
    if (!against)
      return this.part("figures differences", "differences", h("p", { class: "faint" }, say("figures beginning")));
    const sure = against.rows.filter(({ verdict }) => verdict === "differs");
    const perhaps = against.rows.filter(({ verdict }) => verdict === "perhaps");
    const list = (/** @type {ComparedFigure[]} */ rows) =>
      h(
        "ul",
        { class: "findings" },
        rows.map((row) => h("li", { key: row.key }, this.sentence(row))),
      );
    const only = (/** @type {string[]} */ keys, /** @type {string} */ word) =>
      keys.length > 0 &&
      h("p", { class: "faint" }, filled(word, { what: keys.map((key) => this.title(key)).join(", ") }));
    return this.part(
      "figures differences",
      "differences",
      sure.length
        ? [
            list(sure.slice(0, CLEAREST)),
            sure.length > CLEAREST &&
              h(
                "details",
                { key: "more" },
                h("summary", {}, filled("figures more of", { count: number(sure.length - CLEAREST) })),
                list(sure.slice(CLEAREST)),
              ),
          ]
        : h(
            "p",
            {},
            say(
              against.rows.every(({ verdict }) => verdict === "same")
                ? "figures no difference at all"
                : "figures no difference",
            ),
          ),
      perhaps.length > 0 &&
        h("details", {}, h("summary", {}, say("figures perhaps"), " ", number(perhaps.length)), list(perhaps)),
      only(against.only.after, "figures only here"),
      only(against.only.before, "figures only there"),
      h(
        "details",
        {},
        h("summary", {}, say("figures unclear")),
        wideTable(
          ["", "figures before", "figures now", "figures difference", "figures verdict"].map(
            (word) => word && say(word),
          ),
          against.rows.map((row) =>
            h(
              "tr",
              { key: row.key },
              h("th", { scope: "row" }, this.title(row.key)),
              h("td", {}, told(row.before, row.shares)),
              h("td", {}, told(row.after, row.shares)),
              h("td", {}, told(row.difference, row.shares)),
              h("td", {}, say(`figures verdict ${row.verdict}`)),
            ),
          ),
        ),
      ),
      h(
        "p",
        { class: "faint" },
        filled("figures compared", { games: number(Math.min(...against.games)) }),
        " ",
        against.paired && say("figures paired"),
      ),
    );
  }

  /** @param {ComparedFigure} given */
  sentence({ key, shares, before, after, difference: estimate }) {
    const difference = required(estimate);
    const [value, low, high] = difference;
    const [near, far] = [low, high].map(Math.abs).sort((one, other) => one - other);
    const places = decimals(difference, shares);
    const tell = (/** @type {number} */ one) => (shares ? figure(one * 100, places) : figure(one, places));
    const much = shares ? filled("figures percent points", { number: tell(Math.abs(value)) }) : tell(Math.abs(value));
    return filled(value > 0 ? "figures higher" : "figures lower", {
      what: this.title(key),
      before: plain(before, shares),
      after: plain(after, shares),
      much,
      low: tell(near),
      high: tell(far),
    });
  }
}
