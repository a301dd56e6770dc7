// What one sentence did: in whose name, what it read, what it moved, counted and told.

import { button } from "./controls.js";
import { avatar } from "./seat_parts.js";
import { h } from "./preact.js";
import { entry, filled, number, say } from "./words.js";

/** @import { PlaceView, SentenceView, StepView } from "./records" */
/** @import { Steps } from "./steps.js" */
/** @import { Bench, Child, Table } from "./types" */

/** @param {Table} of @param {number} seat */
export const avatarOf = (of, seat) => avatar(of, { owners: {} }, seat);

// sentence: the one that was done, or null where a phase began.
/** @param {Steps} pane @param {StepView} step @param {SentenceView | null} sentence */
export function details({ bench, of }, step, sentence) {
  const part = (/** @type {string} */ word, /** @type {Child[]} */ what = []) =>
    what.length > 0 && h("div", { key: word }, h("dt", {}, say(word)), h("dd", {}, what));
  const one = (/** @type {Child} */ text, /** @type {PlaceView | null | undefined} */ place = null) =>
    h("p", { class: "one" }, text, place && [" ", standing(bench, place)]);
  const changed = [step.moves, step.counts, step.shuffled, step.other, step.lines].some((what) => what?.length);
  return h(
    "section",
    { class: "details", key: "details", "aria-live": "polite" },
    sentence &&
      h(
        "h3",
        {},
        sentence.text,
        " ",
        standing(bench, sentence.place),
        sentence.part && h("span", { class: "faint" }, ` · ${sentence.part}`),
      ),
    h(
      "dl",
      {},
      step.seat !== null && part("step acting", [one([avatarOf(of, step.seat), " ", of.seats[step.seat].name])]),
      part(
        "step given",
        step.named_values?.map(({ text, value }) => one(entry(text, value))),
      ),
      part(
        "step read",
        step.read_values?.map(({ text, value, place }) => one(entry(text, value), place)),
      ),
      part(
        "step moved",
        step.moves?.map((move) =>
          one(
            filled(move.start === move.goal ? "moved within" : "moved from", {
              pieces: move.pieces,
              start: move.start_label,
              goal: move.goal_label,
            }),
          ),
        ),
      ),
      part(
        "step counted",
        step.counts?.map((count) => one(filled("from to", { ...count }))),
      ),
      part(
        "step shuffled",
        step.shuffled?.map(({ label }) => one(label)),
      ),
      part(
        "step changed",
        step.other?.map((text) => one(text)),
      ),
      sentence &&
        part(
          "step told",
          step.lines?.map((text) => one(text)),
        ),
    ),
    step.outcome
      ? h("p", { class: "one" }, say(step.outcome === "yes" ? "step yes" : "step no"))
      : sentence && !changed && h("p", { class: "one faint" }, say("step nothing")),
  );
}

// Where something stands: a way there, if its file can be opened here.
/** @param {Bench} bench @param {PlaceView} place */
function standing(bench, { file = "", other_file = "", line, column = 1 }) {
  if (!file) return h("span", { class: "faint" }, `${other_file}:${line}`);
  return button(
    file === bench.file
      ? filled("step line", { line: number(line) })
      : entry(file, filled("step line", { line: number(line) })),
    () => bench.open(file, line, column),
    { class: "plain standing" },
  );
}
