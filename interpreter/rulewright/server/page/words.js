// The words of the page, from the server, in the reader's language.

import { readStored, store } from "./storage.js";

/** @typedef {{ words: Record<string, string>, languages: [string, string][], language: string, direction?: string, plain?: boolean }} Words */
/** @type {Words & { protocol: number }} */
let told = { words: {}, languages: [], language: "", protocol: 0 };

// Milliseconds by which the server's clock is ahead of this device's.
let ahead = 0;
const EXACT = 2000; // more exactly than that the header does not say it
const GROUPED = 1000; // from which on the digits of a number may lie in groups

const KEPT = "rulewright language";
const KEPT_BESIDE = "rulewright language instead";

// What a page is to speak that was begun in a language; what is chosen there counts until it is begun in another.
const begun = () => document.querySelector("meta[name=speaking]")?.getAttribute("content") ?? "";

const byBrowser = () => navigator.languages.slice(0, 5).join(",");

export function wanted() {
  if (begun() && readStored(KEPT_BESIDE) !== begun()) return begun();
  return readStored(KEPT) || byBrowser();
}

// The words come with the page in the language that the browser asks for; another one is fetched.
export async function load(language = wanted()) {
  told = inPage(language) ?? (await fetched(language));
  document.documentElement.lang = told.language.replace("_", "-");
  document.documentElement.dir = told.direction ?? "ltr";
}

/** @param {string} language @returns {typeof told | null} */
function inPage(language) {
  const embedded = document.getElementById("words")?.textContent;
  const { time, ...rest } = embedded ? JSON.parse(embedded) : {};
  if (!embedded || (language !== byBrowser() && language !== rest.language)) return null;
  const [way] = /** @type {(PerformanceNavigationTiming | undefined)[]} */ (performance.getEntriesByType("navigation"));
  setClock(time * 1000 - (way ? performance.timeOrigin + way.responseStart : Date.now()));
  return rest;
}

/** @param {string} language @returns {Promise<typeof told>} */
async function fetched(language) {
  const answer = await fetch(`/words?${new URLSearchParams({ language })}`);
  setClock(Date.parse(answer.headers.get("date") ?? "") - Date.now());
  return answer.json();
}

/** @param {number} apart */
function setClock(apart) {
  ahead = Math.abs(apart) > EXACT ? apart : 0;
}

/** @param {string} language */
export function choose(language) {
  store(KEPT, language);
  store(KEPT_BESIDE, begun());
  return load(language);
}

/** @param {Record<string, string>} words */
export const add = (words) => Object.assign(told.words, words);

/** @param {string} name */
export function say(name) {
  return told.words[name] ?? name;
}

// One of the words that have slots in braces.
/** @param {string} name @param {Record<string, string | number>} slots */
export function filled(name, slots) {
  return say(name).replace(/\{(\w+)\}/g, (whole, slot) => String(slots[slot] ?? whole));
}

// A label, and what it is about: with a colon, as the language writes it.
/** @param {string} label @param {string | number} what */
export const entry = (label, what) => filled("entry", { label, what });
/** @param {string} what @param {string} note */
export const noted = (what, note) => filled("noted", { what, note });
/** @param {string} what @param {number} count */
export const times = (what, count) => (count > 1 ? filled("times", { what, count: number(count) }) : what);
/** @param {number} low @param {number} high */
export const span = (low, high) =>
  low === high ? number(low) : filled("span", { low: number(low), high: number(high) });
// What is told one after the other, without 'and'.
/** @param {string[]} texts */
export const row = (texts) =>
  texts.map((what, n) => (n < texts.length - 1 ? filled("next", { what }) : what)).join(" ");

// A number as the language writes it, as in the log; what is less than nothing with a sign that is no hyphen. Browsers
// take long until they know how a language does, which does not matter for small numbers in common digits.
/** @param {number} value */
export function number(value) {
  if (told.plain && Number.isInteger(value) && Math.abs(value) < GROUPED) return String(value).replace("-", "−");
  return numbers(told.language.replace("_", "-") || "en")
    .format(value)
    .replace("-", "−");
}

const numbers = kept((tag) => new Intl.NumberFormat(tag, { useGrouping: "always" }));

// Seconds since 1970, as the server counts them.
export const serverTime = () => (Date.now() + ahead) / 1000;
export const language = () => told.language;
export const protocol = () => told.protocol;

// What is found for a language, once for all.
/** @template T @param {(code: string) => T} find @returns {(code: string) => T} */
function kept(find) {
  const found = new Map();
  return (code) => {
    if (!found.has(code)) found.set(code, find(code));
    return found.get(code);
  };
}

// The codes of the languages, each with its name in that language.
export const languages = () => told.languages;

// A name as it stands alone, such as that of a group of things.
/** @param {string} text */
export const alone = (text) => text.charAt(0).toUpperCase() + text.slice(1);
