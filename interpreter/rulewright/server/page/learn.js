// Learning a game from its examples: what it is about, then lesson by lesson what one decides and what comes of it.

import { bar } from "./bar.js";
import { enlarge } from "./board.js";
import { about, now } from "./document.js";
import { fill, notice } from "./dom.js";
import { Explainer } from "./explain.js";
import { keptFocus } from "./focus.js";
import { movement } from "./move_animation.js";
import { turnHints } from "./hints.js";
import { inAMinute } from "./invitation.js";
import { languageChoice } from "./language.js";
import { learn, learned } from "./learned.js";
import { link } from "./links.js";
import { keepName, nameField } from "./own_name.js";
import { at as inside } from "./middle.js";
import { Picking, UNTOLD } from "./picking.js";
import { fetched } from "./pictures.js";
import { avatar } from "./seat_parts.js";
import { h } from "./preact.js";
import { rove } from "./roving.js";
import { fillWindow, settle, stage } from "./stage.js";
import { entry, filled, language, load, number, say } from "./words.js";

/** @import { FormEvent, LeadSource, Lesson, Lessons, Moment, Picked, State } from "./types" */

const main = /** @type {HTMLElement} */ (document.getElementById("main"));
const head = /** @type {HTMLElement} */ (document.getElementById("head"));
const edition = location.pathname.split("/")[2];

// told: the game and its lessons; at: the number of the lesson that is played, or null; lesson: what it is made of;
// here: its moment; tried: what came of another answer than the example's.
/** @type {Lessons} */
let told; // nothing while it has not come
/** @type {number | null} */
let at = null;
/** @type {Lesson} */
let lesson;
/** @type {Moment} */
let here;
/** @type {Moment | null} */
let tried = null;
/** @type {Picked} */
let picked = new Map();

/** @param {string} path @param {[string, string][]} [slots] */
async function get(path, slots = []) {
  const answer = await fetch(
    `/editions/${edition}/lessons${path}?${new URLSearchParams([...slots, ["language", language()]])}`,
  );
  const found = answer.headers.get("content-type")?.startsWith("application/json") ? await answer.json() : { text: "" };
  if (answer.ok) notice("");
  else notice(found.text || say("no lessons"));
  return answer.ok ? found : null;
}

async function refresh() {
  told = (await get("")) ?? told;
  if (told && at !== null) await show(at, here?.number ?? 0);
  else draw();
}

// The lesson that the address names, or the list of all.
async function go() {
  const wanted = Number.parseInt(location.hash.slice(1), 10) - 1;
  if (told && wanted >= 0 && wanted < told.lessons.length) await show(wanted);
  else {
    at = null;
    draw();
  }
  scrollTo(0, 0);
  (main.querySelector(".subject") ?? main.querySelector("h2"))?.focus({ preventScroll: true });
}

/** @param {number} wanted */
async function show(wanted, moment = 0) {
  const found = await get(`/${wanted}`);
  if (!found) return;
  [at, lesson] = [wanted, { ...found, of: about(found.table) }];
  fetched(lesson.of.edition, draw);
  reached((moment && (await get(`/${wanted}/${moment}`))) || found.first);
}

// What is as usual was left out.
/** @param {any} found */
const complete = (found) => ({
  lines: [],
  why: [],
  taken: "",
  advice: [],
  ...found,
  state: now(found.state, lesson.of),
});

/** @param {any} moment */
function reached(moment) {
  here = complete(moment);
  tried = null;
  picked = new Map();
  if (!here.state.asked) learn(edition, lesson.title);
  draw();
}

/** @param {{ take: string[] }} given */
async function answer({ take }) {
  const found = await get(
    `/${at}/${here.number}/answer`,
    take.map((key) => ["take", key]),
  );
  if (!found) return;
  if (found.next) reached(found.next);
  else {
    tried = complete(found.other);
    picked = new Map();
    draw();
  }
  main.querySelector(".asked h2")?.focus({ preventScroll: true });
}

// On with what the example does.
async function follow() {
  const found = await get(`/${at}/${here.number + 1}`);
  if (!found) return;
  reached(found);
  main.querySelector(".asked h2")?.focus({ preventScroll: true });
}

/** @param {number | null} wanted */
const open = (wanted) => () => {
  location.hash = wanted === null ? "" : `#${wanted + 1}`;
};
const following = () => (at !== null && at + 1 < told.usual ? at + 1 : null);

