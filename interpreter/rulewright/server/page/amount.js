// A number of many that is set, such as a bid, and what it leaves of what one has to pay with.

import { confirmed, none } from "./decision.js";
import { h } from "./preact.js";
import { leadOf } from "./leads.js";
import { picture } from "./pieces.js";
import { short } from "./picking.js";
import { alone, entry, filled, number, say } from "./words.js";

/** @import { Child, FormEvent, Picking, Question, Table } from "./types" */

/** @param {Table} of @param {Question} asked @param {Picking} picking */
export const amount = (of, asked, picking) =>
  picking.warned ? warned(asked, picking, picking.warned) : field(of, asked, picking);

// Many numbers: one is set, step by step or typed, and what it leads to stands beside it. Steps end at what one can pay
// from what one has; for more, where the rules allow that, one has to ask.
/** @param {Table} of @param {Question} asked @param {Picking} picking */
function field(of, asked, picking) {
  const numbers = asked.choices.map((choice) => Number(choice.key));
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)];
  const has = asked.purse?.[1] ?? high;
  if (asked.least === 0 && low > has && picking.number === undefined) return tooFew(of, asked, picking, low);
  const now = picking.number ?? low;
  const limit = now > has ? high : Math.min(has, high);
  const type = (/** @type {number} */ value) => {
    if (Number.isInteger(value) && value >= low && value <= high) picking.set(value);
  };
  const step = (/** @type {number} */ by) => {
    const next = Math.max(low, Math.min(now + by, limit));
    return h(
      "button",
      {
        type: "button",
        class: `step${Math.abs(by) > 1 ? " far" : ""}`,
        key: `step ${by}`,
        disabled: next === now,
        "aria-label": by < 0 ? filled("less", { number: number(-by) }) : filled("greater", { number: number(by) }),
        onclick: () => picking.set(next),
      },
      `${by < 0 ? "−" : "+"}${Math.abs(by) > 1 ? number(Math.abs(by)) : ""}`,
    );
  };
  const input = h("input", {
    type: "number",
    key: "amount",
    min: low,
    max: high,
    required: true,
    value: String(now),
    oninput: (event) => type(event.target.valueAsNumber),
  });
  const give = (/** @type {FormEvent} */ event) => {
    event.preventDefault();
    const key = String(event.target.querySelector("input")?.valueAsNumber);
    const choice = asked.choices.find((one) => one.key === key);
    if (choice) picking.take(choice);
  };
  if (picking.number === undefined) picking.begin(low);
  const lead = picking.leads.whole ?? picking.leads.to(String(now));
  const costs = now > has || Boolean(lead?.warning); // more than one has to pay with: not what one should press first
  return h(
    "form",
    { class: `row amount${costs ? " costs" : ""}`, onsubmit: give },
    h(
      "span",
      { class: "steps" },
      step(-5),
      step(-1),
      h("label", {}, h("span", { class: "unseen" }, say("number")), input),
      step(1),
      step(5),
    ),
    h(
      "button",
      { class: `${costs ? "" : "main"}${picking.leads.mark(String(now))}${picking.going?.length ? " sent" : ""}` },
      called(asked, String(now)),
    ),
    asked.least === 0 && none(asked, picking, costs),
    confirmed(of, picking),
    purse(of, asked, now, now === has && has < high && beyond(picking, has + 1)) || leadOf(lead, true),
  );
}

// Where not even the least can be paid from what one has.
/** @param {Table} of @param {Question} asked @param {Picking} picking @param {number} low */
const tooFew = (of, asked, picking, low) =>
  h(
    "div",
    { class: "row amount costs short" },
    beyond(picking, low),
    none(asked, picking, true),
    purse(of, asked, low),
  );

/** @param {Picking} picking @param {number} value */
const beyond = (picking, value) =>
  h(
    "button",
    { type: "button", class: "plain beyond", key: "beyond", onclick: () => picking.set(value) },
    say("beyond purse"),
  );

// What one has to pay with, and how much of it would be left.
/** @param {Table} of @param {Question} asked @param {number} now @param {Child} [more] */
function purse(of, asked, now, more = null) {
  if (!asked.purse) return null;
  const [name, has] = asked.purse;
  const { label, picture: drawn } = of.counters[name];
  return h(
    "p",
    { class: "purse", key: "purse" },
    drawn && picture(of, drawn),
    h("span", { class: drawn ? "unseen" : "" }, entry(alone(label), "")),
    h("span", {}, short(asked, now) || filled("purse", { have: number(has), left: number(has - now) })),
    more,
  );
}

// A number as an answer: as the edition calls it, or as any number is.
/** @param {Question} asked @param {string} key */
function called(asked, key) {
  const { label = key } = asked.choices.find((choice) => choice.key === key) ?? {};
  return label === key ? filled("answer number", { number: number(Number(key)) }) : label;
}

// An amount that leads to what one may not expect: once more.
/** @param {Question} asked @param {Picking} picking @param {{ key: string, text: string }} warning */
function warned(asked, picking, { key, text }) {
  return h(
    "div",
    { class: "warned", role: "alert", key: `warned ${key}` },
    h("p", {}, text, " ", h("strong", {}, say("all the same"))),
    h(
      "div",
      { class: "choices" },
      h(
        "button",
        { type: "button", class: "main", key: `give ${key}`, onclick: () => picking.answer([key]) },
        called(asked, key),
      ),
      h(
        "button",
        { type: "button", class: "choice", key: "rather", onclick: () => picking.unwarn() },
        say("rather not"),
      ),
    ),
  );
}
