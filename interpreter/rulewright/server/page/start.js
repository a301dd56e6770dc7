// The first page: an edition, its seats and options, and a table begins.

import { fetchAhead } from "./ahead.js";
import { fill, notice } from "./dom.js";
import { cover, differences, editions, facts, pictured } from "./editions.js";
import { finder, found } from "./finding.js";
import { forgetful } from "./forgetful.js";
import { chatForm, clockForm, optionForm, seatForm, sideForm } from "./form.js";
import { languageChoice } from "./language.js";
import { learned } from "./learned.js";
import { level, levelWord } from "./levels.js";
import { link } from "./links.js";
import { keepName, nameField, ownName } from "./own_name.js";
import { h } from "./preact.js";
import { attend, bell, tell } from "./signals.js";
import { readStored, store } from "./storage.js";
import { turnsHere, watchTurns } from "./turns.js";
import { entry, language, load, number, say } from "./words.js";
import { myTables } from "./my_tables.js";

/** @import { Edition, FieldEvent, FormEvent, Listed, SeatChoice, WantedSeat } from "./types" */

const LAST = "rulewright edition"; // that was begun last, by the name in its address
const LEVEL = "rulewright level"; // of the computer, that was chosen last
const AGAIN = 1000; // ms, after which a list that is not whole is asked for again
const CARDS = 6; // at most, for games that are still to come
const GAMES = "/games/"; // below it each edition has an address of its own

const main = /** @type {HTMLElement} */ (document.getElementById("main"));
const head = /** @type {HTMLElement} */ (document.getElementById("head"));

/** @type {{ editions: Listed[], players: string[], loading: number }} */
let listed = { editions: [], players: [], loading: 0 };
let refreshed = 0; // how often
let first = ""; // the address of the game that 'Play now' offers, which stays while others come
/** @type {Edition | null} */
let edition = null;
/** @type {WantedSeat[]} */
let seats = [];
/** @type {Record<string, string>} */
let chosen = {};
/** @type {Set<string>} */
let joined = new Set();
/** @type {SeatChoice} */
let side = "lot";
let clock = 0;
let chat = true;
let failed = false; // to load the list, at the last try

/** @param {string} path @param {Record<string, string>} slots */
async function get(path, slots = {}) {
  const answer = await fetch(`${path}?${new URLSearchParams({ ...slots, language: language() })}`);
  if (!answer.ok) throw new Error(String(answer.status));
  return answer.json();
}

function heading() {
  fill(
    head,
    h("h1", {}, h("img", { src: "/page/icon.svg", alt: "" }), "Rulewright"),
    bell(heading),
    languageChoice(() => refresh(true)),
  );
}

async function refresh(speaking = false) {
  heading();
  failed = false;
  if (!speaking) fill(main, welcome(), waiting(CARDS));
  const mine = ++refreshed;
  do {
    try {
      const found = await get("/editions", { partly: "yes" });
      if (mine !== refreshed) return; // another language, meanwhile
      listed = found;
      await follow();
    } catch {
      if (mine !== refreshed) return;
      failed = true;
      draw();
      return;
    }
    if (listed.loading) await new Promise((go) => setTimeout(go, AGAIN));
  } while (listed.loading && mine === refreshed);
}

// Where the server does not answer, or not as it should: what is there stays, and one can try again.
const trouble = () =>
  failed &&
  h(
    "p",
    { class: "panel trouble", role: "alert" },
    say("not listed"),
    h(
      "button",
      { type: "button", class: "main", onclick: () => refresh(listed.editions.length > 0) },
      say("try again"),
    ),
  );

const welcome = () => h("p", { class: "welcome" }, say("welcome"));

// In the place of games that a server which has just started does not know yet.
/** @param {number} count */
const waiting = (count) => [
  h("p", { class: "lead", role: "status" }, say("loading")),
  h(
    "ul",
    { class: "editions", "aria-hidden": "true" },
    Array.from({ length: Math.min(count, CARDS) }, (_, n) => h("li", { class: "waiting", key: n })),
  ),
];

// Shows what the address of the page names: an edition, or all of them.
async function follow() {
  const name = decodeURIComponent(location.pathname).slice(GAMES.length);
  const named = listed.editions.find((one) => one.address === name);
  if (!named && name && listed.loading) fill(main, waiting(1));
  else if (!named) {
    edition = null;
    draw();
  } else if (edition?.address === name) {
    edition = await get(`/editions/${named.edition}`);
    draw();
  } else await open(named);
}

