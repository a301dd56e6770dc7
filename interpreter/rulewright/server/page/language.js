// The choice of a language, as it stands in the head of every page.

import { el } from "./dom.js";
import { choose, language, languages, say } from "./words.js";

export function languageChoice(changed) {
  const options = languages().map(([code, name]) => el("option", { value: code, selected: code === language() }, name));
  const pick = async (event) => {
    await choose(event.target.value);
    changed();
  };
  return el("label", { class: "language" }, el("span", {}, say("language")),
    el("select", { onchange: pick, key: "language" }, options));
}
