// The page of a table: one connection for all tokens behind the #, one of which is shown.

import { boards, enlarge } from "./board.js";
import { Chat, chatPanel, toLastMessage } from "./chat.js";
import { Connection } from "./connection.js";
import { handover, needsHandover, publicSide } from "./handover.js";
import { about, line, merged, now, seenWith } from "./document.js";
import { fill, notice } from "./dom.js";
import { Explainer, explains } from "./explain.js";
import { fit } from "./fit.js";
import { departures, animateMoves } from "./move_animation.js";
import { keptFocus } from "./focus.js";
import { forgetful } from "./forgetful.js";
import { changedSpaces } from "./changed_spaces.js";
import { away, History } from "./history.js";
import { saveTable } from "./saved_tables.js";
import { languageChoice } from "./language.js";
import { Leads } from "./leads.js";
import { link, remembered, replace, tokens } from "./links.js";
import { lobby, ownLink, shared } from "./lobby.js";
import { captions, follow, log, telling, ticker } from "./log.js";
import { back, download, menu } from "./menu.js";
import { more } from "./more.js";
import { bySeat, held as holding, isForward, Pace, paceChoice } from "./pace.js";
import { rematch } from "./people.js";
import { Picking, several } from "./picking.js";
import { fetched } from "./pictures.js";
import { before, players } from "./players.js";
import { h } from "./preact.js";
import { Review, reviewed } from "./review.js";
import { result } from "./scores.js";
import { attend, bell, tell } from "./signals.js";
import { actionBar } from "./action_bar.js";
import { Unsent } from "./unsent.js";
import { filled, language, load, number, say } from "./words.js";
import { ofTable, ofWords } from "./zones.js";

/** @import { ServerMessage, Update } from "./protocol" */
/** @import { LoggedState, Message, Question, Said, Side, State, Table, TableDocument } from "./types" */

const main = /** @type {HTMLElement} */ (document.getElementById("main"));
const head = /** @type {HTMLElement} */ (document.getElementById("head"));

// Of each token: the document that it is shown, what of that the table is made of, what it shows now, its log, and what
// is picked so far.
/** @type {Side[]} */
let sides = [];
/** @type {Side} */
let shown; // none while there are no links
/** @type {Connection | null} */
let connection = null;

// What people say to each other: the same for all who sit at this device.
/** @type {Chat | null} */
let chat = null;

// Of several people at one device: whom it is to be passed to, and who has said that they have it.
/** @type {Side | null} */
let passing = null;
/** @type {Side | null} */
let raised = null;

function open() {
  const found = tokens();
  const made = found.length > 0 ? new Connection(found.map(known), hear, change) : null;
  connection = made;
  chat = made && new Chat(made.tokens[0], draw);
  sides = !made
    ? []
    : made.tokens.map((token, index) => {
        const side = /** @type {Side} */ (
          /** @type {unknown} */ ({
            token,
            document: {},
            number: 0,
            table: null,
            state: null,
            lobby: null,
            lines: [],
            picked: new Map(),
            question: null,
            expected: 0,
            shared: null,
            replaced: null,
            sitting: null,
          })
        );
        side.unsent = new Unsent(made);
        side.connection = made.by(index, (message) => side.unsent.failed(message));
        side.history = new History(side, draw);
        side.leads = new Leads((message) => side.connection.send(message));
        side.review = new Review(side);
        side.pace = new Pace(
          (state) => take(side, state),
          () => {
            turn();
            draw();
          },
          () => side.table?.seat ?? null,
        );
        side.from = side.history.looked >= 0 ? side.history.looked : null;
        return side;
      });
  [shown] = sides;
  passing = raised = null;
  draw();
}

// A link for a group that was used here may be used once more, by somebody else at this device.
/** @param {string} token */
const known = (token) => (tokens().includes(remembered(token)) ? token : remembered(token));

/** @param {string} what */
function change(what) {
  if (what === "lost") notice(navigator.onLine ? say("lost") : say("offline"));
  if (what === "blocked") notice(say("filtered"));
  if (what === "open") notice("");
}

