// How a table begins: who sits where, and by which options.

import { duration } from "./clock.js";
import { computer } from "./levels.js";
import { h } from "./preact.js";
import { number as digits, entry, filled, say, span } from "./words.js";

/** @import { Edition, FieldEvent, Option, Redraw, Role, SeatChoice, Trained, WantedSeat } from "./types" */

// Tables whose seats are chosen one by one, by their lists of seats.
/** @type {WeakSet<WantedSeat[]>} */
const apart = new WeakSet();

// seats: what is wanted so far; joined: the virtual players; kinds: who can sit on a seat.
/**
 * @param {Edition} edition
 * @param {WantedSeat[]} seats
 * @param {Set<string>} joined
 * @param {string[]} kinds
 * @param {Redraw} redraw
 */
export function seatForm(edition, seats, joined, kinds, redraw) {
  const others = seats.slice(1);
  const isOne = others.length > 1 && !apart.has(seats) && others.every(({ player }) => player === others[0].player);
  const isComputer = isOne && others[0].player !== "here" && others[0].player !== "friend";
  const add = () => {
    seats.push({ player: isComputer ? others[0].player : "friend", name: "" });
    redraw();
  };
  return h(
    "fieldset",
    { class: "seating" },
    h("legend", {}, say("seats")),
    h(
      "ol",
      {},
      (isComputer ? seats.slice(0, 1) : seats).map((seat, number) =>
        seatRow(edition, seats, seat, number, kinds, together(edition, seats, joined), redraw),
      ),
      isComputer && othersRow(edition, seats, kinds, together(edition, seats, joined), redraw),
    ),
    seats.length < edition.people[1] &&
      h("button", { type: "button", class: "plain", onclick: add }, `+ ${say("add a seat")}`),
    edition.roles
      .filter((role) => String(seats.length) in role.joins)
      .map((role) => roleRow(role, role.joins[seats.length], joined, redraw)),
  );
}

// All others are computers of one kind, until somebody wants them to differ.
/** @param {Edition} edition @param {WantedSeat[]} seats @param {string[]} kinds @param {number} all @param {Redraw} redraw */
function othersRow(edition, seats, kinds, all, redraw) {
  const [, ...others] = seats;
  const change = (/** @type {FieldEvent} */ event) => {
    for (const one of others) one.player = event.target.value;
    redraw();
  };
  const separate = () => {
    apart.add(seats);
    redraw();
  };
  const remove = () => {
    seats.pop();
    redraw();
  };
  return h(
    "li",
    { class: "seat row seat-1 others", key: "others" },
    h("span", { class: "avatar", "aria-hidden": "true" }, span(2, seats.length)),
    h(
      "label",
      { class: "kind" },
      h("span", { class: "unseen" }, say("all others")),
      h(
        "select",
        { onchange: change, value: others[0].player },
        kinds.filter((kind) => kind !== "here").map((kind) => h("option", { value: kind }, playerKind(kind))),
        edition.trained.map((one) => trainedOption(one, all)),
      ),
    ),
    h("button", { type: "button", class: "plain", onclick: separate }, say("each its own")),
    seats.length > edition.people[0] &&
      h(
        "button",
        {
          type: "button",
          class: "plain remove",
          onclick: remove,
          "aria-label": filled("remove seat", { number: seats.length }),
        },
        "×",
      ),
  );
}

// How many sit at the table, virtual players among them.
/** @param {Edition} edition @param {WantedSeat[]} seats @param {Set<string>} joined */
function together(edition, seats, joined) {
  return seats.length + edition.roles.filter(({ name, joins }) => joins[seats.length] || joined.has(name)).length;
}

/**
 * @param {Edition} edition
 * @param {WantedSeat[]} seats
 * @param {WantedSeat} seat
 * @param {number} number
 * @param {string[]} kinds
 * @param {number} all
 * @param {Redraw} redraw
 */
function seatRow(edition, seats, seat, number, kinds, all, redraw) {
  const change = (/** @type {FieldEvent} */ event) => {
    seat.player = event.target.value;
    redraw();
  };
  const remove = () => {
    seats.splice(number, 1);
    redraw();
  };
  const mine = seats.findIndex(({ player }) => player === "here") === number;
  const trained = edition.trained.find(({ player }) => player === seat.player);
  const told =
    trained && (trained.seats === all ? trained.notice : filled("learned seats", { seats: digits(trained.seats) }));
  return h(
    "li",
    { class: `seat row seat-${number}`, key: `seat ${number}` },
    h("span", { class: "avatar", "aria-hidden": "true" }, String(number + 1)),
    h(
      "label",
      { class: "kind" },
      h("span", { class: "unseen" }, filled("placed", { rank: number + 1, what: say("who sits here") })),
      h(
        "select",
        { onchange: change, value: seat.player },
        kinds.map((kind) => h("option", { value: kind }, kind === "here" && mine ? say("you") : playerKind(kind))),
        edition.trained.map((one) => trainedOption(one, all)),
      ),
    ),
    seat.player === "here" &&
      h(
        "label",
        { class: "name" },
        h("span", { class: "unseen" }, say(mine ? "your name" : "name")),
        h("input", {
          value: seat.name,
          maxlength: 40,
          placeholder: say("guest"),
          oninput: (event) => {
            seat.name = event.target.value;
          },
          autocomplete: "off",
        }),
      ),
    seats.length > edition.people[0] &&
      h(
        "button",
        {
          type: "button",
          class: "plain remove",
          onclick: remove,
          "aria-label": filled("remove seat", { number: number + 1 }),
        },
        "×",
      ),
    told && h("span", { class: "faint told", role: "status" }, told),
  );
}

