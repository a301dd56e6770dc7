// The words of the page, from the server, in the reader's language.

let told = { words: {}, languages: [], language: "", protocol: 0 };

const KEPT = "rulewright language";

export function wanted() {
  return localStorage.getItem(KEPT) || navigator.languages.slice(0, 5).join(",");
}

export async function load(language = wanted()) {
  const answer = await fetch(`/words?${new URLSearchParams({ language })}`);
  told = await answer.json();
  document.documentElement.lang = told.language.replace("_", "-");
  document.documentElement.dir = told.direction;
}

export function choose(language) {
  localStorage.setItem(KEPT, language);
  return load(language);
}

export function say(name) {
  return told.words[name] ?? name;
}

// One of the words that have slots in braces.
export function filled(name, slots) {
  return say(name).replace(/\{(\w+)\}/g, (whole, slot) => slots[slot] ?? whole);
}

// A label, and what it is about: with a colon, as the language writes it.
export const entry = (label, what) => filled("entry", { label, what });
export const noted = (what, note) => filled("noted", { what, note });
export const times = (what, count) => (count > 1 ? filled("times", { what, count: number(count) }) : what);
export const span = (low, high) => (low === high ? number(low) : filled("span", { low: number(low), high: number(high) }));
// What is told one after the other, without 'and'.
export const row = (texts) => texts.map((what, n) => (n < texts.length - 1 ? filled("next", { what }) : what)).join(" ");

// A number as the language writes it, as in the log; what is less than nothing with a sign that is no hyphen.
export function number(value) {
  return new Intl.NumberFormat(told.language.replace("_", "-") || "en", { useGrouping: "always" }).format(value).replace("-", "−");
}

export const language = () => told.language;
export const protocol = () => told.protocol;

// A language's name in that language.
function named(code) {
  const tag = code.replace("_", "-");
  const name = new Intl.DisplayNames([tag], { type: "language" }).of(tag);
  return name.slice(0, 1).toLocaleUpperCase(tag) + name.slice(1);
}

export function languages() {
  return told.languages.map((code) => [code, named(code)]);
}
