// A piece that is taken from one place and put at another: dragged, tapped, or by keyboard.

import { button } from "./controls.js";
import { notice } from "./dom.js";
import { h } from "./preact.js";
import { filled, say } from "./words.js";

/** @import { SetUp } from "./setup.js" */
/** @import { FingerEvent, Held, KeyEvent, Table, TapEvent } from "./types" */

const FAR = 6; // px, from where on it is no tap

export class Carrying {
  // position: what is set up; it says what can be put where, and puts it there.
  /** @param {SetUp} position */
  constructor(position) {
    this.position = position;
    /** @type {Held | null} */
    this.held = null;
    this.dragged = false;
    /** @type {HTMLElement | null} */
    this.ghost = null;
    /** @type {Element | null} */
    this.under = null;
  }

  handlers() {
    return {
      onclick: (/** @type {TapEvent} */ event) => this.tap(event),
      onkeydown: (/** @type {KeyEvent} */ event) => this.key(event),
      onpointerdown: (/** @type {FingerEvent} */ event) => this.press(event),
    };
  }

  letGo() {
    this.held = null;
    this.ghost?.remove();
    this.ghost = null;
  }

  /** @param {HTMLElement} piece */
  take(piece) {
    const { piece: name = "", at: key = "", index } = piece.dataset;
    this.held = { name, key, index: index === undefined ? null : Number(index) };
  }

  // ── what is done ──

  /** @param {TapEvent} event */
  tap(event) {
    if (this.dragged) {
      this.dragged = false;
      return;
    }
    const piece = event.target.closest("[data-piece]");
    const zone = event.target.closest("[data-zone]");
    if (!this.held) {
      if (piece) this.take(piece);
      this.position.redraw();
      if (piece?.matches(".man")) zone?.focus({ preventScroll: true }); // it lies within what it can be put on
      return;
    }
    this.drop(zone, piece);
  }

  // zone, piece: where it is put, and before which piece.
  /** @param {HTMLElement | null} zone @param {HTMLElement | null} piece */
  async drop(zone, piece) {
    const { held } = this;
    if (!held) return;
    const key = zone && this.position.home(zone.dataset.zone ?? "", held);
    const same =
      piece &&
      piece.dataset.at === held.key &&
      piece.dataset.piece === held.name &&
      (piece.dataset.index ?? "") === String(held.index ?? "");
    this.letGo();
    if (!key || same || (key === held.key && held.index === null)) {
      if (zone && !key) notice(filled("no room", { piece: this.position.of.pieces[held.name].label }));
      this.position.redraw();
      return;
    }
    const before =
      piece && piece.dataset.at === key && piece.dataset.index !== undefined ? Number(piece.dataset.index) : null;
    await this.position.put(held, key, before);
    this.focus(key, held.name, before);
  }

  /** @param {string} key @param {string} name @param {number | null} before */
  focus(key, name, before) {
    const there = [
      ...document.querySelectorAll(`.setup [data-at="${CSS.escape(key)}"][data-piece="${CSS.escape(name)}"]`),
    ];
    (there.find((one) => Number(one.dataset.index) === before) ?? there.at(-1))?.focus({ preventScroll: true });
  }

  /** @param {KeyEvent} event */
  key(event) {
    if (event.key === "Escape" && this.held) {
      event.preventDefault();
      const { key, name, index } = this.held;
      this.letGo();
      this.position.redraw();
      this.focus(key, name, index);
    } else if (event.key === "Enter" || event.key === " ") {
      // those tap by themselves
      if (event.target.nodeName === "BUTTON" || !event.target.closest("[data-piece], [data-zone]")) return;
      event.preventDefault();
      this.tap(/** @type {any} */ (event));
    } else if (this.held && event.key.startsWith("Arrow")) this.step(event);
  }

