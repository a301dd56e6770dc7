// The page of a table: one connection for each token behind the #, one of which is shown.

import { boards } from "./board.js";
import { Connection } from "./connection.js";
import { decision } from "./decision.js";
import { el, fill, notice } from "./dom.js";
import { Explainer, explains } from "./explain.js";
import { departures, fly } from "./flight.js";
import { away, History, stepper } from "./history.js";
import { keep } from "./kept.js";
import { languageChoice } from "./language.js";
import { link, remembered, replace, tokens } from "./links.js";
import { lobby, ownLink, shared } from "./lobby.js";
import { follow, log } from "./log.js";
import { inHand, Picking } from "./picking.js";
import { chip, heaps } from "./pieces.js";
import { avatar, players } from "./players.js";
import { result } from "./scores.js";
import { entry, filled, language, load, number, row, say } from "./words.js";
import { figuresOf, ofSeat, ofTable, ofWords } from "./zones.js";

const main = document.getElementById("main");
const head = document.getElementById("head");

// Of each token: its connection, what the table is made of, what it shows now, its log, and what is picked so far.
let sides = [];
let shown = null;

function open() {
  sides = tokens().map((token) => {
    const side = { token: remembered(token), table: null, state: null, lobby: null, lines: [], picked: new Map(), question: null, shared: null, replaced: null };
    side.history = new History(side, draw);
    side.from = side.history.looked >= 0 ? side.history.looked : null;
    side.connection = new Connection(side.token, (message) => hear(side, message), (what) => change(side, what));
    return side;
  });
  shown = sides[0] ?? null;
  draw();
}

function change(side, what) {
  if (what === "lost") notice(say("lost"));
  if (what === "open") notice("");
}

const hearing = {
  refused: (side, message) => {
    notice(message.text);
    if (!side.table && !side.lobby) side.refused = message.text;
  },
  lobby: (side, message) => {
    side.lobby = message;
    if (message.you === "host" && Object.keys(message.invites).length && !shown?.state) shown = side;
    remember(side, message);
  },
  table: (side, message) => {
    side.table = message;
    side.history.forget();
    // The game has begun: whoever gave links away sits down again.
    if (side.table.you === "seat" && shown?.lobby?.you === "host") shown = side;
    remember(side, message);
  },
  state: (side, message) => {
    if (message.log.start < side.lines.length) side.history.forget();
    if (side.state === null && message.over && new URLSearchParams(location.search).has("replay")) setTimeout(() => side.history.to(0));
    side.state = message;
    side.lines = [...side.lines.slice(0, message.log.start), ...message.log.lines];
    const other = message.asked?.question !== side.question;
    if (other) {
      side.picked = new Map();
      side.question = message.asked?.question;
    }
    if (message.over && side.table) remember(side, side.table, true);
    if (other) turn(side);
  },
  seated: (side, message) => {
    replace(side.token, message.token);
    side.connection.end();
    reopen();
  },
  kept: () => notice(""),
  replaced: (side, message) => {
    side.replaced = message;
    const here = sides.find((one) => one.table?.you === "seat" && one.table.seat === message.seat);
    if (here) renew(here, message.token);
  },
  past: (side, message) => side.history.heard(message),
  explained: (side, message) => explainer.heard(side.table, message),
  shared: (side, message) => {
    side.shared = link(message.token).replace("#", "?replay#");
  },
  save: (side, message) => {
    const url = URL.createObjectURL(new Blob([JSON.stringify(message.save, null, 1)], { type: "application/json" }));
    el("a", { href: url, download: "rulewright.json" }).click();
    URL.revokeObjectURL(url);
  },
};

function remember(side, { title, seats }, over = false) {
  keep(location.hash, { title, names: seats.map((seat) => seat.name).filter(Boolean), over });
}

// A seat at this device goes on with its new token.
function renew(side, token) {
  side.connection.end();
  replace(side.token, token);
  side.token = token;
  side.connection = new Connection(token, (message) => hear(side, message), (what) => change(side, what));
}

