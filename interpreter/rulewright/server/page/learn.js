// Learning a game from its examples: what it is about, then lesson by lesson what one decides and what comes of it.

import { bar } from "./bar.js";
import { enlarge } from "./enlarged.js";
import { lastSentence } from "./decision.js";
import { about, now } from "./document.js";
import { fill, notice } from "./dom.js";
import { facts, pictured } from "./editions.js";
import { Explainer } from "./explain.js";
import { attendDrags, settleDrop } from "./drag.js";
import { keptFocus } from "./focus.js";
import { fold } from "./folded.js";
import { movement } from "./move_animation.js";
import { turnHints } from "./hints.js";
import { glanceOf, inAMinute } from "./invitation.js";
import { languageChoice } from "./language.js";
import { learn, learned } from "./learned.js";
import { link } from "./links.js";
import { keepName, nameField, ownName } from "./own_name.js";
import { inHand, Picking, UNTOLD } from "./picking.js";
import { fetched } from "./pictures.js";
import { h } from "./preact.js";
import { attendRefusals } from "./refused_space.js";
import { rove } from "./roving.js";
import { fillWindow, settle, stage } from "./stage.js";
import { entry, filled, language, load, number, say } from "./words.js";

/** @import { Choice, FormEvent, LeadSource, Lesson, Lessons, Moment, Picked, State } from "./types" */

const main = /** @type {HTMLElement} */ (document.getElementById("main"));
const head = /** @type {HTMLElement} */ (document.getElementById("head"));
const edition = location.pathname.split("/")[2];
const LONG = 200; // letters of a text that is set smaller

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
let read = 0; // how many pages of the moment
/** @type {Picked} */
let picked = new Map();
/** @type {Picking | null} */
let making = null; // the answer
/** @type {State} */
let stood; // the table where it is made

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
const complete = ({ pages = [], ...found }) => ({
  lines: [],
  why: [],
  taken: "",
  advice: [],
  missing: [],
  ...found,
  state: now(found.state, lesson.of),
  pages: pages.map((/** @type {any} */ page) => ({ ...page, state: now(page.state, lesson.of) })),
});

/** @param {any} moment */
function reached(moment) {
  here = complete(moment);
  tried = null;
  read = 0;
  picked = new Map();
  if (!here.state.asked) learn(edition, lesson.title);
  draw();
}

// What is read now, before the moment itself.
const page = () => (tried ? undefined : here.pages[read]);

function turn() {
  read++;
  draw();
  main.querySelector(".asked h2")?.focus({ preventScroll: true });
}

