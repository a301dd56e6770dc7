// The page of a table: the stage, what stands above and beside it, or what comes before a game.

import { bar, waitingFor } from "./bar.js";
import {
  again,
  cover,
  device,
  look,
  open,
  pickingOf,
  planningOf,
  raise,
  reopen,
  seated,
  send,
  speaker,
  skip,
} from "./device.js";
import { allSheets, coming, fill, needSheet } from "./dom.js";
import { Explainer, explains } from "./explain.js";
import { firstAnswer, keptFocus } from "./focus.js";
import { forgetful } from "./forgetful.js";
import { howToButton } from "./how_to.js";
import { hint, hinted } from "./hints.js";
import { languageChoice } from "./language.js";
import { tooSmall } from "./large.js";
import { captions, follow, onlyPhase, telling, ticker } from "./log.js";
import { more } from "./more.js";
import { held as holding, isForward, toldWhere } from "./pace.js";
import { rematch } from "./people.js";
import { arrived } from "./pictures.js";
import { h } from "./preact.js";
import { isOpen, rail, railButton, turn } from "./rail.js";
import { askForScores } from "./scores_heard.js";
import { attend, bell, tell } from "./signals.js";
import { fillWindow, isStaged, settle, stage } from "./stage.js";
import { filled, language, number, say } from "./words.js";

/** @import { Regions } from "./arrange.js" */
/** @import { Side, State, Table, Tell } from "./types" */

const main = /** @type {HTMLElement} */ (document.getElementById("main"));
const head = /** @type {HTMLElement} */ (document.getElementById("head"));

const UNDER_WAY = 8; // lines of the log, after which what the ends of deals and of the game look like is fetched

let isOpened = false; // whether the first question has been shown
let settling = 0; // the frame for which what depends on the layout is due
/** @type {(() => void)[]} */
let due = []; // what is to be done then: first the keyboard's place

const rest = coming(async () => {
  const [parts] = await Promise.all([import("./later.js"), allSheets()]);
  parts.attendLens(making, tooSmall);
  parts.attendKeys(making);
  parts.attendRefusals(asking);
  parts.attendDrags(() => {
    const picking = making();
    return picking && device.shown.table && { of: device.shown.table, picking };
  }, draw);
  return parts;
});
/** @type {ReturnType<typeof rest>} */
let later = null; // once it is there
const deal = coming(() => import("./deal_end.js"));

// Whether what comes later is wanted: the first view is there, or shows something of it.
function isPast() {
  const { table, lobby, state } = device.shown ?? {};
  return Boolean(lobby || state?.over || device.passing || (table && arrived(table)));
}

function draw() {
  device.due = false;
  if (isPast()) later = rest(draw);
  if (!due.length) due.push(keptFocus(isAskedAnew()), opening);
  cover();
  if (!device.sides.length) {
    fill(head, h("h1", {}, "Rulewright"), bell(draw), languageChoice(draw));
    fill(main, h("p", {}, say("no link")), h("p", {}, h("a", { href: "/" }, say("new game"))));
    return;
  }
  const title = device.shown.table?.title ?? device.shown.lobby?.title ?? "Rulewright";
  tell(title, turns());
  const { table, state } = device.shown;
  const isThere = Boolean(table && state && isStaged(table, state, draw));
  const fillsWindow = device.passing !== device.shown && isThere;
  fillWindow(fillsWindow);
  fill(
    head,
    fillsWindow &&
      h("button", { type: "button", class: "skip", onclick: () => firstAnswer()?.focus() }, say("to the question")),
    h("h1", {}, title),
    phase(),
    talking(),
    fillsWindow && railButton(draw),
    more(
      draw,
      table && later?.inHead(table, state, send),
      table && howToButton(draw),
      book(),
      isVisited() && linksToGive(),
      languageChoice(speak),
      bell(draw),
      table && later?.settings(table, draw),
    ),
  );
  if (device.passing === device.shown) fill(main, people(), later?.handover(device.passing, raise));
  else if (table && state && isThere) play(table, state);
  else if (device.shown.lobby && later)
    fill(main, people(), later.lobby(device.shown, device.shown.lobby, send, bookAt(), draw, device.chat), forgetful());
  else
    fill(
      main,
      people(),
      h("p", {}, device.shown.refused ?? say("connecting")),
      device.shown.refused && h("p", {}, h("a", { href: "/" }, say("new game"))),
    );
  later?.settleDrop();
  if (device.shown.state || device.shown.lobby || device.shown.refused) document.querySelector(".early")?.remove();
  if (document.hidden) settled();
  else if (!settling) settling = requestAnimationFrame(settled);
}

