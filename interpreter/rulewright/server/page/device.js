// This device at a table: one connection for all tokens behind the #, what each is shown, and who looks at it now.

import { changedSpaces, lookBack, trail } from "./changed_spaces.js";
import { Chat } from "./chat.js";
import { Connection } from "./connection.js";
import { answerEarly } from "./dialling.js";
import { about, chainPick, line, now, seenWith } from "./document.js";
import { isNoticing, notice } from "./dom.js";
import { needsHandover, publicSide } from "./handover.js";
import { History } from "./history.js";
import { Leads } from "./leads.js";
import { known, link, replace } from "./links.js";
import { merged } from "./merge_patch.js";
import { Pace } from "./pace.js";
import { Picking, picksFor, several } from "./picking.js";
import { foresee, planned, Planning } from "./planning.js";
import { fetched } from "./pictures.js";
import { received } from "./received.js";
import { saveTable } from "./saved_tables.js";
import { heardScores } from "./scores_heard.js";
import { plans } from "./switches.js";
import { Unsent } from "./unsent.js";
import { say } from "./words.js";

/** @import { ServerMessage, Update } from "./protocol" */
/** @import { ChangedSpaces, Lead, LoggedState, Message, Question, Redraw, Said, Side, State, Table, TableDocument } from "./types" */
/**
 * sides: of each token, the document that it is shown, what of that the table is made of, what it shows now, its log,
 * and what is picked so far; shown: the one that is looked at, none while there are no links; chat: what people say to
 * each other, the same for all who sit here; passing: of several people here, whom the device is to be passed to;
 * raised: who has said that they have it; trouble: what is wrong with the connection; due: whether the page is to be
 * drawn anew; draw, explained: what draws it, and what shows explanations.
 * @type {{ sides: Side[], shown: Side, connection: Connection | null, chat: Chat | null, passing: Side | null, raised: Side | null, trouble: string, due: boolean, draw: Redraw, explained: (table: Table, message: any) => void }}
 */
export const device = {
  sides: [],
  shown: /** @type {Side} */ (/** @type {unknown} */ (undefined)),
  connection: null,
  chat: null,
  passing: null,
  raised: null,
  trouble: "",
  due: false,
  draw: () => {},
  explained: () => {},
};

const redraw = () => device.draw();

// Gives the device a file.
/** @param {string} name @param {unknown} held */
const keep = (name, held) => import("./later.js").then(({ download }) => download(name, held));

export function open() {
  const found = known();
  const made = found.length > 0 ? new Connection(found, hear, change) : null;
  device.connection = made;
  device.chat = made && new Chat(made.tokens[0], redraw);
  device.sides = !made
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
            plan: [],
            planPicked: null,
            back: false,
            planning: null,
            foreseen: new Map(),
            received: new Map(),
          })
        );
        side.unsent = new Unsent(made);
        side.connection = made.by(index, (message) => side.unsent.failed(message));
        side.history = new History(side, redraw);
        side.leads = new Leads((message) => side.connection.send(message));
        side.review = null;
        side.pace = new Pace(
          (state) => take(side, state),
          () => {
            turn();
            device.draw();
          },
          () => side.table?.seat ?? null,
          () => side.table?.deals === true,
        );
        side.from = side.history.looked >= 0 ? side.history.looked : null;
        return side;
      });
  [device.shown] = device.sides;
  device.passing = device.raised = null;
  device.draw();
}

// What is wrong with the connection is told again only where nothing else has been told since: each try tells it.
/** @param {string} what */
function change(what) {
  if (what === "ended") return;
  const lost = navigator.onLine ? say("lost") : say("offline");
  const trouble = what === "lost" ? lost : what === "blocked" ? say("filtered") : "";
  if (!trouble || trouble !== device.trouble || !isNoticing()) notice(trouble, { holds: true });
  device.trouble = trouble;
}