  // Arrows go from one place where it can be put to the nearest one that way.
  /** @param {KeyEvent} event */
  step(event) {
    /** @type {Record<string, [number, number]>} */
    const ways = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };
    const middle = (/** @type {HTMLElement} */ one) => {
      const box = one.getBoundingClientRect();
      return [box.x + box.width / 2, box.y + box.height / 2];
    };
    const [x, y] = middle(event.target);
    const way = ways[event.key];
    const near = [...event.currentTarget.querySelectorAll(".put, .space.open")]
      .filter((one) => one !== event.target)
      .map((one) => {
        const [dx, dy] = [middle(one)[0] - x, middle(one)[1] - y];
        const [ahead, aside] = way[0] ? [dx * way[0], Math.abs(dy)] : [dy * way[1], Math.abs(dx)];
        return { one, ahead, far: ahead + 2 * aside };
      })
      .filter(({ ahead }) => ahead > 1)
      .sort((a, b) => a.far - b.far);
    event.preventDefault();
    near[0]?.one.focus();
  }

  // ── dragging ──

  /** @param {FingerEvent} event */
  press(event) {
    const piece = event.target.closest("[data-piece]");
    if (!piece || event.button !== 0) return;
    const begin = { x: event.clientX, y: event.clientY };
    this.dragged = false;
    const move = (/** @type {PointerEvent} */ now) => {
      if (!this.ghost && Math.hypot(now.clientX - begin.x, now.clientY - begin.y) < FAR) return;
      if (!this.ghost) this.lift(piece);
      if (this.ghost) this.ghost.style.translate = `${now.clientX}px ${now.clientY}px`;
      this.under = document.elementFromPoint(now.clientX, now.clientY);
      for (const one of document.querySelectorAll(".setup .over")) one.classList.remove("over");
      const zone = this.under?.closest(".setup [data-zone]");
      if (zone && this.held && this.position.home(zone.dataset.zone ?? "", this.held)) zone.classList.add("over");
    };
    const end = (/** @type {PointerEvent} */ now) => {
      removeEventListener("pointermove", move);
      for (const name of /** @type {const} */ (["pointerup", "pointercancel"])) removeEventListener(name, end);
      if (!this.ghost) return;
      for (const one of document.querySelectorAll(".setup .over")) one.classList.remove("over");
      this.dragged = now.type === "pointerup";
      setTimeout(() => {
        this.dragged = false;
      });
      const { under } = this;
      if (now.type === "pointerup")
        this.drop(under?.closest(".setup [data-zone]") ?? null, under?.closest(".setup [data-piece]") ?? null);
      else {
        this.letGo();
        this.position.redraw();
      }
    };
    addEventListener("pointermove", move);
    for (const name of /** @type {const} */ (["pointerup", "pointercancel"])) addEventListener(name, end);
  }

  /** @param {HTMLElement} piece */
  lift(piece) {
    this.take(piece);
    this.ghost = document.createElement("div");
    this.ghost.className = "ghost";
    this.ghost.setAttribute("aria-hidden", "true");
    const { width, height } = piece.getBoundingClientRect();
    const copy = piece.cloneNode(true);
    for (const [name, value] of Object.entries({ width, height })) copy.style.setProperty(name, `${value}px`);
    this.ghost.append(copy);
    document.body.append(this.ghost);
  }

  // ── what is drawn ──

  // What somebody holds, and what it shows.
  /** @param {Table} of */
  bar(of) {
    const { held } = this;
    if (!held || this.ghost) return null;
    const faces = this.position.form.pieces.faces[held.name] ?? [];
    return h(
      "div",
      { class: "carried row", role: "status", key: "carried" },
      h("span", {}, filled("carrying", { piece: of.pieces[held.name].label })),
      faces.length > 1 &&
        h(
          "label",
          { class: "row" },
          h("span", {}, say("it shows")),
          h(
            "select",
            {
              value: held.name,
              onchange: (event) => {
                this.letGo();
                this.position.turn(held, event.target.value);
              },
            },
            faces.map((/** @type {string} */ name) => h("option", { value: name, key: name }, of.pieces[name].label)),
          ),
        ),
      button(say("let go"), () => {
        this.letGo();
        this.position.redraw();
      }),
    );
  }

  // Where something can be put, behind all that lies there.
  /** @param {string} key @param {string} label */
  target(key, label) {
    if (!this.held || this.ghost || this.position.home(key, this.held) !== key) return null;
    return h(
      "button",
      { type: "button", class: "put", key: "put", "aria-label": `${say("put here")}: ${label}` },
      say("put here"),
    );
  }

  /** @param {string} name @param {string} key @param {number | null} [index] */
  isHeld(name, key, index = null) {
    const { held } = this;
    return held !== null && key === held.key && name === held.name && index === held.index;
  }

  // What lies on boards can be taken as well, and put on their spaces: what boards show besides, of a piece and of a
  // space.
  get touch() {
    const { held, position } = this;
    const label = (/** @type {string} */ name) => filled("take piece", { piece: position.of.pieces[name].label });
    return {
      piece: (/** @type {string} */ name, /** @type {string} */ key) =>
        held
          ? { held: this.isHeld(name, key) }
          : { "aria-hidden": undefined, role: "button", tabindex: 0, "aria-label": label(name) },
      // A group while what lies on it can be taken, a picture while something is carried that finds no room there.
      space: (/** @type {string} */ key, /** @type {string} */ title) =>
        held && position.home(key, held)
          ? { open: true, role: "button", tabindex: 0, "aria-label": `${say("put here")}: ${title}` }
          : { open: false, role: held ? "img" : "group" },
    };
  }
}