// The keyboard begins at the question, where nobody has gone elsewhere meanwhile; nothing shows that with other means.
function opening() {
  const heading = /** @type {HTMLElement | null} */ (main.querySelector(".asked h2"));
  if (isOpened || !heading) return;
  isOpened = true;
  if (document.activeElement === document.body) heading.focus({ preventScroll: true });
}

// What depends on how the page is laid out is done when the browser lays it out anyway, before anybody sees it: on a slow
// phone that takes as long as the drawing.
function settled() {
  settling = 0;
  const now = due;
  due = [];
  for (const one of now) one();
  settle();
  follow(device.shown?.history.on ? `to ${device.shown.history.step}` : device.shown?.lines.length);
  later?.fold();
  later?.toLastMessage(device.chat);
  later?.rove();
}

// The table as it is now, or was: what has moved since it was drawn last is seen to move.
/** @param {Table} of @param {State} current */
function play(of, current) {
  const { history } = device.shown;
  const { given } = device.shown.picked;
  const state = history.state ?? later?.withAnswer(of, current, device.passing ? null : given) ?? current;
  askForScores(device.shown.history.on ? null : send);
  if (current.over || device.shown.lines.length > UNDER_WAY) needSheet("end");
  if (of.deals && device.shown.lines.length > UNDER_WAY && deal(draw)) needSheet("deal");
  const animate = later?.movement(of, state, device.shown, history.state ? history.step : null);
  fill(
    main,
    above(of, state),
    onStage(of, state, current),
    later?.howTo(of, state, bookAt(), [book(), lessons()], draw),
  );
  due.push(later?.enlarge(draw) ?? (() => {}), animate ?? (() => {}));
}

/** @type {unknown} */
let asked; // the question that was drawn last

function isAskedAnew() {
  const before = asked;
  asked = device.shown?.state?.asked?.question;
  return asked !== before;
}

// How many are asked at this device; null while nothing has come.
function turns() {
  return device.sides.some((side) => side.state) ? device.sides.filter((side) => side.state?.asked).length : null;
}

function phase() {
  if (!device.shown.table || !device.shown.state || device.shown.state.over || !device.shown.state.round) return null;
  const { phase: name } = device.shown.state;
  const { phases, noted } = device.shown.table;
  const told = onlyPhase(phases) === null && phases[name];
  // where moves are noted, their list has the numbers that players count by
  const round = !noted && filled("in round", { round: number(device.shown.state.round) });
  if (!round && !told) return null;
  return h(
    "p",
    { class: "phase" },
    round && h("span", { class: "round" }, round, told && " · "),
    told && explains("phase", name, told),
  );
}

// Where the rules of just this game stand, at a passage.
function bookAt(passage = "") {
  const of = device.shown.table ?? device.shown.lobby;
  const asked = new URLSearchParams({ ...of?.chosen, language: language() });
  return `/editions/${of?.edition}/rulebook?${asked}${passage && `#${passage}`}`;
}

function book() {
  return (
    (device.shown.table ?? device.shown.lobby) &&
    h(
      "a",
      { class: "book", href: bookAt(device.passing ? "" : device.shown.state?.asked?.passage), target: "_blank" },
      say("rulebook"),
    )
  );
}

