// The page of a table: one connection for each token behind the #, one of which is shown.

import { Connection } from "./connection.js";
import { decision } from "./decision.js";
import { el, fill, notice } from "./dom.js";
import { languageChoice } from "./language.js";
import { remembered, replace, tokens } from "./links.js";
import { lobby, ownLink, shared } from "./lobby.js";
import { log } from "./log.js";
import { result } from "./scores.js";
import { seats } from "./seats.js";
import { load, language, say } from "./words.js";
import { boards, ofSeats, ofTable, ofWords } from "./zones.js";

const main = document.getElementById("main");
const head = document.getElementById("head");

// Of each token: its connection, what the table is made of, what it shows now, its log, and what is picked so far.
let sides = [];
let shown = null;

function open() {
  sides = tokens().map((token) => {
    const side = { token: remembered(token), table: null, state: null, lobby: null, lines: [], picked: new Map(), question: null };
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
  },
  table: (side, message) => {
    side.table = message;
  },
  state: (side, message) => {
    side.state = message;
    side.lines = [...side.lines.slice(0, message.log.start), ...message.log.lines];
    if (message.asked?.question !== side.question) {
      side.picked = new Map();
      side.question = message.asked?.question;
    }
    turn(side);
  },
  seated: (side, message) => {
    replace(side.token, message.token);
    side.connection.end();
    reopen();
  },
  kept: () => notice(""),
  save: (side, message) => {
    const url = URL.createObjectURL(new Blob([JSON.stringify(message.save, null, 1)], { type: "application/json" }));
    el("a", { href: url, download: "rulewright.json" }).click();
    URL.revokeObjectURL(url);
  },
};

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
  if (shown === null) {
    fill(head, el("h1", {}, "Rulewright"), languageChoice(draw));
    fill(main, el("p", {}, say("no link")), el("p", {}, el("a", { href: "/" }, say("new game"))));
    return;
  }
  const title = shown.table?.title ?? shown.lobby?.title ?? "Rulewright";
  const phase = shown.table && shown.state && !shown.state.over && shown.state.round
    ? `${say("round")} ${shown.state.round} · ${shown.table.phases[shown.state.phase] ?? ""}` : "";
  document.title = `${shown.state?.asked ? "● " : ""}${title}`;
  fill(head, el("h1", {}, title), phase && el("p", { class: "phase" }, phase), book(), languageChoice(speak));
  if (shown.table && shown.state) fill(main, people(), table());
  else if (shown.lobby) fill(main, people(), lobby(shown, send));
  else fill(main, people(), el("p", {}, shown.refused ?? say("connecting")), shown.refused && el("p", {}, el("a", { href: "/" }, say("new game"))));
}

function book() {
  const of = shown.table ?? shown.lobby;
  if (!of) return null;
  const passage = shown.state?.asked ? `#${shown.state.asked.passage}` : "";
  const asked = new URLSearchParams({ ...(shown.table?.chosen ?? {}), language: language() });
  return el("a", { href: `/editions/${of.edition}/rulebook?${asked}${passage}`, target: "_blank" }, say("rulebook"));
}

function speak() {
  sides.forEach((side) => side.connection.send({ type: "language", language: language() }));
  draw();
}

const send = (message) => shown.connection.send(message);

// Who sits at this device, where that is more than one.
function people() {
  if (sides.length < 2) return null;
  const tabs = sides.filter((side) => side.table || side.lobby).map((side) => {
    const of = side.table ?? side.lobby;
    const name = of.seat !== null && of.you === "seat" ? of.seats[of.seat].name : say("links");
    const look = () => { shown = side; draw(); };
    return el("button", { class: "tab", "aria-pressed": String(side === shown), onclick: look, "data-focus": `tab ${name}` },
      name, side.state?.asked && el("span", { class: "mark" }, ` ● ${say("your turn")}`));
  });
  return el("nav", { class: "row" }, tabs);
}

function table() {
  const { state, table: of } = shown;
  const asked = state.asked;
  const mine = { picked: shown.picked, send, redraw: draw };
  return [
    state.trouble && el("p", { class: "trouble", role: "alert" }, state.trouble),
    state.over && result(of, state, send),
    el("section", { class: "asked", "aria-live": "polite" },
      asked ? decision(of, asked, mine) : !state.over && el("p", {}, of.you === "seat" ? say("others decide") : say("watching")),
      state.undo && el("button", { class: "plain", onclick: () => send({ type: "undo" }), "data-focus": "undo" }, say("take back"))),
    of.seat !== null && ofSeats(of, state, asked, mine, true),
    boards(of, state, asked, mine),
    ofTable(of, state, asked, mine),
    ofWords(of, state, asked, mine),
    seats(of, state),
    ofSeats(of, state, asked, mine, false),
    log(shown.lines),
    of.you === "seat" && ownLink(shown.token),
    of.you === "host" && shared(of),
  ];
}

addEventListener("hashchange", reopen);
await load();
open();