// On which of two seats the first of the list sits. sides: what tells the seats apart, such as colours.
/** @param {Edition} edition @param {WantedSeat[]} seats @param {SeatChoice} side @param {(side: SeatChoice) => void} choose */
export function sideForm({ sides }, seats, side, choose) {
  if (seats.length !== 2 || seats[0].player !== "here") return null;
  const [first, second] = sides.length ? sides : [say("first seat"), say("second seat")];
  /** @type {[SeatChoice, string][]} */
  const choices = [
    ["lot", say("at random")],
    ["first", first],
    ["second", second],
  ];
  return h(
    "fieldset",
    { class: "sides" },
    h("legend", {}, say("your side")),
    h(
      "div",
      { class: "row" },
      choices.map(([name, label]) =>
        h(
          "label",
          { class: "row" },
          h("input", { type: "radio", name: "side", checked: side === name, onchange: () => choose(name) }),
          h("span", {}, label),
        ),
      ),
    ),
  );
}

// A trained player can be chosen where as many sit as it has learned.
/** @param {Trained} given @param {number} all */
function trainedOption({ player, name, seats }, all) {
  const text = seats === all ? filled("trained", { name }) : filled("trained seats", { name, seats: digits(seats) });
  return h("option", { value: player, disabled: seats !== all }, text);
}

const CLOCKS = [60, 180, 300, 900, 3600, 86400, 259200, 604800];

// clock: seconds for each move; 0 for none.
/** @param {number} clock @param {(seconds: number) => void} choose */
export function clockForm(clock, choose) {
  return h(
    "div",
    { class: "clocks" },
    h(
      "label",
      { class: "row" },
      h("span", {}, say("time for each move")),
      h(
        "select",
        { value: String(clock), onchange: (event) => choose(Number(event.target.value)) },
        h("option", { value: "0" }, say("no clock")),
        CLOCKS.map((seconds) => h("option", { value: String(seconds) }, duration(seconds))),
      ),
    ),
    clock > 0 && h("p", { class: "faint" }, say("time runs out")),
  );
}

// on: whether they can; it is asked where there are two people at least.
/** @param {WantedSeat[]} seats @param {boolean} on @param {(on: boolean) => void} choose */
export function chatForm(seats, on, choose) {
  return (
    seats.filter(({ player }) => player === "here" || player === "friend").length > 1 &&
    h(
      "label",
      { class: "row" },
      h("input", { type: "checkbox", checked: on, onchange: (event) => choose(event.target.checked) }),
      h("span", {}, say("chat wanted")),
    )
  );
}

/** @param {Role} role @param {boolean} must @param {Set<string>} joined @param {Redraw} redraw */
function roleRow(role, must, joined, redraw) {
  const join = (/** @type {FieldEvent} */ event) => {
    event.target.checked ? joined.add(role.name) : joined.delete(role.name);
    redraw();
  };
  return h(
    "div",
    { class: "role", key: `role ${role.name}` },
    h(
      "label",
      { class: "row" },
      h("input", { type: "checkbox", checked: must || joined.has(role.name), disabled: must, onchange: join }),
      h("span", {}, entry(say("virtual player"), role.label)),
    ),
    role.text && h("details", {}, h("summary", {}, say("how")), h("p", { class: "faint" }, role.text)),
  );
}

// chosen: the options that are not as usual.
/** @param {{ options: Option[] }} edition @param {Record<string, string>} chosen @param {Redraw} redraw */
export function optionForm(edition, chosen, redraw) {
  if (!edition.options.length) return null;
  const other = edition.options.filter((one) => (chosen[one.name] ?? one.usual) !== one.usual).length;
  return h(
    "details",
    { class: "panel options", key: "options" },
    h(
      "summary",
      {},
      h("strong", {}, say("options")),
      ` · ${other ? entry(say("changed"), other) : say("standard rules")}`,
    ),
    edition.options.map((one) => option(one, chosen, redraw)),
  );
}

/** @param {Option} one @param {Record<string, string>} chosen @param {Redraw} redraw */
function option(one, chosen, redraw) {
  const choose = (/** @type {FieldEvent} */ event) => {
    chosen[one.name] = event.target.value;
    redraw();
  };
  const now = chosen[one.name] ?? one.usual;
  const told = one.choices.find((choice) => choice.name === now)?.text;
  return h(
    "div",
    { class: `option${now === one.usual ? "" : " other"}`, key: one.name },
    h(
      "label",
      { class: "row" },
      h("strong", {}, one.label),
      h(
        "select",
        { onchange: choose, value: now },
        one.choices.map((choice) => h("option", { value: choice.name }, choice.label)),
      ),
    ),
    h("p", {}, one.text),
    told && h("p", {}, told),
  );
}

// Who can sit on a seat.
/** @param {string} kind */
const playerKind = (kind) => (kind === "here" ? say("here") : kind === "friend" ? say("friend") : computer(kind));
