// The bar between the middle and the hand: what is asked and what can be answered there, or who is waited for.

import { becoming } from "./becoming.js";
import { decision, isPad, isSet } from "./decision.js";
import { coming } from "./dom.js";
import { helpPlace } from "./help_place.js";
import { at } from "./middle.js";
import { isInPlace, regionOf } from "./place.js";
import { chip, heaps } from "./pieces.js";
import { h } from "./preact.js";
import { entry, filled, row, say } from "./words.js";

/** @import { Regions } from "./arrange.js" */
/** @import { History } from "./history.js" */
/** @import { Child, Choice, Picking, Question, Send, State, Table, Tell } from "./types" */

const looking = coming(() => import("./looking_back.js"));
const lazyPreview = coming(() => import("./preview.js"));

// told: tells a line of the log; above: what happened last; instead: what stands in the question's place while
// something is held; ending: at the end of the game; history: what is looked back at, if anything can be;
// said: what a reader of the screen hears instead of who is waited for.
/**
 * @param {Table} of
 * @param {State} state
 * @param {Picking | null} picking
 * @param {Regions} regions
 * @param {{ told: Tell, above: Child, instead: Child, ending: Child, history: History | null,
 *   said?: string, send: Send }} given
 */
export function bar(of, state, picking, regions, { told, above, instead, ending, history, said, send }) {
  if (history?.on)
    return h(
      "section",
      { class: "asked back", "aria-label": say("step through"), style: at(regions.bar) },
      looking(history.redraw)?.stepper(history, told),
    );
  const { asked } = state;
  const waiting = waitingFor(of, state);
  const isOver = of.boards.some((board) => board.drawn && becoming(of, state, board, picking));
  const inPlace = (/** @type {Choice} */ choice) =>
    isOver ||
    isInPlace(of, state, choice, regions.mode !== "ring") ||
    (regions.pad && of.pad?.words === choice.words) === true;
  const crowd = asked && !picking?.several && !regions.narrow ? crowding(of, asked, inPlace, regions, state.undo) : "";
  return h(
    "section",
    {
      class: `asked${asked ? " now" : ""}${crowd}`,
      "aria-label": say("question"),
      "aria-busy": picking?.waits ? "true" : null,
      style: { ...at(regions.bar), ...helpPlace(regions) },
    },
    h("div", { class: "unseen", role: "status" }, said ?? (asked ? entry(say("your turn"), asked.prompt) : waiting)),
    above,
    instead ||
      ending ||
      h(
        "div",
        { class: "question", key: `question ${of.seat} ${asked?.question}` },
        asked && picking
          ? decision(of, state, asked, picking, inPlace)
          : h("h2", { class: "calmly", tabindex: -1 }, waiting),
        !asked &&
          state.sealed.length > 0 &&
          !isLaid(of, state, regions) &&
          h(
            "span",
            { class: "sealed", role: "group", "aria-label": say("sealed") },
            entry(say("sealed"), ""),
            heaps(state.sealed).map(({ name, count }) => chip(of, name, count)),
          ),
        state.undo &&
          h(
            "button",
            { class: "plain undo", onclick: () => send({ type: "undo" }), title: say("take back") },
            "↶ ",
            h("span", { class: "words" }, say("take back")),
          ),
        state.held > 0 &&
          h(
            "button",
            { class: "stand", style: { "--held": `${state.held}s` }, onclick: () => send({ type: "stand" }) },
            `${say("go on")} ›`,
          ),
      ),
    picking?.waits && h("p", { class: "sending-word", "aria-hidden": "true" }, say("sending")),
    picking?.chosen && regions.phone && lazyPreview(picking.redraw)?.preview(of, picking, regions, inPlace),
  );
}

// What one who is not asked reads.
/** @param {Table} of @param {State} state */
export function waitingFor(of, state) {
  if (state.over) return state.result;
  const all = awaited(of, state);
  if (all.length && all.every((seat) => seat === of.seat)) return say("your turn"); // what led there is still told
  const names = row(all.filter((seat) => seat !== of.seat).map((seat) => of.seats[seat].name));
  const watching = of.you === "seat" ? "" : `${say("watching")} `;
  return watching + (names ? filled("waiting for", { names }) : say("others decide"));
}

// Whether what the reader has chosen under seal is seen where it will go.
/** @param {Table} of @param {State} state @param {Regions} regions */
const isLaid = (of, { laid }, { cloth }) => cloth !== null && laid !== "" && regionOf(of, laid) === "offer";

// Whom one waits for; of two players it is the other one, also while what has happened is being shown.
/** @param {Table} of @param {State} state */
const awaited = ({ seat, seats }, { waiting }) =>
  !waiting.length && seat !== null && seats.length === 2 ? [1 - seat] : waiting;

const LETTER = 9; // px
const BUTTON = 44;
const PAD = 52; // of a number, with the gap beside it
const UNDO = 124;
const CLOSE = { letter: 8, button: 30, pad: 42, edge: 34 }; // px, where they lie below the question

// A class for answers that lie nowhere else and need more room than the bar has beside the question. They lie below it,
// in a row; where that is too little, too, in two rows beside the question.
/** @param {Table} of @param {Question} asked @param {(choice: Choice) => boolean} inPlace @param {Regions} regions @param {boolean} undo */
function crowding(of, asked, inPlace, { bar, phone, letters, scale }, undo) {
  const w = bar.w / (phone ? letters : letters * Math.min(1.5, Math.max(1, scale))) - (undo && !phone ? UNDO : 0);
  const listed = asked.choices.filter((choice) => !inPlace(choice));
  if (isSet(asked) || listed.length < 2) return "";
  const pad = isPad(of, asked);
  const wide = (/** @type {{ letter: number, button: number, pad: number }} */ size) =>
    listed.reduce(
      (sum, { label, piece }) => sum + (pad ? size.pad : piece ? 60 : label.length * size.letter + size.button),
      asked.none ? asked.none.length * size.letter + size.button : 0,
    );
  const question = phone ? 0 : Math.min(0.5 * w, asked.prompt.length * LETTER + 120);
  if (wide({ letter: LETTER, button: BUTTON, pad: PAD }) <= w - question) return "";
  const row = wide(CLOSE) + CLOSE.edge;
  return phone || row <= w ? " crowded" : " crowded twice";
}
