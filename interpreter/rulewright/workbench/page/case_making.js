// A case made of the line of play that is looked at: its name is proposed, and can be changed.

import { button } from "./controls.js";
import { h } from "./preact.js";
import { filled, say } from "./words.js";

/** @import { Play } from "./play.js" */
/** @import { FormEvent } from "./types" */

/** @param {Play} play */
export async function propose(play) {
  const found = await play.bench.get("cases/name", { node: play.node });
  if (!found) return;
  Object.assign(play, { making: found.name, made: null });
  play.redraw();
  /** @type {HTMLInputElement | null} */ (document.querySelector(".naming input"))?.select();
}

/** @param {Play} play @param {FormEvent} event */
async function make(play, event) {
  event.preventDefault();
  const found = await play.bench.post("cases/make", { node: play.node, name: play.making });
  if (!found) return;
  Object.assign(play, { making: null, made: { file: found.file, name: play.making } });
  if (play.open) play.tree.load();
  play.redraw();
}

/** @param {Play} play */
export function naming(play) {
  if (play.made)
    return h(
      "p",
      { class: "case-made", role: "status", key: "made" },
      filled("play case made", { file: play.made.file }),
      " ",
      button(`${say("cases")} ›`, () => play.bench.show("cases", play.made ?? {}), { class: "plain" }),
    );
  if (play.making === null) return null;
  return h(
    "form",
    { class: "panel naming row", key: "naming", onsubmit: (event) => make(play, event) },
    h(
      "label",
      {},
      h("span", {}, say("play case name")),
      h("input", {
        value: play.making,
        maxlength: 80,
        required: true,
        oninput: (event) => {
          play.making = event.target.value;
        },
      }),
    ),
    h("button", { type: "submit", class: "main" }, say("play make case")),
    button(
      say("close"),
      () => {
        play.making = null;
        play.redraw();
      },
      { class: "plain" },
    ),
  );
}