/** @type {Record<string, (side: Side, message: any) => void>} */
const hearing = {
  refused: (side, message) => {
    side.unsent.done();
    rests(side);
    const { sitting } = side;
    side.sitting = null;
    // The seat was taken, perhaps from here: the server may have gone before it could say so.
    if (message.gone && sitting) {
      replace(side.token, keyed(side.token, sitting.key ?? ""));
      reopen();
      return;
    }
    if (side.picked.sent && side.state?.asked) pickingOf(side, side.state.asked).hold(null);
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
    const here = device.sides.find((one) => one.table?.you === "seat" && one.table.seat === message.seat);
    if (!here) return;
    replace(here.token, message.token);
    reopen();
  },
  tried: (side, { take = [], leads = {}, doubt = "", ...message }) => {
    side.leads.heard({ ...message, take, leads: ledOn(leads, side.table), doubt });
    side.picking = null;
    const { chosen } = side.picked; // before it was known to be a mere pick, which nobody confirms
    if (chosen && side.state?.asked && side.leads.to(chosen.key)?.next) pickingOf(side, side.state.asked).take(chosen);
  },
  past: (side, { step, state, lines }) => {
    if (!side.table) return;
    const past = { ...now(state, side.table), lines: lines.map(line) };
    side.history.heard({ step, state: past });
    if (!side.state || !side.trail || step !== side.trail.step) return;
    side.trail.step -= 1;
    const goesOn = lookBack(side.trail, past);
    const { zones } = side.trail;
    side.state = marked(side, side.state, { zones, by: side.trail.by ?? "", ended: false });
    if (goesOn && step > 0) side.connection.send({ type: "look", step: side.trail.step });
    else side.trail = null;
  },
  reviewed: (side, message) => side.review?.heard({ ...message, lines: message.lines.map(line) }),
  analysed: (side, message) => side.review?.judged(message),
  scores: (_, { steps, rounds }) => heardScores(steps, rounds),
  explained: (side, message) =>
    side.table &&
    device.explained(side.table, {
      ...message,
      told: message.told.map((/** @type {any} */ one) => ({ rulings: [], ...one })),
    }),
  rematch: (side, { token = "", host = "" }) => joined(side, [token, host]),
  shared: (side, message) => {
    side.shared = link(message.token).replace("#", "?replay#");
  },
  reported: (_, message) => keep("rulewright-fault.json", message.report),
  recorded: (_, { name, text }) => keep(name, text),
  save: (_, message) => keep("rulewright.json", message.save),
};

// Another token of the same table.
/** @param {string} token @param {string} key */
const keyed = (token, key) => token.slice(0, token.lastIndexOf(".") + 1) + key;

// What answers lead to, with the questions that follow them.
/** @param {Record<string, import("./protocol").LeadsTold>} leads @param {Table | null} of @returns {Record<string, Lead>} */
const ledOn = (leads, of) =>
  Object.fromEntries(
    Object.entries(leads).map(([key, lead]) => [
      key,
      { ...lead, next: lead.next && of ? chainPick(lead.next, of) : null },
    ]),
  );

// Messages that change nothing on the table.
const UNDRAWN = new Set(["kept", "explained", "reported", "save"]);

// Of a document, what changes without a word about the game itself.
const COMPANY = new Set(["now", "own", "away", "rematch", "messages", "silent"]);

// A change of what a reader is device.shown. Where one is missing, all is asked for again.
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
  if (number === 1) rests(side, side.unsent.answer);
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
  side.review?.forget();
  if (side.document.now) {
    fetched(of.edition, redraw);
    side.table = of;
    side.lobby = null;
    // The game has begun: whoever gave links away sits down again.
    if (of.you === "seat" && device.shown?.lobby?.you === "host") device.shown = side;
  } else {
    if (of.you === "group" && !side.lobby) device.shown = side;
    side.lobby = of;
    if (of.you === "host" && !of.begun && of.group && !device.shown?.state) device.shown = side;
    if (of.begun && device.shown === side) device.shown = device.sides.find((one) => one.state) ?? side;
  }
  remember(of);
}