/** @param {string} path */
async function visit(path) {
  history.pushState(null, "", path);
  await follow();
}

/** @param {string} name */
function pick(name) {
  const one = listed.editions.find((other) => other.edition === name);
  return one && visit(`${GAMES}${one.address.split("/").map(encodeURIComponent).join("/")}`);
}

/** @param {Listed} one */
async function open(one) {
  const found = await get(`/editions/${one.edition}`);
  edition = { ...one, ...found };
  seats = usualSeats(one, ownName());
  chosen = {};
  side = "lot";
  joined = new Set();
  draw();
  scrollTo(0, 0);
  main.querySelector("h2")?.focus();
  fetchAhead();
}

/** @param {Listed} of @param {string} name */
// Others are computers, as strong as was chosen last.
function usualSeats(of, name) {
  const others = Array.from({ length: of.usual - 1 }, () => ({ player: opponent(), name: "" }));
  return [{ player: "here", name }, ...others];
}

// Straight to a table: the game that was begun last, or the first one, against the usual opponents.
function playNow() {
  const last = readStored(LAST);
  const at = (/** @type {string | null} */ address) => listed.editions.find((other) => other.address === address);
  const one = at(first) ?? at(last) ?? listed.editions[0];
  first = one?.address ?? "";
  const play = (/** @type {FormEvent} */ event) => {
    event.preventDefault();
    const typed = event.target.querySelector("input")?.value.trim() ?? "";
    if (typed) keepName(typed);
    start(one, placed(wantedBy(event, usualSeats(one, typed)), "lot"), {});
  };
  return (
    one &&
    h(
      "form",
      { class: "panel play-now", onsubmit: play, onfocusin: fetchAhead },
      h("span", { class: "art" }, cover(one)),
      h("div", {}, gameChoice(one), opponents(one.usual - 1)),
      h("label", { class: "named" }, h("span", {}, say("your name")), nameField({ placeholder: say("guest") })),
      h("button", { class: "main", type: "submit" }, `▸ ${say("play now")}`),
      invites(true),
    )
  );
}

// How many computers play, and how well.
/** @param {number} count */
function opponents(count) {
  const levels = listed.players.filter(level);
  const told = entry(say("computer opponents"), number(count));
  if (!levels.length) return h("p", { class: "faint" }, told);
  return h(
    "label",
    { class: "opponents" },
    h("span", { class: "faint" }, told),
    h(
      "select",
      { onchange: (/** @type {FieldEvent} */ { target }) => store(LEVEL, target.value) },
      levels.map((player) =>
        h("option", { key: player, value: player, selected: player === opponent() }, levelWord(player)),
      ),
    ),
  );
}

// The computer that was chosen last, where this server has it; at first one of the middle level.
function opponent() {
  const last = readStored(LEVEL) ?? "";
  return level(last) && listed.players.includes(last) ? last : "medium";
}

// Which game that is, of all on the shelf.
/** @param {Listed} one */
const gameChoice = (one) =>
  h(
    "select",
    {
      class: "title",
      "aria-label": say("which game"),
      onchange: (/** @type {FieldEvent} */ { target }) => {
        first = target.value;
        draw();
      },
    },
    [...Map.groupBy(listed.editions, ({ series }) => series)].map(([series, games]) => {
      const options = games.map(({ address, title }) =>
        h("option", { key: address, value: address, selected: address === one.address }, title),
      );
      return series ? h("optgroup", { key: series, label: series }, options) : options;
    }),
  );

// The seats, with friends instead of the computer where a form was sent by its button for inviting them.
/** @param {SubmitEvent} event @param {WantedSeat[]} sitting @returns {WantedSeat[]} */
const wantedBy = ({ submitter }, sitting) =>
  submitter?.getAttribute("name") === "friends"
    ? sitting.map((seat) => (seat.player === "here" ? seat : { player: "friend", name: "" }))
    : sitting;

/** @param {boolean} offered */
const invites = (offered) => offered && h("button", { type: "submit", name: "friends" }, say("invite friends"));

// The seats in their order around the table. Where two sit, the first of the list sits where its side is.
/** @param {WantedSeat[]} wanted @param {SeatChoice} on @returns {WantedSeat[]} */
const placed = (wanted, on) =>
  wanted.length === 2 && (on === "second" || (on === "lot" && Math.random() < 0.5)) ? wanted.toReversed() : wanted;