function draw() {
  if (!told) return;
  document.title = `${told.title} · ${say("learn")}`;
  fill(
    head,
    h("h1", {}, h("a", { href: "/" }, "Rulewright"), ` · ${told.title}`),
    at !== null && course(at),
    h("a", { class: "book", href: book(), target: "_blank" }, say("rulebook")),
    languageChoice(refresh),
  );
  fillWindow(at !== null);
  if (at === null) {
    fill(main, beginning());
    return;
  }
  const goOn = keptFocus();
  const state = tried?.state ?? here.state;
  const animate = lesson ? movement(lesson.of, state, lesson) : () => {};
  fill(main, table(state, at));
  settle();
  enlarge();
  animate();
  goOn();
  rove();
}

function book(passage = "") {
  const options = at === null ? {} : lesson?.of.chosen;
  const asked = new URLSearchParams({ ...options, language: language() });
  return `/editions/${edition}/rulebook?${asked}${passage && `#${passage}`}`;
}

// ── the beginning ──

function beginning() {
  const done = learned(edition);
  const first = told.lessons.slice(0, told.usual).findIndex(({ title }) => !done.has(title));
  const list = (/** @type {any[]} */ lessons, /** @type {number} */ from) =>
    h(
      "ol",
      { class: "lessons" },
      lessons.map((/** @type {{ title: string, rule: string }} */ { title, rule }, /** @type {number} */ n) =>
        h(
          "li",
          { key: from + n },
          h("a", { href: `#${from + n + 1}` }, h("strong", {}, title), h("span", { class: "faint" }, rule)),
          done.has(title) && h("span", { class: "mark" }, `✓ ${say("lesson done")}`),
        ),
      ),
    );
  return h(
    "div",
    { class: "learning" },
    inAMinute({ edition, chosen: {} }, book(), true, draw),
    told.usual > 0 &&
      h(
        "section",
        { class: "panel" },
        h("h2", {}, say("lessons")),
        list(told.lessons.slice(0, told.usual), 0),
        first >= 0 &&
          h(
            "p",
            { class: "on" },
            h("button", { type: "button", class: "main", onclick: open(first) }, first ? say("go on") : say("start")),
          ),
      ),
    firstRound(told.usual === 0 || first < 0),
    told.lessons.length > told.usual &&
      h(
        "details",
        { class: "panel" },
        h("summary", {}, h("strong", {}, say("more examples"))),
        list(told.lessons.slice(told.usual), told.usual),
      ),
  );
}

