// Counters of a position that is set up: numbers to step or type, choices, lists.

import { h } from "./preact.js";
import { filled, say } from "./words.js";

/** @import { SetUp } from "./setup.js" */
/** @import { CounterForm, PositionDraft } from "./records" */
/** @import { Child } from "./types" */

const MANY = 8; // of one counter, which then is folded

/** @typedef {PositionDraft["counters"][string]} Held */
/** @typedef {(held: Held, typed?: string) => void} Setter */

/** @param {SetUp} position @param {CounterForm[]} counters @param {PositionDraft} draft */
export function counted(position, counters, draft) {
  if (!counters.length) return null;
  /** @type {Map<string, CounterForm[]>} */
  const groups = new Map();
  for (const one of counters) groups.set(one.label, [...(groups.get(one.label) ?? []), one]);
  const set = (/** @type {string} */ key, /** @type {Held} */ held, /** @type {string | undefined} */ field) =>
    position.change({ counters: { ...draft.counters, [key]: held } }, field);
  return h(
    "section",
    { class: "counters panel", key: "counters" },
    h("h3", {}, say("counters")),
    [...groups].map(([label, ones]) => {
      const fields = ones.flatMap((one) =>
        fieldsOf(one, draft.counters[one.key], (held, typed) => set(one.key, held, typed)),
      );
      const inside = h("div", { class: "row" }, fields);
      if (fields.length > MANY) return h("details", { key: label }, h("summary", {}, label), inside);
      return ones.length === 1 && !ones[0].owner && fields.length === 1
        ? h("div", { key: label, class: "counter" }, inside)
        : h("fieldset", { key: label, class: "counter" }, h("legend", {}, label), inside);
    }),
  );
}

// What is read out is the whole name; what is seen stands below the counter's.
/** @param {CounterForm} one @param {Held} held @param {Setter} set */
function fieldsOf(one, held, set) {
  const label = one.owner ? filled("counter of", { label: one.label, owner: one.owner }) : one.label;
  if (!one.words?.length) return [field(one, label, one.owner || one.label, held, set, one.key)];
  const byWord = /** @type {Record<string, string>} */ (held);
  return one.words.map(([word, name]) =>
    field(
      one,
      filled("counter for", { label, word: name }),
      one.owner ? filled("counter for", { label: one.owner, word: name }) : name,
      byWord[word],
      (now, typed) => set({ ...byWord, [word]: String(now) }, typed),
      `${one.key} ${word}`,
    ),
  );
}

/**
 * @param {CounterForm} one
 * @param {string} label
 * @param {string} short
 * @param {Held} held
 * @param {Setter} set
 * @param {string} key
 */
function field(one, label, short, held, set, key) {
  const named = (/** @type {Child} */ input) =>
    h("label", { key, class: "short" }, h("span", { "aria-hidden": "true" }, short), input);
  if (one.many)
    return named(
      h("input", {
        "aria-label": label,
        value: /** @type {string[]} */ (held).join(", "),
        title: say("list told"),
        onchange: (event) =>
          set(
            event.target.value
              .split(",")
              .map((text) => text.trim())
              .filter(Boolean),
          ),
      }),
    );
  if (one.holds === "truth")
    return h(
      "label",
      { key, class: "row" },
      h("input", {
        type: "checkbox",
        "aria-label": label,
        checked: held === "yes",
        onchange: (event) => set(event.target.checked ? "yes" : "no"),
      }),
      h("span", { "aria-hidden": "true" }, short),
    );
  if (one.things?.length)
    return named(
      h(
        "select",
        { "aria-label": label, value: held, onchange: (event) => set(event.target.value) },
        one.things.map(([name, text]) => h("option", { value: name, key: name }, text)),
      ),
    );
  return named(
    h("input", {
      type: "number",
      "aria-label": label,
      step: one.holds === "fraction" ? "0.01" : "1",
      value: held,
      oninput: (event) => set(event.target.value, key),
    }),
  );
}
