// What stands beside the table: what has happened, and what can be done besides playing. Where there is no
// room for it, it is a drawer.

import { log, notation } from "./log.js";
import { at } from "./middle.js";
import { h } from "./preact.js";
import { say } from "./words.js";

/** @import { Regions } from "./arrange.js" */
/** @import { History } from "./history.js" */
/** @import { Child, LogLine, Redraw, State, Table, Tell } from "./types" */

let isOpened = false;
let over = false;

// guide: what explains the question to a beginner; first, more: what stands above and below the log; ending: at the end,
// what stands in place of both, which are parts of it, or as much of it as a
// phone has room for below a board.
/**
 * @param {Table} of
 * @param {State} current
 * @param {Regions} regions
 * @param {{ lines: LogLine[], tell: Tell, history: History, redraw: Redraw, guide: Child, first: Child, more: Child,
 *   ending: ((log: Child, more: Child, brief: boolean) => Child) | null }} given
 */
export function rail(
  of,
  current,
  { rail: place, bar, phone },
  { lines, tell, history, redraw, guide, first, more, ending },
) {
  const open = isOpen(current);
  const rect = phone && open ? null : place; // the whole of what a phone shows a part of
  const look = (/** @type {number} */ step) => {
    isOpened = false; // the table is looked at
    history.show(step);
  };
  const last = lines.findLast((line) => !line.heading);
  const happened = log(
    lines,
    { tell, look, redraw, upto: history.step, phases: of.phases },
    h(
      "div",
      { class: "row" },
      current.steps > 1 &&
        h(
          "button",
          { type: "button", class: "plain", key: "look", onclick: () => look(history.on ? 0 : history.since) },
          `↺ ${say("step through")}`,
        ),
      notation(lines, redraw)?.noteChoices(of, lines, history),
    ),
  );
  return [
    h(
      "aside",
      {
        class: `side${rect ? "" : open ? " drawer open" : " drawer"}${ending ? " result" : ""}`,
        id: "rail",
        // At the end the bar stays in view below it, with who has won and how to play again.
        style: rect ? at(rect) : ending ? { "--above": `${bar.y}px` } : {},
        key: "rail",
      },
      !rect &&
        open &&
        h(
          "button",
          { type: "button", class: "plain closes", "aria-label": say("close"), onclick: () => turn(redraw) },
          "✕",
        ),
      guide && h("div", { class: "guide" }, guide),
      first,
      ending ? ending(happened, more, phone && rect !== null) : [happened, more],
    ),
    !rect && !open && h("div", { class: "unseen", role: "log", key: "last line" }, last?.text),
  ];
}

// Whether the drawer is open: at the end of a game how the table stands is seen first.
/** @param {State} current */
export function isOpen(current) {
  if (current.over !== over) [isOpened, over] = [false, current.over];
  return isOpened;
}

// Opens or closes the drawer.
/** @param {Redraw} redraw */
export function turn(redraw) {
  isOpened = !isOpened;
  redraw();
}

// The button that opens the drawer, in the head of the page; it is seen where there is one.
/** @param {Redraw} redraw */
export function railButton(redraw) {
  return h(
    "button",
    {
      type: "button",
      class: "opens-rail",
      key: "rail",
      "aria-expanded": String(isOpened),
      "aria-controls": "rail",
      "aria-label": say("log"),
      title: say("log"),
      onclick: () => turn(redraw),
    },
    h(
      "svg",
      { viewBox: "0 0 24 24", "aria-hidden": "true" },
      h("path", { d: "M4 12a8 8 0 1 0 3-6.2L4 8M4 3v5h5M12 8v5l3 2" }),
    ),
  );
}