function hear(side, message) {
  hearing[message.type]?.(side, message);
  draw();
}

// Of several people at one device, the one who is asked is shown.
function turn(side) {
  if (side.state.asked && !shown?.state?.asked) shown = side;
}

function reopen() {
  sides.forEach((side) => side.connection.end());
  open();
}

function draw() {
  const asking = document.activeElement?.closest(".asked");
  if (shown === null) {
    fill(head, el("h1", {}, "Rulewright"), languageChoice(draw));
    fill(main, el("p", {}, say("no link")), el("p", {}, el("a", { href: "/" }, say("new game"))));
    return;
  }
  const title = shown.table?.title ?? shown.lobby?.title ?? "Rulewright";
  document.title = `${shown.state?.asked ? "● " : ""}${title}`;
  fill(head, el("h1", {}, title), phase(), book(), languageChoice(speak));
  if (shown.table && shown.state) play();
  else if (shown.lobby) fill(main, people(), lobby(shown, send, draw));
  else fill(main, people(), el("p", {}, shown.refused ?? say("connecting")), shown.refused && el("p", {}, el("a", { href: "/" }, say("new game"))));
  follow(shown.lines.length);
  makeRoom();
  // Whoever answers by keyboard goes on at the next question.
  if (asking && document.activeElement === document.body) main.querySelector(".asked h2")?.focus({ preventScroll: true });
}

// The table as it is now, or was: what has moved since it was drawn last is seen to move.
let last = { side: null, state: null };

function play() {
  const state = shown.history.state ?? shown.state;
  const departed = last.side === shown ? departures(last.state, state) : [];
  fill(main, people(), table());
  fly(departed);
  last = { side: shown, state };
}

function phase() {
  if (!shown.table || !shown.state || shown.state.over || !shown.state.round) return null;
  const { phase: name } = shown.state;
  return el("p", { class: "phase" }, `${filled("in round", { round: number(shown.state.round) })} · `, shown.table.phases[name] && explains("phase", name, shown.table.phases[name]));
}

// Where the rules of just this game stand, at a passage.
function bookAt(passage = "") {
  const of = shown.table ?? shown.lobby;
  const asked = new URLSearchParams({ ...(shown.table?.chosen ?? {}), language: language() });
  return `/editions/${of.edition}/rulebook?${asked}${passage && `#${passage}`}`;
}

function book() {
  return (shown.table ?? shown.lobby) && el("a", { class: "book", href: bookAt(shown.state?.asked?.passage), target: "_blank" }, say("rulebook"));
}

function speak() {
  sides.forEach((side) => side.connection.send({ type: "language", language: language() }));
  draw();
}

// Whoever answers has looked.
function send(message) {
  if (message.type === "answer") {
    shown.history.look();
    shown.from = null;
  }
  shown.connection.send(message);
}

// Who sits at this device, where that is more than one.
function people() {
  if (sides.length < 2) return null;
  const tabs = sides.filter((side) => side.table || side.lobby).map((side) => {
    const of = side.table ?? side.lobby;
    const name = of.seat !== null && of.you === "seat" ? of.seats[of.seat].name : say("links");
    const look = () => { shown = side; draw(); };
    return el("button", { class: "tab", key: `tab ${name}`, "aria-pressed": String(side === shown), onclick: look },
      name, side.state?.asked && el("span", { class: "mark" }, ` ● ${say("your turn")}`));
  });
  return el("nav", { class: "tabs", "aria-label": say("players") }, tabs);
}