// A state, when it is time to show it.
/** @param {Side} side @param {LoggedState} state */
function take(side, state) {
  if (state.log.start < side.lines.length) side.history.forget();
  const isUndone = state.log.start < side.lines.length;
  const earlier = side.state;
  side.planning = null;
  side.received = received(earlier, state, side.table?.seat ?? null, side.received);
  const changed = isUndone ? changedSpaces(null, state) : changedSpaces(earlier, state, side.changed);
  side.state = { ...marked(side, state, changed), received: side.received };
  side.trail = null;
  if ((isUndone || !earlier) && state.steps > 1 && side.table?.boards.length) {
    side.trail = { ...trail(state), step: before(state) };
    side.connection.send({ type: "look", step: before(state) });
  }
  if (earlier === null && side.state.over && new URLSearchParams(location.search).has("replay"))
    setTimeout(() => side.history.replay());
  if (state.log.lines.length || isUndone) side.lines = [...side.lines.slice(0, state.log.start), ...state.log.lines];
  const other = side.state.asked?.question !== side.question;
  if (other) {
    side.picked = picksFor(side.picked.given, side.state.asked);
    side.picking = null;
    side.question = side.state.asked?.question;
    side.leads.ask(side.question ?? null, side.state.asked !== null && several(side.state.asked));
    if (side.state.asked) carryOut(side, side.state.asked);
    if (side.state.asked) answerEarly(side.state.asked, (asked) => pickingOf(side, asked));
    goOnBack(side);
  }
  if (side.state.over && side.table) remember(side.table, true);
  side.turned ||= other; // several states may be device.shown before anybody looks
}

/** @param {State} state */
const before = (state) => state.steps - 2;

// A state with marks of the last move.
/** @param {Side} side @param {State} state @param {ChangedSpaces} changed @returns {State} */
function marked(side, state, changed) {
  side.changed = changed;
  return { ...state, changed: changed.zones };
}

// What is taken back is taken back as a whole, with what was picked for it.
/** @param {Side} side */
function goOnBack(side) {
  if (side.back && side.state?.asked?.picked.length) side.connection.send({ type: "undo" });
  else side.back = false;
}

// What was planned for a question that has come now.
/** @param {Side} side @param {Question} asked */
function carryOut(side, asked) {
  const answer = planned(side, asked);
  foresee(side, asked);
  if (answer === "undo") side.connection.send({ type: "undo" });
  else if (answer) give(side, { type: "answer", question: asked.question, ...answer });
}

// Again with the same people: all who sit at this device.
export function again() {
  const seated = device.sides.filter((side) => side.document.you === "seat");
  for (const side of seated.length ? seated : [device.shown]) {
    Object.assign(side, { joining: true, next: [] });
    side.connection.send({ type: "rematch" });
  }
}

// given: the tokens of a seat at the next table, and of its host. When all have theirs, they go there together.
/** @param {Side} side @param {string[]} given */
function joined(side, given) {
  Object.assign(side, { joining: false, next: given });
  if (device.sides.some((one) => one.joining)) return;
  const [seats, hosts] = [0, 1].map((place) => device.sides.map((one) => one.next?.[place]).filter(Boolean));
  if (seats.length + hosts.length) location.assign(link(...seats, ...hosts));
  scrollTo(0, 0);
}

// Everybody at this device goes on to the next question.
export function skip() {
  const alone = device.sides.filter(seated).length === 1;
  for (const side of device.sides) side.pace.skip(alone && seated(side));
  turn();
  device.draw();
}

/** @param {Table} of @param {boolean} [over] */
function remember({ title, seats }, over = false) {
  saveTable(location.hash, { title, names: seats.map((seat) => seat.name).filter(Boolean), over });
}