function lessons() {
  return (
    device.shown.table?.learn &&
    h("a", { href: `/editions/${device.shown.table.edition}/learn`, target: "_blank" }, say("learn"))
  );
}

function speak() {
  device.connection?.send({ type: "language", language: language() });
  draw();
}

// Who sits at this device, where that is more than one.
function people() {
  const seats = device.sides.filter((side) => seated(side) || (side === device.shown && device.sides.length > 1));
  if (seats.length < 2) return null;
  const tabs = seats.map((side) => {
    const of = side.table ?? side.lobby;
    const name = of?.you === "seat" && of.seat !== null ? of.seats[of.seat].name : say("links");
    return h(
      "button",
      {
        class: "tab",
        key: `tab ${name}`,
        "aria-pressed": String(side === (device.passing ?? device.shown)),
        onclick: () => {
          look(side);
          draw();
        },
      },
      name,
      side.state?.asked && h("span", { class: "mark" }, ` ● ${say("your turn")}`),
    );
  });
  return h("nav", { class: "tabs", "aria-label": say("players") }, tabs);
}

function talking() {
  const side = speaker();
  const { seats, ...rest } = side.document;
  return (
    seats &&
    device.chat &&
    later?.chatPanel(
      device.chat,
      { ...rest, seats },
      { speak: seated(side) && !device.passing ? sends(side) : null, host: hosting() },
    )
  );
}

/** @param {Side} side */
const sends = (side) => (/** @type {any} */ message) => side.connection.send(message);

// Sends what whoever began the table may do; null where they do not sit at this device.
function hosting() {
  const host = device.sides.find((side) => side.document.you === "host");
  return host ? sends(host) : null;
}

// Whether somebody may come who does not sit at this device.
function isVisited() {
  const { seats } = device.shown.table ?? device.shown.lobby ?? {};
  const here = device.sides.filter(seated).length;
  return !seats || seats.filter(({ kind }) => kind === "person").length > here;
}

// Whoever has begun the table at this device finds the links to it here: in the head, or in the menu of a table to which
// nobody else is to come.
function linksToGive() {
  const host = device.sides.find((side) => (side.table ?? side.lobby)?.you === "host");
  return (
    host &&
    host !== device.shown &&
    h(
      "button",
      {
        type: "button",
        class: "plain",
        key: "links",
        onclick: () => {
          look(host);
          draw();
        },
      },
      say("links"),
    )
  );
}

// What stands above the stage: who sits at this device, and what one has to know now.
/** @param {Table} of @param {State} state */
function above(of, state) {
  const { history } = device.shown;
  return h(
    "div",
    { class: "above" },
    people(),
    of.you === "group" && !state.over && h("p", { class: "panel" }, say("all seated")),
    !state.over && later?.back(of, send),
    state.trouble && h("p", { class: "trouble", role: "alert" }, state.trouble),
    !state.over && of.notices.map((text) => h("p", { class: "panel", role: "status", key: text }, text)),
    device.shown.from !== null && !history.on && later?.away(history, device.shown.from),
  );
}

// What the log says last.
/** @param {Tell} tell */
function lastLine(tell) {
  const line = device.shown.lines.findLast((one) => !one.heading);
  return line ? tell(line) : null;
}