/** @type {Record<string, (side: Side, message: any) => void>} */
const hearing = {
  refused: (side, message) => {
    side.unsent.done();
    const { sitting } = side;
    side.sitting = null;
    // The seat was taken, perhaps from here: the server may have gone before it could say so.
    if (message.gone && sitting) {
      replace(side.token, keyed(side.token, sitting.key ?? ""));
      reopen();
      return;
    }
    notice(message.text);
    if (side.joining) joined(side, []);
    if (message.gone || (!side.table && !side.lobby)) side.refused = message.text;
  },
  seated: (side, message) => {
    replace(side.token, message.token, side.document.you === "group");
    reopen();
  },
  kept: (side, { question }) => {
    side.unsent.done();
    side.expected = Math.max(side.expected, question + 1);
    notice("");
  },
  replaced: (side, message) => {
    side.replaced = message;
    const here = sides.find((one) => one.table?.you === "seat" && one.table.seat === message.seat);
    if (!here) return;
    replace(here.token, message.token);
    reopen();
  },
  tried: (side, { take = [], leads = {}, doubt = "", ...message }) => {
    side.leads.heard({ ...message, take, leads, doubt });
    side.picking = null;
  },
  past: (side, { step, state, lines }) =>
    side.table && side.history.heard({ step, state: { ...now(state, side.table), lines: lines.map(line) } }),
  reviewed: (side, message) => side.review.heard({ ...message, lines: message.lines.map(line) }),
  explained: (side, message) =>
    side.table &&
    explainer.heard(side.table, {
      ...message,
      told: message.told.map((/** @type {any} */ one) => ({ rulings: [], ...one })),
    }),
  rematch: (side, { token = "", host = "" }) => joined(side, [token, host]),
  shared: (side, message) => {
    side.shared = link(message.token).replace("#", "?replay#");
  },
  reported: (_, message) => download("rulewright-fault.json", message.report),
  save: (_, message) => download("rulewright.json", message.save),
};

// Another token of the same table.
/** @param {string} token @param {string} key */
const keyed = (token, key) => token.slice(0, token.lastIndexOf(".") + 1) + key;

// Messages that change nothing on the table.
const UNDRAWN = new Set(["kept", "explained", "reported", "save"]);

// Of a document, what changes without a word about the game itself.
const COMPANY = new Set(["now", "own", "away", "rematch", "messages", "silent"]);

// A change of what a reader is shown. Where one is missing, all is asked for again.
/** @param {Side} side @param {Update} given */
function update(side, { number, change: patch, log: told }) {
  if (number !== 1 && number !== side.number + 1) {
    side.connection.send({ type: "again" });
    return;
  }
  if (number === 1) Object.assign(side, { document: {}, lines: [] });
  if (number === 1 && side.sitting) side.connection.send(side.sitting); // after the server was gone: once is enough
  side.number = number;
  side.document = merged(side.document, patch);
  // Questions only grow, unless the server has forgotten what was answered.
  const question = side.document.own?.asked?.question ?? side.expected;
  if (question < side.expected) notice(say("older copy"));
  side.expected = question;
  side.unsent.reconnected(side.document.own?.asked?.question, (answer) => give(side, answer));
  if (Object.keys(patch).some((name) => !COMPANY.has(name))) described(side);
  const { table } = side;
  if (table && side.document.now && ("now" in patch || "own" in patch || told))
    side.pace.heard({
      ...now(seenWith(side.document.now, side.document.own), table),
      log: told ? { ...told, lines: told.lines.map(line) } : { start: side.pace.lines, lines: [] },
    });
}

// What a table is made of, and who sits there.
/** @param {Side} side */
function described(side) {
  const of = about(/** @type {TableDocument} */ (side.document));
  side.history.forget();
  side.leads.again();
  side.review.forget();
  if (side.document.now) {
    fetched(of.edition, draw);
    side.table = of;
    side.lobby = null;
    // The game has begun: whoever gave links away sits down again.
    if (of.you === "seat" && shown?.lobby?.you === "host") shown = side;
  } else {
    if (of.you === "group" && !side.lobby) shown = side;
    side.lobby = of;
    if (of.you === "host" && !of.begun && of.group && !shown?.state) shown = side;
    if (of.begun && shown === side) shown = sides.find((one) => one.state) ?? side;
  }
  remember(of);
}