// back: how many picks are taken back first.
/** @param {{ take: string[], back?: number }} given */
async function answer({ take, back = 0 }) {
  const found = await get(
    `/${at}/${here.number - back}/answer`,
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

const letGo = () => follow(-1);

// On with what the example does, or back.
async function follow(by = 1) {
  const found = await get(`/${at}/${here.number + by}`);
  if (!found) return;
  reached(found);
  main.querySelector(".asked h2")?.focus({ preventScroll: true });
}

/** @param {number | null} wanted */
const open = (wanted) => () => {
  location.hash = wanted === null ? "" : `#${wanted + 1}`;
};
const following = () => (at !== null && at + 1 < told.usual ? at + 1 : null);

// The game, as soon as it is known what it is called.
const glance = () => glanceOf({ edition, chosen: {} }, draw);

function draw() {
  const title = told?.title ?? glance()?.title ?? "";
  document.title = `${title} · ${say("learn")}`;
  fill(
    head,
    h("h1", {}, h("a", { href: "/" }, "Rulewright"), ` · ${title}`),
    at !== null && course(at),
    h("a", { class: "book", href: book(), target: "_blank" }, say("rulebook")),
    languageChoice(refresh),
  );
  fillWindow(at !== null);
  if (at === null) {
    fill(main, told ? beginning() : h("div", { class: "learning" }, opening(-1)));
    return;
  }
  const goOn = keptFocus();
  const { state } = tried ?? page() ?? here;
  const animate = movement(lesson.of, state, lesson);
  fill(main, table(state, at));
  settle();
  fold();
  aim();
  enlarge(draw)();
  animate();
  goOn();
  rove();
  settleDrop();
}

const TAIL = 20; // px, from the edge of a bubble at least

// The bubble stands over, below or beside what it points to, as far as there is room, and its tail just there.
function aim() {
  const guide = /** @type {HTMLElement | null} */ (main.querySelector(".stage > .guide"));
  const target = main.querySelector(".stage .advised");
  const story = guide?.querySelector(".story");
  guide?.style.setProperty("--shift", "0px"); // measured there
  if (!guide || !target || !story) return;
  const [room, bubble, { left, width, right, top, height }] = [guide, story, target].map((one) =>
    one.getBoundingClientRect(),
  );
  const between = (/** @type {number} */ least, /** @type {number} */ wanted, /** @type {number} */ most) =>
    Math.max(least, Math.min(wanted, most));
  const x = left + width / 2;
  const shift = between(room.left - bubble.left, x - (bubble.left + bubble.width / 2), room.right - bubble.right);
  guide.style.setProperty("--shift", `${Math.round(shift)}px`);
  const isBeside = right <= room.left;
  const tail = isBeside ? room.left : between(bubble.left + shift + TAIL, x, bubble.right + shift - TAIL);
  const middle = between(bubble.top + TAIL, top + height / 2, bubble.bottom - TAIL);
  guide.style.setProperty("--tail", `${Math.round(tail - room.left)}px`);
  guide.style.setProperty("--top", `${isBeside ? Math.round(middle - room.top) : 0}px`);
  guide.style.setProperty("--turn", isBeside ? "-45deg" : "45deg");
}

function book(passage = "") {
  const options = at === null ? {} : lesson?.of.chosen;
  const asked = new URLSearchParams({ ...options, language: language() });
  return `/editions/${edition}/rulebook?${asked}${passage && `#${passage}`}`;
}

// ── the beginning ──

function beginning() {
  const done = learned(edition);
  const usual = told.lessons.slice(0, told.usual);
  const first = usual.findIndex(({ title }) => !done.has(title));
  return h(
    "div",
    { class: "learning" },
    opening(first),
    usual.length > 0 && h("section", { class: "panel" }, h("h2", {}, say("lessons")), listed(usual, 0, done)),
    firstRound(),
    inAMinute({ edition, chosen: {} }, book(), false, draw),
    told.lessons.length > told.usual &&
      h(
        "details",
        { class: "panel" },
        h("summary", {}, h("strong", {}, say("more examples"))),
        listed(told.lessons.slice(told.usual), told.usual, done),
      ),
  );
}

// A picture, what the game is about, and the one button to go on with. first: the first lesson that is not done, or -1.
/** @param {number} first */
function opening(first) {
  const game = glance();
  const lessons = told?.usual > 0 && first >= 0;
  return h(
    "section",
    { class: "opening" },
    game?.cover && h("img", { class: "cover", src: pictured({ edition }, game.cover), alt: "" }),
    h(
      "div",
      {},
      h("h2", { tabindex: -1 }, told?.title ?? game?.title),
      game && facts(game),
      h("p", {}, game?.text),
      !told
        ? h("p", { class: "faint", role: "status" }, say("loading"))
        : lessons
          ? h(
              "button",
              { type: "button", class: "main", onclick: open(first) },
              `▸ ${first ? say("go on") : say("start learning")}`,
            )
          : h(
              "button",
              { type: "button", class: "main", onclick: () => playFirst(ownName()) },
              `▸ ${say("first round")}`,
            ),
      lessons &&
        h(
          "p",
          { class: "faint" },
          filled("lessons take", { number: number(told.usual), minutes: number(told.minutes) }),
        ),
    ),
  );
}

/** @param {Lessons["lessons"]} lessons @param {number} from @param {Set<string>} done */
function listed(lessons, from, done) {
  return h(
    "ol",
    { class: "lessons" },
    lessons.map(({ title, rule }, n) =>
      h(
        "li",
        { key: from + n },
        h("a", { href: `#${from + n + 1}` }, h("strong", {}, title), h("span", { class: "faint" }, rule)),
        done.has(title) && h("span", { class: "mark" }, `✓ ${say("lesson done")}`),
      ),
    ),
  );
}

// A real table against the computer, where each question comes with its rule.
/** @param {string} name */
async function playFirst(name) {
  turnHints(true);
  const seats = Array.from({ length: told.people }, (_, seat) =>
    seat ? { player: "easy" } : { player: "here", name: name || say("guest") },
  );
  const reply = await fetch(`/tables?${new URLSearchParams({ language: language() })}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ edition, seats, options: {} }),
  });
  const found = await reply.json();
  if (reply.ok) location.assign(link(...found.seats, found.host));
  else notice(found.text);
}

function firstRound() {
  const begin = (/** @type {FormEvent} */ event) => {
    event.preventDefault();
    const name = event.target.querySelector("input")?.value.trim() ?? "";
    keepName(name);
    playFirst(name);
  };
  return h(
    "form",
    { class: "panel", onsubmit: begin },
    h("h2", {}, say("first round")),
    h("p", {}, say("first round told")),
    h(
      "div",
      { class: "row" },
      h("label", {}, h("span", {}, say("your name")), nameField({ placeholder: say("guest") })),
      h("button", { type: "submit" }, say("play now")),
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
    told: (key) => (advised.has(key) ? say("do this") : ""),
    mark: (key) => (advised.has(key) ? " advised" : ""),
  };
}

/** @param {State} state @param {number} at */
function table(state, at) {
  const { of } = lesson;
  const { asked } = state;
  const picking =
    !tried && asked ? new Picking(asked, picked, answer, draw, advice(), asked.picked.length ? letGo : null) : null;
  [making, stood] = [picking, state];
  return stage(of, state, picking, {
    bar: (regions) =>
      bar(of, state, picking, regions, {
        told: Object.assign((/** @type {import("./types").LogLine} */ line) => line.text, { from: [] }),
        above: null,
        instead: tried ? other(tried) : page() ? onward() : asked ? null : ways(at),
        ending: null,
        history: null,
        said: tried || page() || asked ? undefined : entry(say("lesson done"), lesson.title),
        send: () => false,
      }),
    guide: () => coach(at, state),
    redraw: draw,
  });
}

// Where one is in the course, and the ways through it.
/** @param {number} at */
function course(at) {
  return h(
    "nav",
    { class: "course", "aria-label": say("lessons") },
    h(
      "button",
      { type: "button", class: "plain", "aria-label": say("all lessons"), onclick: open(null) },
      "‹ ",
      h("span", { class: "words" }, say("all lessons")),
    ),
    at < told.usual &&
      h("span", { class: "faint" }, filled("lesson of", { number: number(at + 1), last: number(told.usual) })),
    h("strong", { class: "words" }, lesson.title),
    following() !== null &&
      h("button", { type: "button", class: "plain", onclick: open(following()) }, `${say("skip")} ›`),
  );
}

// What goes on, what one does now and why: a bubble above the question.
/** @param {number} at @param {State} state */
function coach(at, state) {
  const [before, last] = taught();
  const isOver = !state.asked && !page();
  const named = !isOver ? "" : here.why.map(({ title }) => title).join("");
  const isLong = !tried && [before, last, named].join("").length > LONG;
  return h(
    "section",
    {
      class: `story${way(state)}${isLong ? " long" : ""}`,
      "aria-label": say("lessons"),
      "aria-live": "polite",
      key: `story ${at}`,
    },
    h("h2", { tabindex: -1, class: "subject" }, lesson.title),
    tried
      ? triedTold(tried)
      : h(
          "p",
          { class: "told", key: `told ${here.number} ${read}` },
          before,
          state.asked ? h("strong", {}, last) : last,
        ),
    isOver && !tried && rules(),
  );
}

// Where the bubble points: to the hand below it, or up to the table.
/** @param {State} state */
function way({ asked }) {
  const advised = asked?.choices.find(({ key }) => here.advice.includes(key));
  return advised ? (inHand(lesson.of, advised) ? " points-down" : onTable(advised) ? " points-up" : "") : "";
}

/** @param {Choice} choice */
const onTable = (choice) => Boolean(choice.piece || choice.words);

// What is told, without its last sentence, which says what to do, and that.
function taught() {
  const { of, text } = lesson;
  const shown = page();
  if (shown) return shown.last ? [lastSentence(shown.text)[0] || shown.text, ""] : [shown.text, ""];
  const told = here.lines.filter((line) => line.said).map((line) => line.text);
  const said = here.pages.length ? told.slice(-1) : told;
  if (here.state.asked && here.pages.at(-1)?.last && lastSentence(said[0])[0]) return ["", lastSentence(said[0])[1]];
  const lines = said.length ? said : here.lines.filter((line) => !line.heading).map((line) => line.text);
  const story = here.number || !text ? [] : [filled("you are", { name: of.seats[of.seat].name }), text];
  return lastSentence([...story, ...lines].join(" "));
}

// Why the example answers as it does: what was told last before the sentence that says what to do.
function reason() {
  const told = here.lines.filter((line) => line.said).map((line) => line.text);
  const [before] = lastSentence(told.at(-1) ?? "");
  return before ? lastSentence(before)[1] || before : "";
}

// What comes of another answer than the example's: its reason, its result, and what the example would have brought.
/** @param {Moment} otherwise */
function triedTold(otherwise) {
  const lines = otherwise.lines.filter((line) => !line.heading).map((line) => line.text);
  return h(
    "p",
    { class: "told", key: `tried ${here.number}` },
    h("strong", {}, say("allowed too")),
    ` ${lines.join(" ")} ${reason()}`,
    otherwise.missing.length > 0 && [
      " ",
      h("strong", {}, entry(filled("with example", { answer: otherwise.example.replace(/\.$/, "") }), "")),
      ` ${otherwise.missing.join(" ")}`,
    ],
  );
}

// The rules that a lesson has shown, in the book.
function rules() {
  return here.why.map(({ title, passage }) =>
    h("a", { class: "why", href: book(passage), target: "_blank", key: passage }, entry(say("rulebook"), title)),
  );
}

// What has happened is read before one goes on.
function onward() {
  return h(
    "div",
    { class: "question ended onward", key: `page ${read}` },
    h("button", { type: "button", class: "main", onclick: turn }, `${say("go on")} ›`),
  );
}

// At the end of a lesson, the ways on: to the next one, or to a first game.
/** @param {number} at */
function ways(at) {
  const last = following() === null;
  return h(
    "div",
    { class: "question ended", key: "ways" },
    h("h2", { class: "calmly", tabindex: -1 }, `✓ ${lesson.title}`),
    h("button", { type: "button", onclick: () => show(at) }, say("again")),
    last && h("button", { type: "button", onclick: open(null) }, say("all lessons")),
    last
      ? h("button", { type: "button", class: "main", onclick: () => playFirst(ownName()) }, `▸ ${say("first round")}`)
      : h("button", { type: "button", class: "main", onclick: open(following()) }, `${say("next lesson")} ›`),
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
    h("button", { type: "button", class: "main", onclick: () => follow() }, say("example does")),
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
attendDrags(() => (at !== null && making ? { of: lesson.of, picking: making } : null), draw);
attendRefusals(() => (at !== null && making ? { of: lesson.of, state: stood, picking: making } : null));
addEventListener("hashchange", go);
await load();
draw();
told = await get("");
await go();
