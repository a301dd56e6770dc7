// The action bar near the thumb: what is asked, and what the reader holds.

import { decision } from "./decision.js";
import { stepper } from "./history.js";
import { leadOf } from "./leads.js";
import { inHand } from "./picking.js";
import { chip, face, heaps } from "./pieces.js";
import { h } from "./preact.js";
import { entry, filled, row, say, times } from "./words.js";
import { ofSeat } from "./zones.js";

/** @import { History } from "./history.js" */
/** @import { Child, Picking, Redraw, Send, State, Table, Tell } from "./types" */

// told: tells a line of the log; above: what happened last; instead: what stands in the question's place while
// something is held; history: what is looked back at; redraw: when the reader wants to see something else.
/**
 * @param {Table} of
 * @param {State} state
 * @param {Picking | null} picking
 * @param {{ told: Tell, above: Child, instead: Child, history: History, send: Send, redraw: Redraw }} given
 */
export function actionBar(of, state, picking, { told, above, instead, history, send, redraw }) {
  if (history.on)
    return h(
      "section",
      { class: "asked back", "aria-label": say("step through") },
      stepper(history, told),
      held(of, state, null, redraw),
    );
  if (state.over) return null;
  const { asked } = state;
  const names = row(state.waiting.map((seat) => of.seats[seat].name));
  const watching = of.you === "seat" ? "" : `${say("watching")} `;
  const waiting = watching + (names ? filled("waiting for", { names }) : say("others decide"));
  return h(
    "section",
    { class: `asked${asked ? " now" : ""}`, "aria-label": say("question") },
    h("div", { class: "unseen", role: "status" }, asked ? entry(say("your turn"), asked.prompt) : waiting),
    above,
    instead ||
      h(
        "div",
        { class: "question", key: `question ${of.seat} ${asked?.question}` },
        asked && picking ? decision(of, asked, picking) : h("h2", { class: "calmly", tabindex: -1 }, waiting),
        !asked &&
          state.sealed.length > 0 &&
          h(
            "span",
            { class: "sealed", role: "group", "aria-label": say("sealed") },
            entry(say("sealed"), ""),
            heaps(state.sealed).map(({ name, count }) => chip(of, name, count)),
          ),
        state.undo &&
          h("button", { class: "plain undo", onclick: () => send({ type: "undo" }) }, `↶ ${say("take back")}`),
        state.held > 0 &&
          h(
            "button",
            { class: "stand", style: { "--held": `${state.held}s` }, onclick: () => send({ type: "stand" }) },
            `${say("go on")} ›`,
          ),
      ),
    picking && preview(of, picking),
    held(of, state, picking, redraw),
  );
}

// In little room, what a first tap has chosen is shown large, and a second one takes it.
/** @param {Table} of @param {Picking} picking */
export function preview(of, picking) {
  const choice = picking.find((found) => found.key === picking.looked);
  return (
    choice &&
    h(
      "div",
      { class: "preview", key: `preview ${choice.key}`, role: "group", "aria-label": choice.label },
      h(
        "button",
        {
          type: "button",
          class: "laid large",
          "aria-label": times(choice.label, choice.count),
          onclick: () => picking.take(choice),
        },
        face(of, choice.piece, choice.count),
      ),
      leadOf(picking.leads.to(choice.key)),
      h(
        "div",
        {},
        h("button", { type: "button", class: "main", onclick: () => picking.take(choice) }, say("tap again")),
        h(
          "button",
          { type: "button", class: "plain", "aria-label": say("close"), onclick: () => picking.look(null) },
          "✕",
        ),
      ),
    )
  );
}

// Where it is not asked for, a hand shows its upper edge only, until somebody wants to see it.
let raised = false;

/** @param {Table} of @param {State} state @param {Picking | null} picking @param {Redraw} redraw */
function held(of, state, picking, redraw) {
  if (of.seat === null) return null;
  const calm = !picking ? true : !picking.asked.choices.some((choice) => inHand(of, choice));
  const raise = () => {
    raised = !raised;
    redraw();
  };
  return h(
    "div",
    { class: `held${calm && !raised ? " calm" : ""}` },
    ofSeat(of, state, picking, of.seat, { held: true }),
    calm &&
      h(
        "button",
        {
          type: "button",
          class: "plain hold",
          "aria-pressed": String(raised),
          "aria-label": say("whole hand"),
          title: say("whole hand"),
          onclick: raise,
        },
        raised ? "⌄" : "⌃",
      ),
  );
}