// A real table against the computer, where each question comes with its rule.
/** @param {boolean} main */
function firstRound(main) {
  const begin = async (/** @type {FormEvent} */ event) => {
    event.preventDefault();
    const name = event.target.querySelector("input")?.value ?? "";
    keepName(name);
    turnHints(true);
    const seats = Array.from({ length: told.people }, (_, seat) =>
      seat ? { player: "search" } : { player: "here", name },
    );
    const reply = await fetch(`/tables?${new URLSearchParams({ language: language() })}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ edition, seats, options: {} }),
    });
    const found = await reply.json();
    if (reply.ok) location.assign(link(...found.seats, found.host));
    else notice(found.text);
  };
  return h(
    "form",
    { class: "panel", onsubmit: begin },
    h("h2", {}, say("first round")),
    h("p", {}, say("first round told")),
    h(
      "div",
      { class: "row" },
      h("label", {}, h("span", {}, say("your name")), nameField({ required: true })),
      h("button", { type: "submit", class: main ? "main" : "" }, say("play now")),
    ),
  );
}

// ── a lesson ──

// What the example answers is marked, where it lies or is listed.
/** @returns {LeadSource} */
function advice() {
  const advised = new Set(here.advice.length ? here.advice : [""]);
  return {
    ...UNTOLD,
    told: (key) => (advised.has(key) ? say("example does") : ""),
    mark: (key) => (advised.has(key) ? " advised" : ""),
  };
}

/** @param {State} state @param {number} at */
function table(state, at) {
  const { of } = lesson;
  const { asked } = state;
  const picking = !tried && asked ? new Picking(asked, picked, answer, draw, advice()) : null;
  return stage(of, state, picking, {
    bar: (regions) =>
      bar(of, state, picking, regions, {
        told: Object.assign((/** @type {import("./types").LogLine} */ line) => line.text, { from: [] }),
        above: null,
        instead: tried ? other(tried) : asked ? null : ways(at),
        ending: null,
        history: null,
        send: () => false,
      }),
    rail: ({ rail }) => rail && h("aside", { class: "side", style: inside(rail) }, story(at)),
    guide: () => story(at, true),
    redraw: draw,
  });
}

// Where one is in the course, and the ways through it.
/** @param {number} at */
function course(at) {
  return h(
    "nav",
    { class: "course", "aria-label": say("lessons") },
    h("button", { type: "button", class: "plain", onclick: open(null) }, `‹ ${say("all lessons")}`),
    at < told.usual &&
      h("span", { class: "faint" }, filled("lesson of", { number: number(at + 1), last: number(told.usual) })),
    following() !== null &&
      h("button", { type: "button", class: "plain", onclick: open(following()) }, `${say("skip")} ›`),
  );
}

// What the lesson is about, and what has just happened. newest: what has happened comes first, as there is little room.
/** @param {number} at */
function story(at, newest = false) {
  const { of } = lesson;
  const came = happened(!here.state.asked);
  return h(
    "section",
    { class: "story", "aria-label": say("lessons"), key: `story ${at}` },
    newest && came,
    h("h2", { tabindex: -1, class: "subject" }, lesson.title, " "),
    h(
      "div",
      { class: "you" },
      avatar(of, here.state, of.seat),
      h("p", {}, h("strong", {}, filled("you are", { name: of.seats[of.seat].name })), " ", lesson.text),
    ),
    !newest && came,
  );
}

/** @param {any} found */
const lines = (found) =>
  found.map((/** @type {any} */ line, /** @type {number} */ n) =>
    h(line.heading ? "h3" : "p", { class: line.said ? "said" : "line", key: n }, line.text),
  );

// What came of the answer before, and why; of another answer than the example's, what comes of that.
/** @param {boolean} ended */
function happened(ended) {
  if (tried)
    return h(
      "div",
      { class: "told", "aria-live": "polite", key: `tried ${here.number}` },
      h("h2", {}, say("allowed too")),
      h("div", { class: "lines" }, lines(tried.lines)),
      h("p", {}, entry(say("in example"), tried.example)),
    );
  if (!here.number && !ended && !here.lines.length) return null;
  const why = h(
    "div",
    { class: "why" },
    here.why.map(({ title, text, passage }) =>
      h(
        "p",
        {},
        h("strong", {}, entry(title, "")),
        " ",
        text,
        " ",
        h("a", { href: book(passage), target: "_blank" }, `${say("rulebook")} ›`),
      ),
    ),
  );
  return h(
    "div",
    { class: "told", "aria-live": "polite", key: `told ${here.number}` },
    (here.number > 0 || ended) && h("h2", {}, here.taken ? entry(say("in example"), here.taken) : say("log")),
    h("div", { class: "lines" }, lines(here.lines)),
    ended
      ? why
      : here.number > 0 && here.why.length > 0 && h("details", { class: "rule" }, h("summary", {}, say("why")), why),
  );
}

// At the end of a lesson, the ways on.
/** @param {number} at */
function ways(at) {
  return h(
    "div",
    { class: "question ended", key: "ways" },
    h("h2", { class: "calmly", tabindex: -1 }, `✓ ${lesson.title}`),
    h("button", { type: "button", onclick: () => show(at) }, say("again")),
    following() !== null
      ? h("button", { type: "button", class: "main", onclick: open(following()) }, say("next lesson"))
      : h("button", { type: "button", class: "main", onclick: open(null) }, say("all lessons")),
  );
}

// Another answer than the example's: it is played as well.
/** @param {Moment} otherwise */
function other(otherwise) {
  const back = () => {
    tried = null;
    draw();
  };
  return h(
    "div",
    { class: "question ended", key: "other" },
    h("h2", { class: "calmly", tabindex: -1 }, entry(say("in example"), otherwise.example)),
    h("button", { type: "button", onclick: back }, say("other answer")),
    h("button", { type: "button", class: "main", onclick: follow }, say("example does")),
  );
}

const explainer = new Explainer(async ({ what, name }) => {
  const found =
    at === null
      ? null
      : await get(`/${at}/${here.number}/explained`, [
          ["what", what],
          ["name", name],
        ]);
  if (found) explainer.heard(lesson.of, found);
}, book);
addEventListener("hashchange", go);
await load();
told = await get("");
await go();