/** @param {Table} of @param {State} state @param {State} current */
function onStage(of, state, current) {
  const { history, pace } = device.shown;
  const picking = state.asked && pickingOf(device.shown, state.asked);
  const tell = telling(of, state);
  const over = current.over && !history.on;
  const after = !state.asked && pace.holding;
  const end = history.on ? history.dealEnd : device.passing ? null : pace.dealEnd;
  const counting = end && !history.on;
  const isTold = after && !counting && !history.on && !device.passing;
  const bars = (/** @type {Regions} */ regions) =>
    device.passing && !history.on
      ? later?.handover(device.passing, raise)
      : bar(of, state, picking, regions, {
          history,
          told: tell,
          above: after || over || regions.rail ? null : ticker(device.shown.lines, tell),
          ending:
            over &&
            later?.outcome(of, state, {
              last: lastLine(tell),
              again: rematch(device.shown.document, again),
              replay: () => history.replay(),
              open: regions.rail && !regions.phone ? null : () => turn(draw),
              opened: isOpen(current),
            }),
          instead:
            after &&
            (counting || pace.isOwn()
              ? h("div", { class: "question" })
              : holding(pace, toldWhere(pace, regions.mode).bar, { tell, waiting: waitingFor(of, state), skip })),
          send,
        });
  const guide = hinted() && of.you === "seat" && !device.passing ? () => hint(state.asked, draw) : null;
  const hands = picking ?? (history.on || device.passing ? null : planningOf(device.shown));
  const offer = !over && !device.passing && !history.on && later?.proposed(of, state, send);
  let isBeside = false; // where moves are listed beside a board, an offer stands among them, and covers nothing
  const staged = stage(of, state, hands, {
    guide,
    away: device.shown.document.away ?? {},
    chat: device.chat,
    ended: over,
    tools: later?.handTools,
    caption: (seat, mode) => isTold && captions(toldWhere(pace, mode).seats.get(seat), tell),
    above: over && later?.podium(of, state, () => deal(draw)?.lastDeal(of, state, { lines: device.shown.lines, tell })),
    bar: bars,
    rail: (regions) => {
      isBeside = Boolean(regions.rail && !regions.phone);
      return rail(of, current, regions, {
        lines: device.shown.lines,
        tell,
        history,
        redraw: draw,
        guide: regions.rail && guide?.(),
        first:
          of.you === "host" &&
          !device.passing &&
          h("div", { class: "panel" }, later?.shared(device.shown, of, send, draw)),
        ending: over
          ? (log, more, brief) =>
              later?.ended(of, state, {
                brief,
                side: device.shown,
                open: (step) => history.show(step),
                log,
                more,
                send,
                shared: device.shown.shared,
                redraw: draw,
              })
          : null,
        more: [
          forgetful(),
          (isBeside && offer) || later?.acts(of, current, send),
          later?.menu(of, current, send, hosting(), [
            of.you === "seat" && later.ownLink(device.shown.token),
            !isVisited() && linksToGive(),
          ]),
        ],
      });
    },
    over: (rect) => (end ? deal(draw)?.endOfDeal(device.shown, of, end, { tell, rect, skip }) : later?.ways(picking)),
    redraw: draw,
  });
  return [staged, !isBeside && offer];
}

const explainer = new Explainer((message) => device.shown?.connection.send(message), bookAt);
addEventListener("hashchange", reopen);
addEventListener("keydown", (event) => {
  if (device.shown?.pace.holding && !device.shown.history.on && isForward(event)) {
    event.preventDefault();
    const button = /** @type {HTMLElement | null} */ (document.querySelector(".deal-end .main"));
    button ? button.click() : skip();
  }
});
const making = () => {
  const { shown, passing } = device;
  const asked = shown?.state?.asked;
  if (!shown || passing || shown.history.on) return null;
  return asked ? pickingOf(shown, asked) : planningOf(shown);
};
const asking = () => {
  const { table: of, state } = device.shown ?? {};
  const picking = state?.asked && making();
  return of && picking ? { of, state, picking } : null;
};
// Whoever looks away has looked; what comes meanwhile is told when they look again.
addEventListener("pagehide", () => {
  for (const side of device.sides) side.history.look();
});
document.addEventListener("visibilitychange", () => {
  for (const side of device.sides) {
    if (document.hidden) {
      side.pace.all();
      side.history.look();
    } else if (side.state) side.from = side.history.looked;
  }
  draw();
});
device.draw = draw;
device.explained = (table, message) => explainer.heard(table, message);
attend(draw);
open();