function table() {
  const { table: of, history } = shown;
  const state = history.state ?? shown.state;
  const picking = state.asked && new Picking(state.asked, shown.picked, send, draw);
  const seats = of.seats.map((_, seat) => seat);
  return [
    state.trouble && el("p", { class: "trouble", role: "alert" }, state.trouble),
    shown.state.over && !history.on && result(of, state, { send, replay: () => history.to(0), shared: shown.shared, redraw: draw }),
    shown.from !== null && !history.on && away(history, shown.from),
    of.you === "host" && el("div", { class: "panel" }, shared(shown, of, send, draw)),
    el("div", { class: "room" },
      history.on ? el("section", { class: "asked back", "aria-label": say("step through") }, stepper(history), held(of, state, null))
        : !state.over && question(of, state, picking),
      players(of, state),
      el("div", { class: "table" },
        boards(of, state, picking, draw),
        of.seat !== null && before(of, state, picking, of.seat),
        el("div", { class: "rest" },
          ofTable(of, state, picking),
          ofWords(of, state, picking),
          el("div", { class: "others" }, seats.filter((seat) => seat !== of.seat).map((seat) => before(of, state, null, seat))))),
      el("aside", { class: "side" },
        log(shown.lines, shown.state.steps > 1 && el("button", { type: "button", class: "plain", onclick: () => history.to(history.on ? 0 : history.since) }, `↺ ${say("step through")}`)),
        of.you === "seat" && ownLink(shown.token))),
  ];
}

// The question, and what the reader holds: near the thumb.
function question(of, state, picking) {
  const { asked } = state;
  const names = row(state.waiting.map((seat) => of.seats[seat].name));
  const waiting = `${of.you === "seat" ? say("others decide") : say("watching")}${names && ` ▸ ${names}`}`;
  return el("section", { class: `asked${asked ? " now" : ""}`, "aria-label": say("question") },
    el("div", { class: "unseen", role: "status" }, asked ? entry(say("your turn"), asked.prompt) : waiting),
    el("div", { class: "question" }, asked ? decision(of, asked, picking) : el("h2", { class: "calmly", tabindex: -1 }, waiting)),
    !asked && state.sealed.length > 0 && el("span", { class: "sealed", role: "group", "aria-label": say("sealed") },
      entry(say("sealed"), ""), heaps(state.sealed).map(({ name, count }) => chip(of, name, count))),
    state.undo && el("button", { class: "plain undo", onclick: () => send({ type: "undo" }) }, `↶ ${say("take back")}`),
    held(of, state, picking));
}

// In little room, a hand that is not asked for shows its upper edge only, until somebody wants to see it.
let raised = false;

function held(of, state, picking) {
  if (of.seat === null) return null;
  const calm = !picking ? shown.history.on : !picking.asked.choices.some((choice) => inHand(of, choice));
  const raise = () => { raised = !raised; draw(); };
  return el("div", { class: `held${calm && !raised ? " calm" : ""}` },
    ofSeat(of, state, picking, of.seat, { held: true }),
    calm && el("button", { type: "button", class: "plain hold", "aria-pressed": String(raised), onclick: raise }, say("whole hand")));
}

// What lies open before a seat.
function before(of, state, picking, seat) {
  const own = seat === of.seat;
  return el("section", { class: `before seat-${seat}${own ? " own" : ""}`, key: `before ${seat}`, "data-seat-table": seat, "aria-label": of.seats[seat].name },
    el("h2", {}, avatar(of, state, seat), of.seats[seat].name),
    figuresOf(of, state, seat),
    el("div", { class: "zones" }, ofSeat(of, state, picking, seat, { small: !own, held: own && !state.over ? false : null })));
}

// The tray lies over the page: there is room for it at the end, and nothing beneath it has the focus.
let tray = null;
const resized = new ResizeObserver(makeRoom);

function makeRoom() {
  const found = main.querySelector(".asked");
  if (found !== tray) {
    resized.disconnect();
    if (found) resized.observe(found);
    tray = found;
  }
  document.documentElement.style.setProperty("--tray", `${tray?.offsetHeight ?? 0}px`);
}

const explainer = new Explainer((message) => shown?.connection.send(message), bookAt);
addEventListener("hashchange", reopen);
// Whoever looks away has looked; what comes meanwhile is told when they look again.
addEventListener("pagehide", () => sides.forEach((side) => side.history.look()));
document.addEventListener("visibilitychange", () => {
  for (const side of sides) {
    if (document.hidden) side.history.look();
    else if (side.state) side.from = side.history.looked;
  }
  draw();
});
await load();
open();
