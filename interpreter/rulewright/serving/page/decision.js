// What somebody is asked: one button for each choice; several are picked and then confirmed.

import { el } from "./dom.js";
import { face } from "./pieces.js";
import { say } from "./words.js";

const MOST_NUMBERS = 12;

export function decision(of, asked, mine) {
  const total = asked.choices.reduce((sum, choice) => sum + choice.count, 0);
  const answer = (take) => mine.send({ type: "answer", question: asked.question, take });
  return el("div", { class: "decision" },
    el("h2", {}, el("span", { class: "mark" }, `● ${say("your turn")}: `), asked.prompt),
    asked.rule && el("p", { class: "rule" }, asked.rule),
    asked.most > 1 || asked.least === total
      ? several(of, asked, mine, answer)
      : one(of, asked, answer));
}

// One choice, or none: a click answers.
function one(of, asked, answer) {
  const numbers = asked.kind === "number" ? asked.choices.map((choice) => Number(choice.key)) : [];
  const buttons = numbers.length > MOST_NUMBERS
    ? number(asked, numbers, answer)
    : asked.choices.map((choice) => el("button", { class: "choice", onclick: () => answer([choice.key]), "data-focus": `choice ${choice.key}` },
      face(of, choice.piece), choice.label, choice.count > 1 && ` ×${choice.count}`));
  return el("div", { class: "choices" }, buttons,
    asked.least === 0 && el("button", { class: "choice", onclick: () => answer([]), "data-focus": "none" }, asked.none || say("nothing")));
}

function number(asked, numbers, answer) {
  const field = el("input", {
    type: "number", min: Math.min(...numbers), max: Math.max(...numbers), required: true,
    value: String(Math.min(...numbers)), "data-focus": "number",
  });
  const give = (event) => {
    event.preventDefault();
    answer([String(field.valueAsNumber)]);
  };
  return el("form", { class: "row", onsubmit: give }, el("label", {}, el("span", {}, say("number")), field),
    el("button", { class: "main" }, say("confirm")));
}

// Several: each is picked or left, of equal ones as many as wanted; only what is allowed can be confirmed.
function several(of, asked, mine, answer) {
  const taken = take(asked, mine.picked);
  const fits = taken.length >= asked.least && taken.length <= asked.most;
  return [
    el("p", {}, asked.wanted),
    el("div", { class: "choices" }, asked.choices.map((choice) => pick(of, asked, choice, mine))),
    el("p", { class: "row" },
      el("button", { class: "main", disabled: !fits, onclick: () => answer(taken), "data-focus": "confirm" },
        taken.length || !asked.none ? `${say("confirm")} (${taken.length})` : asked.none)),
  ];
}

function take(asked, picked) {
  return asked.choices.flatMap((choice) => Array(picked.get(choice.key) ?? 0).fill(choice.key));
}

function pick(of, asked, choice, mine) {
  const count = mine.picked.get(choice.key) ?? 0;
  const full = take(asked, mine.picked).length >= asked.most;
  const put = (next) => { mine.picked.set(choice.key, next); mine.redraw(); };
  if (choice.count === 1) {
    return el("button", {
      class: "choice", "aria-pressed": String(count > 0), disabled: full && !count,
      onclick: () => put(1 - count), "data-focus": `choice ${choice.key}`,
    }, count > 0 && "✓ ", face(of, choice.piece), choice.label);
  }
  return el("div", { class: "choice", role: "group", "aria-label": choice.label },
    face(of, choice.piece), `${choice.label} ${count}/${choice.count} `,
    el("button", { disabled: !count, onclick: () => put(count - 1), "aria-label": `${say("fewer")}: ${choice.label}`, "data-focus": `fewer ${choice.key}` }, "−"),
    el("button", { disabled: full || count >= choice.count, onclick: () => put(count + 1), "aria-label": `${say("more")}: ${choice.label}`, "data-focus": `more ${choice.key}` }, "+"));
}

// What a click on something that lies on the table does: answers, or picks one more. Nothing where it is not offered.
export function taking(asked, mine, fits) {
  const choice = asked?.choices.find(fits);
  if (!choice) return null;
  if (asked.most === 1) return () => mine.send({ type: "answer", question: asked.question, take: [choice.key] });
  const count = mine.picked.get(choice.key) ?? 0;
  const full = take(asked, mine.picked).length >= asked.most;
  const next = count < choice.count && !full ? count + 1 : 0;
  return () => { mine.picked.set(choice.key, next); mine.redraw(); };
}