function draw() {
  tell(edition?.title ?? "Rulewright", turnsHere());
  fill(
    main,
    edition
      ? [trouble(), form(edition)]
      : h(
          "div",
          { class: "start" },
          welcome(),
          trouble(),
          forgetful(),
          myTables(draw),
          playNow(),
          listed.editions.length > 0 && h("h2", {}, say("which game")),
          finder(listed.editions, listed.loading > 0, pick, draw),
          editions(found(listed.editions), pick),
          listed.loading > 0 && !failed && waiting(listed.loading),
        ),
  );
}

// Straight to the first lesson for whoever has done none yet.
/** @param {Edition} edition */
const lessonsOf = ({ edition }) => `/editions/${edition}/learn${learned(edition).size ? "" : "#1"}`;

/** @param {Edition} edition */
function form(edition) {
  const rules = `/editions/${edition.edition}/rulebook?${new URLSearchParams({ ...chosen, language: language() })}`;
  return h(
    "form",
    { class: "begin", onsubmit: (event) => begin(event, edition) },
    h(
      "p",
      { class: "leads-back" },
      h("button", { type: "button", class: "plain", onclick: () => visit("/") }, `‹ ${say("back")}`),
    ),
    h(
      "div",
      { class: "about" },
      edition.cover && h("img", { class: "cover", src: pictured(edition, edition.cover), alt: "" }),
      h(
        "div",
        {},
        h("h2", { tabindex: -1 }, edition.title),
        facts(edition),
        h("p", {}, edition.text),
        h(
          "p",
          { class: "row" },
          edition.learn && h("a", { class: "learns", href: lessonsOf(edition) }, say("learn")),
          h("a", { href: rules, target: "_blank" }, say("rulebook")),
        ),
      ),
    ),
    h("div", { class: "set-up" }, setUp(edition)),
  );
}

/** @param {Edition} of */
const siblings = ({ edition, game }) => listed.editions.filter((one) => one.game === game && one.edition !== edition);

// Who plays, and how, with the button that begins.
/** @param {Edition} edition */
function setUp(edition) {
  const people = seats.filter(({ player }) => player === "here" || player === "friend").length;
  return [
    seatForm(edition, seats, joined, ["here", "friend", ...listed.players], draw),
    sideForm(edition, seats, side, (chosen) => {
      side = chosen;
      draw();
    }),
    optionForm(edition, chosen, draw),
    clockForm(clock, (seconds) => {
      clock = seconds;
      draw();
    }),
    chatForm(seats, chat, (on) => {
      chat = on;
      draw();
    }),
    differences(edition, siblings(edition), draw),
    h("p", { class: "go" }, h("button", { class: "main", type: "submit" }, say("start")), invites(people < 2)),
  ];
}

/** @param {SubmitEvent} event @param {Edition} edition */
async function begin(event, edition) {
  event.preventDefault();
  const roles = edition.roles.map((role) => role.name).filter((role) => joined.has(role));
  const mine = seats.find((seat) => seat.player === "here");
  if (mine?.name) keepName(mine.name);
  const virtual = roles.map((role) => ({ player: "random", name: "", role }));
  start(edition, [...placed(wantedBy(event, seats), side), ...virtual], chosen, { clock, chat });
}

/** @param {Listed} of @param {WantedSeat[]} sitting @param {Record<string, string>} options */
async function start(of, sitting, options, agreed = {}) {
  store(LAST, of.address);
  let guests = 0;
  const guest = () => (guests++ ? `${say("guest")} ${guests}` : say("guest"));
  const seated = sitting.map(({ player, name, role }) => ({
    player,
    ...(player === "here" && { name: name.trim() || guest() }),
    ...(role && { role }),
  }));
  const wanted = { edition: of.edition, seats: seated, options, ...agreed };
  notice(say("loading"));
  const answer = await fetch(`/tables?${new URLSearchParams({ language: language() })}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(wanted),
  });
  const told = await answer.json();
  if (answer.status === 404) await reread();
  if (answer.ok) location.assign(link(...told.seats, told.host));
  else notice(told.text);
}

// The file of an edition has changed: the server knows it by another digest now.
async function reread() {
  edition = null;
  await refresh(true);
}

addEventListener("popstate", follow);
await load();
attend(heading);
await refresh();
watchTurns(draw);
