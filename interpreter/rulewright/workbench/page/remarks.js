// Looking at a line of play that a designer shows, moment by moment, and saying something of one.

import { button, signButton } from "./controls.js";
import { enlarge } from "./enlarged.js";
import { about, line as read, now } from "./document.js";
import { fill, notice, required } from "./dom.js";
import { languageChoice } from "./language.js";
import { at } from "./middle.js";
import { keepName, ownName } from "./own_name.js";
import { fetched } from "./pictures.js";
import { h } from "./preact.js";
import "./roving.js";
import { settle, stage } from "./stage.js";
import { filled, language, load, number, say } from "./words.js";

/** @import { Regions } from "./arrange.js" */
/** @import { MomentView } from "./records" */
/** @import { FormEvent, LogLine, Table } from "./types" */

const main = /** @type {HTMLElement} */ (document.getElementById("main"));
const head = /** @type {HTMLElement} */ (document.getElementById("head"));

// here: the moment that is shown; step: its number; of: what the table is made of; sent: what was said here; text: what
// is being typed.
/** @typedef {{ step: number, text: string }} Remark */
/** @type {{ here: MomentView | null, step: number, of: Table, sent: Remark[], text: string, lost: string }} */
const view = { here: null, step: 0, of: /** @type {any} */ (null), sent: [], text: "", lost: "" };

/** @param {string} path @param {Record<string, unknown>} body */
async function ask(path, body) {
  const answer = await fetch(`/remarks/${path}?${new URLSearchParams({ language: language() })}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ token: location.hash.slice(1), step: view.step, ...body }),
  }).catch(() => null);
  const found = await answer?.json().catch(() => null);
  notice(answer?.ok ? "" : (found?.text ?? say("remark gone")));
  return answer?.ok ? found : null;
}

/** @param {number} step */
async function go(step) {
  view.step = Math.max(0, view.here ? Math.min(step, view.here.steps - 1) : step);
  const wanted = view.step;
  const found = await ask("look", {});
  if (view.step !== wanted) return;
  if (!found && !view.here) view.lost = say("remark gone");
  if (found) {
    view.here = found;
    view.of = about(found.table);
    fetched(view.of.edition, draw);
  }
  draw();
}

/** @param {FormEvent} event */
async function send(event) {
  event.preventDefault();
  const name = event.target.querySelector("input")?.value.trim() ?? "";
  const text = event.target.querySelector("textarea")?.value.trim() ?? "";
  if (!text) return;
  if (name) keepName(name);
  if (!(await ask("say", { name, text }))) return;
  view.sent.push({ step: view.step, text });
  view.text = "";
  draw();
  notice(say("remark sent"));
}

function draw() {
  if (!view.here) {
    fill(
      head,
      h("h1", {}, "Rulewright"),
      languageChoice(() => go(view.step)),
    );
    fill(main, view.lost && h("p", { class: "panel" }, view.lost));
    return;
  }
  const { here, of } = view;
  document.title = `${here.title || of.title} · Rulewright`;
  fill(
    head,
    h("h1", {}, of.title),
    here.title && h("p", { class: "phase" }, here.title),
    languageChoice(() => go(view.step)),
  );
  const state = now(here.past.state, of);
  const lines = (here.past.lines ?? []).map(read);
  const table = stage(of, state, null, { bar: (regions) => moment(lines, regions), redraw: draw });
  fill(main, h("div", { class: "watching" }, table, remark()));
  settle();
  enlarge(draw)();
}

/** @param {LogLine[]} lines @param {Regions} regions */
function moment(lines, regions) {
  const { steps, everything } = required(view.here);
  const last = steps - 1;
  const way = (/** @type {string} */ sign, /** @type {string} */ word, /** @type {number} */ step) =>
    signButton(sign, word, () => go(step), { disabled: step < 0 || step > last || step === view.step });
  return h(
    "section",
    { class: "asked moment", "aria-labelledby": "moment", style: at(regions.bar) },
    h(
      "div",
      { class: "stepper" },
      h(
        "div",
        { class: "told" },
        h("h2", { id: "moment" }, filled("remark moment", { number: number(view.step + 1), last: number(last + 1) })),
        h(
          "div",
          { class: "lines", "aria-live": "polite" },
          lines.map((line, n) => h(line.heading ? "h3" : "p", { key: n }, line.text)),
        ),
        everything && h("p", { class: "faint" }, say("remark everything")),
      ),
      h(
        "div",
        { class: "row ways" },
        way("|◀", "remark start", 0),
        way("◀", "remark earlier", view.step - 1),
        way("▶", "remark later", view.step + 1),
        way("▶|", "remark end", last),
      ),
    ),
  );
}

function remark() {
  return h(
    "section",
    { class: "panel remark" },
    h("p", {}, say("remark told")),
    h(
      "form",
      { onsubmit: send },
      h(
        "label",
        {},
        h("span", {}, say("remark text")),
        h("textarea", {
          required: true,
          maxlength: 1000,
          key: "text",
          value: view.text,
          oninput: (event) => {
            view.text = event.target.value;
          },
        }),
      ),
      h(
        "label",
        {},
        h("span", {}, say("remark your name")),
        h("input", { maxlength: 40, autocomplete: "nickname", key: "name", value: ownName() }),
      ),
      h("button", { type: "submit", class: "main" }, say("remark send")),
    ),
    view.sent.length > 0 && h("h2", {}, say("remark yours")),
    h(
      "ol",
      { class: "remark-list" },
      view.sent.map(({ step, text }, n) =>
        h(
          "li",
          { key: n },
          button(filled("remark moment", { number: number(step + 1), last: number(required(view.here).steps) }), () =>
            go(step),
          ),
          h("p", { class: "said" }, text),
        ),
      ),
    ),
  );
}

await load();
addEventListener("keydown", (event) => {
  const by = event.key === "ArrowLeft" ? -1 : event.key === "ArrowRight" ? 1 : 0;
  if (by && event.target instanceof Element && !event.target.closest("input, textarea, select") && view.here)
    go(view.step + by);
});
addEventListener("hashchange", () => {
  Object.assign(view, { here: null, sent: [], lost: "" });
  go(0);
});
await go(0);
