// What can be done at a table besides playing: leaving it to the computer, giving up, showing a fault.

import { h } from "./preact.js";
import { filled, say } from "./words.js";

/** @import { Child, Send, State, Table } from "./types" */

// Beside a board stand the two acts that end a game before its rules do: a draw is offered, or one gives up.
/** @param {Table} of @param {State} state @param {Send} send */
export const acts = (of, state, send) =>
  of.boards.some(({ drawn }) => drawn) &&
  mayConcede(of, state) &&
  h(
    "div",
    { class: "acts", key: "acts", role: "group", "aria-label": say("menu") },
    why(of, state, send),
    draw(state, send),
    concede(of, send),
  );

// The same of any game, and a move taken back: in the menu of a head that has no room for more.
/** @param {Table} of @param {State | null} state @param {Send} send */
export const inHead = (of, state, send) =>
  mayConcede(of, state) &&
  h(
    "div",
    { class: "acts", key: "acts" },
    askUndo(state, send),
    why(of, state, send),
    draw(state, send),
    concede(of, send),
  );

/** @param {State | null} state @param {Send} send */
const askUndo = (state, send) =>
  state?.may.includes("undo") && item("undo", say("ask undo"), () => send({ type: "propose", what: "undo" }), "↶");

/** @param {Table} of */
const seatOf = (of) => (of.you === "seat" && of.seat !== null ? of.seats[of.seat] : null);

/** @param {Table} of @param {State | null} state */
const mayConcede = (of, state) => of.begun && !state?.over && seatOf(of) !== null && !seatOf(of)?.conceded;

// Why the computer has moved so, where nothing is hidden and nobody else plays.
/** @param {Table} of @param {State | null} state @param {Send} send */
const why = (of, state, send) =>
  of.open &&
  (state?.steps ?? 0) > 1 &&
  of.seats.filter(({ kind }) => kind === "person").length === 1 &&
  item("why", say("why move"), () => send({ type: "why" }), "?");

/** @param {State | null} state @param {Send} send */
const draw = (state, send) =>
  state?.may.includes("draw") && item("draw", say("offer draw"), () => send({ type: "propose", what: "draw" }), "½");

/** @param {Table} of @param {Send} send */
const concede = (of, send) =>
  sure("concede", say("concede"), "⚑", [
    h(
      "p",
      {},
      of.seats.length === 2 ? filled("conceding to", { name: of.seats[1 - Number(of.seat)].name }) : say("conceding"),
    ),
    item("conceded", say("concede for good"), () => send({ type: "concede" })),
  ]);

// What is done once it has been confirmed.
/** @param {string} key @param {string} label @param {string} sign @param {Child} asked */
const sure = (key, label, sign, asked) =>
  h("details", { class: "sure", key }, h("summary", {}, signed(label, sign)), h("div", { class: "confirming" }, asked));

// In groups: what concerns the game, who plays, links, and a fault. hosting: sends what whoever began the table may do, or
// null where they do not sit at this device; own: the link to the reader's seat.
/** @param {Table} of @param {State | null} state @param {Send} send @param {Send | null} hosting @param {Child} own */
export function menu(of, state, send, hosting, own) {
  const mine = seatOf(of);
  const people = of.seats
    .map((seat, number) => ({ seat, number }))
    .filter(({ seat }) => seat !== mine && seat.kind === "person" && seat.name && !seat.away);
  const going = of.begun && !(state?.over ?? false);
  const may = state?.may ?? [];
  const isBeside = of.boards.some(({ drawn }) => drawn);
  const groups = [
    [
      askUndo(state, send),
      !isBeside && draw(state, send),
      !isBeside && mayConcede(of, state) && concede(of, send),
      may.includes("abort") &&
        sure("abort", say("call off"), "✕", [
          h("p", {}, say("no result")),
          item("aborted", say("call off"), () => send({ type: "propose", what: "abort" })),
        ]),
    ],
    [
      going && mine && !mine.away && item("leave", say("leave"), () => send({ type: "leave" })),
      going &&
        hosting &&
        people.map(({ seat, number }) =>
          item(`leave ${number}`, filled("leave for", { name: seat.name }), () =>
            hosting({ type: "leave", seat: number }),
          ),
        ),
    ],
    [own],
    [
      item("report", say("report"), () => send({ type: "report" })),
      h("p", { class: "faint" }, state?.over ? say("report all") : say("report mine")),
    ],
  ];
  const details = h(
    "details",
    { class: "menu", key: "menu" },
    h("summary", {}, say("menu")),
    h(
      "div",
      { class: "row" },
      groups.map((group, n) => group.flat(2).some(Boolean) && h("div", { class: "group", key: n }, group)),
    ),
  );
  return [agreements(of, state), details];
}