// A state, when it is time to show it.
/** @param {Side} side @param {LoggedState} state */
function take(side, state) {
  if (state.log.start < side.lines.length) side.history.forget();
  const before = side.state;
  side.changed = changedSpaces(before, state, side.changed);
  side.state = { ...state, changed: side.changed.zones };
  if (before === null && side.state.over && new URLSearchParams(location.search).has("replay"))
    setTimeout(() => side.history.replay());
  if (state.log.lines.length || state.log.start < side.lines.length)
    side.lines = [...side.lines.slice(0, state.log.start), ...state.log.lines];
  const other = side.state.asked?.question !== side.question;
  if (other) {
    side.picked = new Map();
    side.picking = null;
    side.question = side.state.asked?.question;
    side.leads.ask(side.question ?? null, side.state.asked !== null && several(side.state.asked));
  }
  if (side.state.over && side.table) remember(side.table, true);
  side.turned ||= other; // several states may be shown before anybody looks
}

// Again with the same people: all who sit at this device.
function again() {
  const seated = sides.filter((side) => side.document.you === "seat");
  for (const side of seated.length ? seated : [shown]) {
    Object.assign(side, { joining: true, next: [] });
    side.connection.send({ type: "rematch" });
  }
}

// given: the tokens of a seat at the next table, and of its host. When all have theirs, they go there together.
/** @param {Side} side @param {string[]} given */
function joined(side, given) {
  Object.assign(side, { joining: false, next: given });
  if (sides.some((one) => one.joining)) return;
  const [seats, hosts] = [0, 1].map((place) => sides.map((one) => one.next?.[place]).filter(Boolean));
  if (seats.length + hosts.length) location.assign(link(...seats, ...hosts));
  scrollTo(0, 0);
}

// Everybody at this device goes on.
function forward() {
  for (const side of sides) side.pace.go();
}

function toNow() {
  for (const side of sides) side.pace.all();
  turn();
  draw();
}

/** @param {Table} of @param {boolean} [over] */
function remember({ title, seats }, over = false) {
  saveTable(location.hash, { title, names: seats.map((seat) => seat.name).filter(Boolean), over });
}

/** @param {ServerMessage} message */
function hear(message) {
  if (message.type === "updates") {
    for (const one of message.of) update(sides[one.reader ?? 0], one);
    if (speaker().number) chat?.hear(speaker().document);
    turn();
  } else hearing[message.type]?.(sides[message.reader ?? 0], message);
  if (!UNDRAWN.has(message.type)) drawSoon();
}

// However many messages have come while the page was busy, it is drawn once for all of them: what draws it stands in
// the same row, behind them.
let due = false;
const drawing = new MessageChannel();
drawing.port1.onmessage = () => due && draw();

function drawSoon() {
  if (!due) drawing.port2.postMessage(null);
  due = true;
}

// Of several people at one device, one who is asked is shown when the one who was shown is not any more.
function turn() {
  const asked =
    sides.find((side) => side.turned && side.state?.asked) ??
    (sides.some((side) => side.turned) && sides.find((side) => side.state?.asked));
  sides.forEach((side) => {
    side.turned = false;
  });
  if (asked && !(passing ?? shown)?.state?.asked) look(asked);
}

/** @param {Side} side */
function look(side) {
  passing = null;
  shown = side;
}

// While the device is passed on, there is what everybody may see.
function cover() {
  if (passing && !needsHandover(sides, passing, raised)) look(passing);
  if (shown !== raised) raised = null;
  if (passing || !needsHandover(sides, shown, raised)) return;
  passing = shown;
  shown = publicSide(sides) ?? shown;
}

function raise() {
  raised = passing;
  look(passing ?? shown);
  draw();
  main.querySelector(".asked h2")?.focus({ preventScroll: true });
}

function reopen() {
  connection?.end();
  open();
}