/** @param {ServerMessage} message */
function hear(message) {
  if (message.type === "updates") {
    for (const one of message.of) update(device.sides[one.reader ?? 0], one);
    if (speaker().number) device.chat?.hear(speaker().document);
    turn();
  } else hearing[message.type]?.(device.sides[message.reader ?? 0], message);
  if (!UNDRAWN.has(message.type)) drawSoon();
}

// However many messages have come while the page was busy, it is drawn once for all of them: what draws it stands in
// the same row, behind them.
const drawing = new MessageChannel();
drawing.port1.onmessage = () => device.due && device.draw();

function drawSoon() {
  if (!device.due) drawing.port2.postMessage(null);
  device.due = true;
}

// Of several people at one device, one who is asked is device.shown when the one who was device.shown is not any more.
function turn() {
  const asked =
    device.sides.find((side) => side.turned && side.state?.asked) ??
    (device.sides.some((side) => side.turned) && device.sides.find((side) => side.state?.asked));
  device.sides.forEach((side) => {
    side.turned = false;
  });
  if (asked && !(device.passing ?? device.shown)?.state?.asked) look(asked);
}

/** @param {Side} side */
export function look(side) {
  device.passing = null;
  device.shown = side;
}

// While the device is passed on, there is what everybody may see.
export function cover() {
  if (device.passing && !needsHandover(device.sides, device.passing, device.raised)) look(device.passing);
  if (device.shown !== device.raised) device.raised = null;
  if (device.passing || !needsHandover(device.sides, device.shown, device.raised)) return;
  device.passing = device.shown;
  device.shown = publicSide(device.sides) ?? device.shown;
}

export function raise() {
  device.raised = device.passing;
  look(device.passing ?? device.shown);
  device.draw();
  /** @type {HTMLElement | null} */ (document.querySelector("main .asked h2"))?.focus({ preventScroll: true });
}

export function reopen() {
  device.connection?.end();
  open();
}

// Whoever answers has looked.
/** @param {Message} message */
export function send(message) {
  if (message.type === "answer") {
    if (device.shown.picked.given) return;
    device.shown.history.look();
    device.shown.from = null;
    device.shown.pace.seen();
    device.shown.received = new Map();
    give(device.shown, message);
    device.draw();
  } else {
    if (message.type === "undo") device.shown.back = !device.shown.state?.asked?.picked.length;
    device.shown.connection.send(message);
  }
}

// What is asked rests while an answer to it is on its way.
/** @param {Side} side @param {Said.Answer | null} [given] */
function rests(side, given = null) {
  side.picked.given = given;
  side.picking = null;
}

/** @param {Side} side @param {Said.Answer} answer */
function give(side, answer) {
  side.unsent.give(answer);
  const isSent = side.connection.send(answer);
  rests(side, isSent ? answer : null); // one that waits for a connection can still be changed
}

// The same one until something of the answer, or of what it leads to, is another.
/** @param {Side} side @param {Question} asked */
export function pickingOf(side, asked) {
  const changed = () => {
    side.picking = null;
    device.draw();
  };
  if (side.picking?.asked !== asked) side.picking = null;
  side.picking ??= new Picking(asked, side.picked, send, changed, side.leads, () => send({ type: "undo" }));
  side.picking.binding =
    side.table?.seats.some(({ kind }, seat) => kind === "person" && seat !== side.table?.seat) ?? false;
  return side.picking;
}

// What a side may plan while it is not asked; the same one until something of it changes.
/** @param {Side} side @returns {Picking | null} */
export function planningOf(side) {
  const { table, state, foreseen } = side;
  if (!table || !state || state.asked || state.over || table.seat === null || !foreseen.size || !plans()) return null;
  const changed = () => {
    side.planning = null;
    device.draw();
  };
  side.planning ??= new Planning(side, table, state, changed);
  return side.planning;
}

/** @param {Side} given */
export const seated = ({ table, lobby }) => (table ?? lobby)?.you === "seat";

// Whose link says something for whoever is at this device now.
export const speaker = () => (seated(device.shown) ? device.shown : (device.sides.find(seated) ?? device.shown));