// What people have proposed to each other, and what the others have replied.
/** @param {Table} of @param {State | null} state */
function agreements(of, state) {
  const all = state?.proposed ?? [];
  const nameOf = (/** @type {number} */ seat) => ({ name: of.seats[seat].name });
  return (
    all.length > 0 &&
    h(
      "ol",
      { class: "agreements faint", key: "agreements", "aria-label": say("proposal") },
      all.map(({ seat, what, reply = "", replier = null }) =>
        h(
          "li",
          {},
          filled(what === "draw" ? "offers draw" : "asks undo", nameOf(seat)),
          replier !== null && reply !== "" && [" ", replyOf(reply, replier === seat, nameOf(replier))],
        ),
      ),
    )
  );
}

/** @param {string} reply @param {boolean} isOwn @param {Record<string, string>} name */
function replyOf(reply, isOwn, name) {
  if (reply === "agree") return filled("agrees", name);
  return isOwn ? filled("withdraws", name) : filled("declines", name);
}

/** @param {string} key @param {string} label @param {() => unknown} onclick */
const item = (key, label, onclick, sign = "") => h("button", { type: "button", key, onclick }, signed(label, sign));

/** @param {string} label @param {string} sign */
const signed = (label, sign) => [
  sign && h("span", { class: "sign", "aria-hidden": "true" }, sign),
  h("span", {}, label),
];

// For whoever has left their seat to the computer.
/** @param {Table} of @param {Send} send */
export function back(of, send) {
  const mine = of.you === "seat" && of.seat !== null ? of.seats[of.seat] : null;
  if (!mine?.away) return null;
  return h(
    "p",
    { class: "panel away", role: "status" },
    mine.conceded ? say("you conceded") : say("plays for you"),
    !mine.conceded &&
      h("button", { type: "button", class: "main", onclick: () => send({ type: "back" }) }, say("i am back")),
  );
}

// What somebody proposes, for whoever may accept or decline it, and for whoever has proposed it.
/** @param {Table} of @param {State} state @param {Send} send */
export function proposed(of, { proposal }, send) {
  if (!proposal || of.you !== "seat" || of.seat === null) return null;
  const { number, seat, what, asked } = proposal;
  const own = seat === of.seat;
  if (!own && !asked.includes(of.seat)) return null;
  const { name } = of.seats[seat];
  const draw = what === "draw";
  const reply = (/** @type {string} */ label, /** @type {boolean} */ agrees, main = false) =>
    h(
      "button",
      { type: "button", class: main ? "main" : "", onclick: () => send({ type: "agree", number, agrees }) },
      label,
    );
  return h(
    "div",
    { class: "panel proposal", role: "group", "aria-label": say("proposal"), key: `proposal ${number}` },
    h(
      "p",
      { role: "status" },
      own
        ? draw
          ? say("you offered draw")
          : say("you asked undo")
        : draw
          ? filled("offers draw", { name })
          : filled("asks undo", { name }),
    ),
    own ? reply(say("withdraw"), false) : [reply(say("agree"), true, true), reply(say("refuse"), false)],
  );
}