function draw() {
  due = false;
  const goOn = keptFocus();
  cover();
  if (!sides.length) {
    fill(head, h("h1", {}, "Rulewright"), bell(draw), languageChoice(draw));
    fill(main, h("p", {}, say("no link")), h("p", {}, h("a", { href: "/" }, say("new game"))));
    return;
  }
  const title = shown.table?.title ?? shown.lobby?.title ?? "Rulewright";
  tell(title, turns());
  fill(
    head,
    h("h1", {}, title),
    phase(),
    bell(draw),
    talking(),
    more(draw, book(), lessons(), linksToGive(), languageChoice(speak)),
  );
  if (passing === shown) fill(main, people(), handover(passing, raise));
  else if (shown.table && shown.state) play(shown.table, shown.state);
  else if (shown.lobby) fill(main, people(), lobby(shown, shown.lobby, send, bookAt(), draw, chat), forgetful());
  else
    fill(
      main,
      people(),
      h("p", {}, shown.refused ?? say("connecting")),
      shown.refused && h("p", {}, h("a", { href: "/" }, say("new game"))),
    );
  follow(shown.history.on ? `to ${shown.history.step}` : shown.lines.length);
  if (!shown.table || !shown.state) fit();
  toLastMessage(chat);
  goOn();
}

// The table as it is now, or was: what has moved since it was drawn last is seen to move.
/** @type {{ side: Side | null, state: State | null }} */
let last = { side: null, state: null };

/** @param {Table} of @param {State} current */
function play(of, current) {
  const state = shown.history.state ?? current;
  // At the end the table moves down: nothing flies across what is told then.
  const departed = last.side === shown && last.state?.over === state.over ? departures(last.state, state) : [];
  fill(main, people(), table(of, current));
  fit();
  enlarge();
  animateMoves(departed);
  last = { side: shown, state };
}

// How many are asked at this device; null while nothing has come.
function turns() {
  return sides.some((side) => side.state) ? sides.filter((side) => side.state?.asked).length : null;
}

function phase() {
  if (!shown.table || !shown.state || shown.state.over || !shown.state.round) return null;
  const { phase: name } = shown.state;
  return h(
    "p",
    { class: "phase" },
    `${filled("in round", { round: number(shown.state.round) })} · `,
    shown.table.phases[name] && explains("phase", name, shown.table.phases[name]),
  );
}

// Where the rules of just this game stand, at a passage.
function bookAt(passage = "") {
  const of = shown.table ?? shown.lobby;
  const asked = new URLSearchParams({ ...of?.chosen, language: language() });
  return `/editions/${of?.edition}/rulebook?${asked}${passage && `#${passage}`}`;
}

function book() {
  return (
    (shown.table ?? shown.lobby) &&
    h(
      "a",
      { class: "book", href: bookAt(passing ? "" : shown.state?.asked?.passage), target: "_blank" },
      say("rulebook"),
    )
  );
}

function lessons() {
  return (
    shown.table?.learn &&
    h("a", { class: "book", href: `/editions/${shown.table.edition}/learn`, target: "_blank" }, say("learn"))
  );
}

function speak() {
  connection?.send({ type: "language", language: language() });
  draw();
}

// Whoever answers has looked.
/** @param {Message} message */
function send(message) {
  if (message.type === "answer") {
    shown.history.look();
    shown.from = null;
    shown.pace.seen();
    give(shown, message);
  } else shown.connection.send(message);
}

/** @param {Side} side @param {Said.Answer} answer */
function give(side, answer) {
  side.unsent.give(answer);
  side.connection.send(answer);
}

