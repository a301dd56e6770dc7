// All lines of play that were tried, as a tree: one can go back to any answer, name it, or delete what hangs below it.

import { button } from "./controls.js";
import { h } from "./preact.js";
import { entry, filled, number, say } from "./words.js";

/** @import { LineNode } from "./answers" */
/** @import { Play } from "./play.js" */
/** @import { VNode } from "./types" */

const SOON = 400; // milliseconds
const LONG = 7; // answers in a row, of which the middle is folded

// An answer in words.
/** @param {LineNode} one */
export function lineOf(one) {
  if (one.title) return one.title;
  if (one.seats)
    return `${one.seats.join(", ")} · ${one.position ? say("play from") : entry(say("play seed"), number(one.seed))}`;
  return entry(one.name, one.taken || say("nothing"));
}

// Scrolls the list alone.
/** @param {Element | null} knot */
function inSight(knot) {
  const list = knot?.closest(".lines-tree > ul");
  if (!knot || !list) return;
  const [inside, around] = [knot.getBoundingClientRect(), list.getBoundingClientRect()];
  if (inside.top < around.top) list.scrollTop += inside.top - around.top;
  else if (inside.bottom > around.bottom) list.scrollTop += inside.bottom - around.bottom;
}

export class LineTree {
  // nodes: all of them; unfolded: the first answers of rows that are shown whole; sure: the node that is to be deleted.
  /** @param {Play} play */
  constructor(play) {
    this.play = play;
    /** @type {LineNode[]} */
    this.nodes = [];
    /** @type {Set<number>} */
    this.unfolded = new Set();
    /** @type {number | null} */
    this.naming = null;
    /** @type {number | null} */
    this.sure = null;
  }

  // Soon: answers of the computer follow each other quickly.
  soon() {
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.load(), SOON);
  }

  async load() {
    clearTimeout(this.waiting);
    const found = await this.play.bench.get("play/lines");
    if (!found) return;
    this.nodes = found.nodes;
    this.play.redraw();
    inSight(document.querySelector(".lines-tree [aria-current=true]"));
  }

  /** @param {number} node @param {string} title */
  async title(node, title) {
    this.naming = null;
    await this.play.bench.post("play/title", { node, title });
    await this.load();
    await this.play.load();
  }

  /** @param {number} node */
  async remove(node) {
    this.sure = null;
    const found = await this.play.bench.post("play/delete", { node });
    if (found) await this.play.take(this.play.bench.get("play", { node: found.at || "", sight: this.play.sight }));
    await this.load();
  }

  draw() {
    /** @type {Map<number, LineNode[]>} */
    const below = new Map();
    for (const one of this.nodes) below.set(one.of, [...(below.get(one.of) ?? []), one]);
    const line = new Set((this.play.found?.line ?? []).map(({ node }) => node));
    const roots = below.get(0) ?? [];
    return h(
      "section",
      { class: "lines-tree panel", key: "tree", "aria-label": say("play lines") },
      h("h3", { class: "unseen" }, say("play lines")),
      h(
        "ul",
        {},
        roots.map((root) => this.branch(root, below, line)),
      ),
      this.tools(below),
    );
  }

  // A row of answers that follow each other, and below it the ways in which it goes on.
  /** @param {LineNode} first @param {Map<number, LineNode[]>} below @param {Set<number>} line @returns {VNode} */
  branch(first, below, line) {
    const row = [first];
    const after = () => below.get(row[row.length - 1].node) ?? [];
    while (after().length === 1) row.push(after()[0]);
    const next = after();
    return h(
      "li",
      { key: first.node, class: line.has(first.node) ? "on" : "" },
      h(
        "div",
        { class: "answers" },
        this.folded(row).map((one) => (Array.isArray(one) ? this.fold(first, one) : this.knot(one))),
      ),
      next.length > 0 &&
        h(
          "ul",
          {},
          next.map((one) => this.branch(one, below, line)),
        ),
    );
  }

  // Of a long row only the ends, and what is marked or looked at.
  /** @param {LineNode[]} row */
  folded(row) {
    if (row.length <= LONG || this.unfolded.has(row[0].node)) return row;
    /** @type {(LineNode | LineNode[])[]} */
    const found = [];
    for (const [n, one] of row.entries()) {
      const shown = n < 2 || n > row.length - 4 || one.title || one.case || one.state || one.node === this.play.node;
      const last = found.at(-1);
      if (shown) found.push(one);
      else if (Array.isArray(last)) last.push(one);
      else found.push([one]);
    }
    return found;
  }

  /** @param {LineNode} first @param {LineNode[]} hidden */
  fold(first, hidden) {
    const unfold = () => {
      this.unfolded.add(first.node);
      this.play.redraw();
    };
    return button(`… ${number(hidden.length)}`, unfold, {
      class: "fold",
      key: `fold ${hidden[0].node}`,
      title: filled("play more", { count: number(hidden.length) }),
      "aria-label": filled("play more", { count: number(hidden.length) }),
    });
  }

  /** @param {LineNode} one */
  knot(one) {
    const here = one.node === this.play.node;
    /** @type {Record<string, string>} */
    const marks = { parted: "≠", stopped: "✕", kept: "⏸" };
    const mark = marks[one.state ?? ""];
    /** @type {Record<string, string>} */
    const words = { parted: say("play parted"), stopped: say("play stopped"), kept: say("play kept") };
    const told = words[one.state ?? ""];
    return h(
      "button",
      {
        type: "button",
        key: one.node,
        class: `knot ${one.state ?? ""}${(one.seat ?? -1) >= 0 ? ` seat-${one.seat}` : " root"}${one.title ? " titled" : ""}`,
        "aria-current": here ? "true" : null,
        onclick: () => this.play.go(one.node),
      },
      mark && h("span", { class: "sign", role: "img", "aria-label": told, title: told }, mark),
      lineOf(one),
      one.case &&
        h(
          "span",
          {
            class: "sign case",
            role: "img",
            "aria-label": filled("play case is", { name: one.case }),
            title: filled("play case is", { name: one.case }),
          },
          "✓",
        ),
    );
  }

  // What can be done with the place that is looked at.
  /** @param {Map<number, LineNode[]>} below */
  tools(below) {
    const one = this.nodes.find(({ node }) => node === this.play.node);
    if (!one) return null;
    /** @type {(node: number) => number} */
    const count = (node) => (below.get(node) ?? []).reduce((sum, each) => sum + count(each.node), 1);
    if (this.sure === one.node)
      return h(
        "div",
        { class: "row tools", role: "alert", key: "sure" },
        h("span", {}, filled("play delete sure", { count: number(count(one.node)) })),
        button(say("play delete"), () => this.remove(one.node), { class: "main" }),
        button(say("close"), () => {
          this.sure = null;
          this.play.redraw();
        }),
      );
    return h(
      "div",
      { class: "row tools", key: "tools" },
      h(
        "label",
        { class: "row" },
        h("span", {}, say("play name")),
        h("input", {
          key: `title ${one.node}`,
          value: one.title ?? "",
          maxlength: 80,
          onchange: (event) => this.title(one.node, event.target.value),
        }),
      ),
      button(
        say("play delete"),
        () => {
          this.sure = one.node;
          this.play.redraw();
        },
        { class: "plain" },
      ),
    );
  }
}
