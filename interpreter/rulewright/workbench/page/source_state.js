// The line below the source: its mistakes, whether it is saved, and what somebody has to decide about it.

import { button } from "./controls.js";
import { fill } from "./dom.js";
import { h } from "./preact.js";
import { filled, number, say } from "./words.js";

/** @import { Action } from "./comparing.js" */
/** @import { Copy } from "./kept_text.js" */

// found: how many mistakes and doubts there are, which nobody knows until the server has read the file; conflict:
// whether another program has changed the file, or deleted it; lost: no workbench is there; unkept: nor has the browser
// room for what is typed; fixed: the file can only be read; copies: what was typed in windows that have been closed.
/** @typedef {{ wrong: number, doubtful: number }} Found */
/**
 * @typedef {{
 *   source: string, found: Found | undefined, conflict: boolean | "gone" | undefined, lost: boolean, unkept: boolean,
 *   fixed: boolean, saved: boolean, copies: Copy[]
 * }} State
 */
/**
 * @typedef {{
 *   listMistakes: () => void, settle: (mine: boolean) => void, compareConflict: () => void,
 *   retype: (copy: Copy) => void, forget: (copy: Copy) => void, compareCopy: (copy: Copy, choices: Action[]) => void
 * }} Acts
 */

/** @param {HTMLElement} place @param {State} state @param {Acts} acts */
export function drawState(place, state, acts) {
  const { source, found, conflict, lost, unkept, fixed, saved, copies } = state;
  fill(
    place,
    lost && h("strong", { class: "wrong", role: "alert" }, say(unkept ? "bench gone unkept" : "bench gone")),
    conflict && drawConflict(conflict === "gone", acts),
    copies.slice(0, 1).map((copy) => drawCopy(copy, acts)),
    source && !fixed && found && drawFound(found, acts.listMistakes),
    source && fixed && h("span", { class: "faint" }, say("read only")),
    source && !fixed && h("span", { class: "faint" }, say(conflict ? "unsaved" : saved && !lost ? "saved" : "saving")),
    source && [
      h("button", { type: "button", class: "plain keys", key: "keys", popovertarget: "keys" }, say("keys")),
      h(
        "div",
        { id: "keys", class: "panel", popover: true, key: "told keys" },
        KEYS.map(([keys, word]) => [h("kbd", { key: keys }, keys), h("span", { key: word }, say(`key ${word}`))]),
      ),
    ],
  );
}

const KEYS = [
  ["Ctrl-Space", "complete"],
  ["F2", "rename"],
  ["F8", "mistake"],
  ["F12", "declared"],
  ["Shift-F12", "used"],
  ["Ctrl-F", "find"],
  ["Ctrl-Z, Ctrl-Y", "undo"],
  ["Ctrl-/", "comment"],
  ["Shift-Alt-F", "format"],
  ["Esc, Tab", "leave"],
];

// How many mistakes there are, and what is only doubtful, such as a zone that nothing uses.
/** @param {Found} given @param {() => void} listMistakes */
function drawFound({ wrong, doubtful }, listMistakes) {
  const list = (/** @type {string} */ kind, /** @type {string} */ word, /** @type {number} */ count) =>
    button(filled(word, { count: number(count) }), listMistakes, { class: kind, key: kind });
  return [
    wrong ? list("wrong", "mistakes", wrong) : h("span", { class: "right", key: "right" }, say("sound rules")),
    doubtful > 0 && list("doubtful", "doubts", doubtful),
  ];
}

// Another program has changed the file, or deleted it.
/** @param {boolean} gone @param {Acts} acts */
function drawConflict(gone, { settle, compareConflict }) {
  return h(
    "div",
    { class: "conflict", role: "alert", key: "conflict" },
    h("strong", {}, say(gone ? "gone on disk" : "changed on disk")),
    button(say(gone ? "write again" : "keep mine"), () => settle(true), { class: "main" }),
    !gone && button(say("take theirs"), () => settle(false)),
    !gone && button(say("compare"), compareConflict),
    h("span", { class: "faint" }, say(gone ? "gone told" : "both kept")),
  );
}

// What was typed while no workbench was there, and whose window has been closed since.
/** @param {Copy} copy @param {Acts} acts */
function drawCopy(copy, { retype, forget, compareCopy }) {
  /** @type {Action[]} */
  const choices = [
    { name: say("copy back"), main: true, act: () => retype(copy) },
    { name: say("copy drop"), act: () => forget(copy) },
  ];
  return h(
    "div",
    { class: "conflict", role: "alert", key: copy.name },
    h("strong", {}, say("copy there")),
    choices.map(({ name, main, act }) => button(name, act, { class: main ? "main" : "" })),
    button(say("compare"), () => compareCopy(copy, choices)),
  );
}
