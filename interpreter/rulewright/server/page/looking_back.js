// Looking back at a game: the way through its steps, and how much has happened since the last look.

import { shown, title } from "./log.js";
import { h } from "./preact.js";
import { entry, filled, number, say } from "./words.js";

/** @import { History } from "./history.js" */
/** @import { Tell } from "./types" */

// The way through the steps, in the place of the question. tell: a line as elements.
/** @param {History} history @param {Tell} tell */
export function stepper(history, tell) {
  const { at: step, last } = history;
  /** @param {string} sign @param {string} name @param {number} to @param {boolean} disabled */
  const button = (sign, name, to, disabled) =>
    h(
      "button",
      { type: "button", key: name, "aria-label": name, title: name, disabled, onclick: () => history.show(to) },
      sign,
    );
  const lines = history.state?.lines ?? [];
  return h(
    "div",
    { class: "stepper" },
    h(
      "div",
      { class: "told", "aria-live": "polite" },
      h("h2", { tabindex: -1 }, filled("step", { step: number(step + 1), last: number(last + 1) })),
      history.note?.(step),
      shown(lines).map((line) =>
        line.heading ? h("h3", { class: "heading line" }, title(line, tell)) : h("p", { class: "line" }, tell(line)),
      ),
    ),
    h(
      "div",
      { class: "row ways" },
      button("|◀", say("first step"), 0, step === 0),
      button("◀", say("earlier"), step - 1, step === 0),
      h(
        "button",
        {
          type: "button",
          key: "play",
          "aria-pressed": String(history.playing !== null),
          "aria-label": say("play"),
          title: say("play"),
          onclick: () => {
            if (history.playing) {
              history.pause();
              history.redraw();
            } else history.play();
          },
        },
        history.playing ? "❚❚" : "▶▶",
      ),
      button("▶", say("later"), step + 1, step === last),
      button("▶|", say("last step"), last, step === last),
      h("button", { type: "button", class: "main", onclick: () => history.leave() }, say("now")),
    ),
  );
}

// Back after a while: how much there is to see.
/** @param {History} history @param {number} from */
export function away(history, from) {
  const many = history.last - from;
  return (
    many > 0 &&
    h(
      "p",
      { class: "away row", role: "status" },
      h("span", {}, entry(say("since last look"), many)),
      h("button", { type: "button", class: "main", onclick: () => history.to(from + 1) }, say("step through")),
      h(
        "button",
        {
          type: "button",
          class: "plain",
          onclick: () => {
            history.look();
            history.side.from = null;
            history.redraw();
          },
        },
        say("dismiss"),
      ),
    )
  );
}
