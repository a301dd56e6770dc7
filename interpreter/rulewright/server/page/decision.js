// What somebody is asked, and what they can take.

import { el } from "./dom.js";
import { inHand, onBoard } from "./picking.js";
import { face } from "./pieces.js";
import { laid } from "./zones.js";
import { entry, noted, number, say, times } from "./words.js";

const MOST_NUMBERS = 16;

export function decision(of, asked, picking) {
  const listed = asked.choices.filter((choice) => !onBoard(of, choice) && !inHand(of, choice));
  return el("div", { class: "decision", key: `question ${asked.question}` },
    el("div", { class: "prompt" },
      el("h2", { tabindex: -1 }, el("span", { class: "mark" }, say("your turn")), el("span", { class: "unseen" }, entry("", "")), asked.prompt),
      picking.several && el("p", { class: "wanted" }, asked.wanted),
      asked.rule && el("details", { class: "rule" }, el("summary", {}, say("how")), el("p", {}, asked.rule))),
    asked.choices.some((choice) => onBoard(of, choice)) && el("p", { class: "hint" },
      el("button", { type: "button", class: "plain", onclick: toBoard }, `◎ ${say("choose on the board")}`)),
    asked.kind === "number" && !picking.several && listed.length > MOST_NUMBERS ? field(listed, picking)
      : el("div", { class: "choices" }, listed.map((choice) => option(of, choice, picking)),
        picking.several ? confirm(asked, picking) : asked.least === 0 && el("button", { class: "choice none", key: "none", onclick: () => picking.answer([]) }, asked.none || say("nothing"))));
}

function toBoard() {
  document.querySelector(".board")?.scrollIntoView({ block: "center" });
  document.querySelector(".board button.space")?.focus({ preventScroll: true });
}

// A choice: what it looks like where it is a piece, else its words.
function option(of, choice, picking) {
  if (choice.piece && !(choice.place && choice.words)) return laid(of, choice.piece, choice.count, { choice, picking, small: true });
  const pressed = picking.several ? String(picking.count(choice) > 0) : null;
  return el("button", { class: "choice", key: choice.key, "aria-pressed": pressed, disabled: !picking.can(choice), onclick: () => picking.take(choice) },
    times(choice.label, choice.count));
}

function field(choices, picking) {
  const numbers = choices.map((choice) => Number(choice.key));
  const input = el("input", { type: "number", min: Math.min(...numbers), max: Math.max(...numbers), required: true, value: String(Math.min(...numbers)) });
  const give = (event) => {
    event.preventDefault();
    picking.answer([String(event.target.querySelector("input").valueAsNumber)]);
  };
  return el("form", { class: "row", onsubmit: give }, el("label", {}, el("span", {}, say("number")), input),
    el("button", { class: "main" }, say("confirm")));
}

function confirm(asked, picking) {
  const taken = picking.taken;
  return el("button", { class: "main", disabled: !picking.fits, onclick: () => picking.answer(taken) },
    taken.length || !asked.none ? noted(say("confirm"), number(taken.length)) : asked.none);
}
