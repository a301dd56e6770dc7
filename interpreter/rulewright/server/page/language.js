// The choice of a language, as it stands in the head of every page.

import { h } from "./preact.js";
import { choose, language, languages, say } from "./words.js";

/** @import { FieldEvent } from "./types" */

/** @param {() => void} changed */
export function languageChoice(changed) {
  const options = languages().map(([code, name]) => h("option", { value: code, selected: code === language() }, name));
  const pick = async (/** @type {FieldEvent} */ event) => {
    await choose(event.target.value);
    changed();
  };
  return h(
    "label",
    { class: "language" },
    h("span", {}, say("language")),
    h("select", { onchange: pick, key: "language" }, options),
  );
}