// Who sits at this device, where that is more than one.
function people() {
  const seats = sides.filter((side) => seated(side) || (side === shown && sides.length > 1));
  if (seats.length < 2) return null;
  const tabs = seats.map((side) => {
    const of = side.table ?? side.lobby;
    const name = of?.you === "seat" && of.seat !== null ? of.seats[of.seat].name : say("links");
    return h(
      "button",
      {
        class: "tab",
        key: `tab ${name}`,
        "aria-pressed": String(side === (passing ?? shown)),
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

/** @param {Side} given */
const seated = ({ table, lobby }) => (table ?? lobby)?.you === "seat";

// Whose link says something for whoever is at this device now.
const speaker = () => (seated(shown) ? shown : (sides.find(seated) ?? shown));

function talking() {
  const side = speaker();
  const { seats, ...rest } = side.document;
  return (
    seats &&
    chat &&
    chatPanel(chat, { ...rest, seats }, { speak: seated(side) && !passing ? sends(side) : null, host: hosting() })
  );
}

/** @param {Side} side */
const sends = (side) => (/** @type {any} */ message) => side.connection.send(message);

// Sends what whoever began the table may do; null where they do not sit at this device.
function hosting() {
  const host = sides.find((side) => side.document.you === "host");
  return host ? sends(host) : null;
}

// Whoever has begun the table at this device finds the links to it here.
function linksToGive() {
  const host = sides.find((side) => (side.table ?? side.lobby)?.you === "host");
  return (
    host &&
    host !== shown &&
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

/** @param {Table} of @param {State} current */
function table(of, current) {
  const { history } = shown;
  const state = history.state ?? current;
  const picking = state.asked && pickingOf(shown, state.asked);
  const seats = of.seats.map((_, seat) => seat);
  const tell = telling(of, state);
  const after = !state.asked && shown.pace.holding;
  const happened = after && !history.on && !passing ? bySeat(shown.pace) : new Map();
  const caption = (/** @type {any} */ seat) => captions(happened.get(seat), tell);
  return [
    of.you === "group" && !state.over && h("p", { class: "panel" }, say("all seated")),
    !state.over && back(of, send),
    state.trouble && h("p", { class: "trouble", role: "alert" }, state.trouble),
    !state.over && of.notices.map((text) => h("p", { class: "panel", role: "status", key: text }, text)),
    current.over &&
      !history.on &&
      result(of, state, {
        send,
        replay: () => history.replay(),
        shared: shown.shared,
        redraw: draw,
        again: rematch(shown.document, again),
      }),
    current.over && !history.on && of.you === "seat" && reviewed(shown.review, (step) => history.show(step), draw),
    shown.from !== null && !history.on && away(history, shown.from),
    of.you === "host" && !passing && h("div", { class: "panel" }, shared(shown, of, send, draw)),
    h(
      "div",
      { class: "room" },
      passing && !history.on
        ? handover(passing, raise)
        : actionBar(of, state, picking, {
            history,
            told: tell,
            above: after ? null : ticker(shown.lines, tell),
            instead: after && holding(shown.pace, tell, { follow: forward, last: toNow }),
            send,
            redraw: draw,
          }),
      players(of, state, shown.document.away, chat, caption),
      h(
        "div",
        { class: "table" },
        boards(of, state, picking, draw),
        of.seat !== null && before(of, state, picking, of.seat),
        h(
          "div",
          { class: "rest" },
          ofTable(of, state, picking, caption(null)),
          ofWords(of, state, picking),
          h(
            "div",
            { class: "others" },
            seats.filter((seat) => seat !== of.seat).map((seat) => before(of, state, null, seat)),
          ),
        ),
      ),
      h(
        "aside",
        { class: "side" },
        log(
          shown.lines,
          { tell, look: (step) => history.show(step), upto: history.step, phases: of.phases },
          h(
            "div",
            { class: "row" },
            current.steps > 1 &&
              h(
                "button",
                { type: "button", class: "plain", onclick: () => history.show(history.on ? 0 : history.since) },
                `↺ ${say("step through")}`,
              ),
            paceChoice(draw),
          ),
        ),
        of.you === "seat" && ownLink(shown.token),
        forgetful(),
        menu(of, current, send, hosting()),
      ),
    ),
  ];
}

// The same one until something of the answer, or of what it leads to, is another.
/** @param {Side} side @param {Question} asked */
function pickingOf(side, asked) {
  const changed = () => {
    side.picking = null;
    draw();
  };
  if (side.picking?.asked !== asked) side.picking = null;
  side.picking ??= new Picking(asked, side.picked, send, changed, side.leads);
  return side.picking;
}

const explainer = new Explainer((message) => shown?.connection.send(message), bookAt);
addEventListener("hashchange", reopen);
addEventListener("keydown", (event) => {
  if (shown?.pace.holding && !shown.history.on && isForward(event)) {
    event.preventDefault();
    forward();
  }
});
// Whoever looks away has looked; what comes meanwhile is told when they look again.
addEventListener("pagehide", () => {
  for (const side of sides) side.history.look();
});
document.addEventListener("visibilitychange", () => {
  for (const side of sides) {
    if (document.hidden) {
      side.pace.all();
      side.history.look();
    } else if (side.state) side.from = side.history.looked;
  }
  draw();
});
await load();
attend(draw);
open();
