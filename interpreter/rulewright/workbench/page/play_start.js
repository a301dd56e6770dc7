// The menu of the pane 'Play' with which another game begins.

import { button, checkbox } from "./controls.js";
import { required } from "./dom.js";
import { optionForm } from "./form.js";
import { h } from "./preact.js";
import { entry, filled, number, say } from "./words.js";

/** @import { Play } from "./play.js" */
/** @import { FoldEvent, FormEvent } from "./types" */

const MOST_SEED = 9999;

/** @param {Play} play */
export function startMenu(play) {
  const { known: found, form } = play;
  const opened = async (/** @type {FoldEvent} */ event) => {
    if (!event.target.open || play.form) return;
    play.form = await play.bench.get("play/form");
    play.wanted = { people: found.people, seed: found.seed, roles: found.roles, options: { ...found.options } };
    play.redraw();
  };
  return h(
    "details",
    { class: "drop menu", key: "new", ontoggle: opened },
    h(
      "summary",
      {},
      say("play new"),
      found.line[0].seats &&
        h(
          "span",
          { class: "faint" },
          ` · ${found.position ? say("play from") : entry(say("play seed"), number(found.seed))}`,
        ),
    ),
    form &&
      play.wanted &&
      h(
        "form",
        { class: "panel", onsubmit: (event) => begin(play, event) },
        h(
          "div",
          { class: "row" },
          form.people[0] < form.people[1] &&
            h(
              "label",
              {},
              h("span", {}, say("play players")),
              h(
                "select",
                {
                  value: String(play.wishes.people),
                  onchange: (event) => {
                    play.wishes.people = Number(event.target.value);
                    play.redraw();
                  },
                },
                Array.from({ length: form.people[1] - form.people[0] + 1 }, (_, n) =>
                  h("option", { value: String(form.people[0] + n) }, number(form.people[0] + n)),
                ),
              ),
            ),
          h(
            "label",
            {},
            h("span", {}, say("play seed")),
            h("input", {
              type: "number",
              min: 0,
              max: 2 ** 53 - 1,
              required: true,
              value: String(play.wishes.seed),
              oninput: (event) => {
                play.wishes.seed = event.target.valueAsNumber;
              },
            }),
          ),
          button(say("play other seed"), () => {
            play.wishes.seed = 1 + Math.floor(Math.random() * MOST_SEED);
            play.redraw();
          }),
        ),
        form.roles
          .filter(({ joins }) => joins[play.wishes.people] === false)
          .map(({ name, label }) =>
            checkbox(
              filled("play joins", { name: label }),
              play.wishes.roles.includes(name),
              (checked) => {
                const others = play.wishes.roles.filter((one) => one !== name);
                play.wishes.roles = checked ? [...others, name] : others;
              },
              { class: "row", key: `joins ${name}` },
            ),
          ),
        optionForm(form, play.wishes.options, play.redraw),
        h("button", { type: "submit", class: "main" }, say("play start")),
      ),
  );
}

/** @param {Play} play @param {FormEvent} event */
async function begin(play, event) {
  event.preventDefault();
  event.target.closest("details")?.removeAttribute("open");
  const usual = new Map(required(play.form).options.map(({ name, usual: choice }) => [name, choice]));
  const options = Object.fromEntries(
    Object.entries(play.wishes.options).filter(([name, choice]) => usual.has(name) && usual.get(name) !== choice),
  );
  await play.take(play.bench.post("play/begin", { ...play.wanted, options, sight: play.sight }));
}
