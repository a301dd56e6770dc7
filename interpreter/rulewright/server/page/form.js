// How a table begins: who sits where, and by which options.

import { duration } from "./clock.js";
import { el } from "./dom.js";
import { number as digits, entry, filled, say } from "./words.js";

// seats: what is wanted so far; joined: the virtual players; kinds: who can sit on a seat.
export function seatForm(edition, seats, joined, kinds, redraw) {
  const add = () => { seats.push({ player: "friend", name: "" }); redraw(); };
  return el("fieldset", { class: "seating" }, el("legend", {}, say("seats")),
    el("ol", {}, seats.map((seat, number) => seatRow(edition, seats, seat, number, kinds, together(edition, seats, joined), redraw))),
    seats.length < edition.people[1] && el("button", { type: "button", class: "plain", onclick: add }, `+ ${say("add a seat")}`),
    edition.roles.filter((role) => String(seats.length) in role.joins).map((role) => roleRow(role, role.joins[seats.length], joined, redraw)));
}

// How many sit at the table, virtual players among them.
function together(edition, seats, joined) {
  return seats.length + edition.roles.filter(({ name, joins }) => joins[seats.length] || joined.has(name)).length;
}

function seatRow(edition, seats, seat, number, kinds, all, redraw) {
  const change = (event) => { seat.player = event.target.value; redraw(); };
  const remove = () => { seats.splice(number, 1); redraw(); };
  const trained = edition.trained.find(({ player }) => player === seat.player);
  const told = trained && (trained.seats === all ? trained.notice : filled("learned seats", { seats: digits(trained.seats) }));
  return el("li", { class: `seat row seat-${number}`, key: `seat ${number}` },
    el("span", { class: "avatar", "aria-hidden": "true" }, String(number + 1)),
    el("label", { class: "kind" }, el("span", { class: "unseen" }, filled("placed", { rank: number + 1, what: say("who sits here") })),
      el("select", { onchange: change, value: seat.player }, kinds.map((kind) => el("option", { value: kind }, say(kind))),
        edition.trained.map((one) => trainedOption(one, all)))),
    seat.player === "here" && el("label", { class: "name" }, el("span", { class: "unseen" }, say(number ? "name" : "your name")),
      el("input", { value: seat.name, required: true, maxlength: 40, placeholder: say(number ? "name" : "your name"), oninput: (event) => { seat.name = event.target.value; }, autocomplete: "off" })),
    seats.length > edition.people[0] && el("button", { type: "button", class: "plain remove", onclick: remove, "aria-label": filled("remove seat", { number: number + 1 }) }, "×"),
    told && el("span", { class: "faint told", role: "status" }, told));
}

// A trained player can be chosen where as many sit as it has learned.
function trainedOption({ player, name, seats }, all) {
  const text = seats === all ? filled("trained", { name }) : filled("trained seats", { name, seats: digits(seats) });
  return el("option", { value: player, disabled: seats !== all }, text);
}

const CLOCKS = [60, 180, 300, 900, 3600, 86400, 259200, 604800];

// clock: seconds for each move; 0 for none.
export function clockForm(clock, choose) {
  return el("div", { class: "clocks" }, el("label", { class: "row" }, el("span", {}, say("time for each move")),
    el("select", { value: String(clock), onchange: (event) => choose(Number(event.target.value)) },
      el("option", { value: "0" }, say("no clock")), CLOCKS.map((seconds) => el("option", { value: String(seconds) }, duration(seconds))))),
    clock > 0 && el("p", { class: "faint" }, say("time runs out")));
}

// on: whether they can; it is asked where there are two people at least.
export function chatForm(seats, on, choose) {
  return seats.filter(({ player }) => player === "here" || player === "friend").length > 1 && el("label", { class: "row" },
    el("input", { type: "checkbox", checked: on, onchange: (event) => choose(event.target.checked) }), el("span", {}, say("chat wanted")));
}

function roleRow(role, must, joined, redraw) {
  const join = (event) => { event.target.checked ? joined.add(role.name) : joined.delete(role.name); redraw(); };
  return el("div", { class: "role", key: `role ${role.name}` }, el("label", { class: "row" },
    el("input", { type: "checkbox", checked: must || joined.has(role.name), disabled: must, onchange: join }),
    el("span", {}, entry(say("virtual player"), role.label))), role.text && el("details", {}, el("summary", {}, say("how")), el("p", { class: "faint" }, role.text)));
}

// chosen: the options that are not as usual.
export function optionForm(edition, chosen, redraw) {
  if (!edition.options.length) return null;
  const other = edition.options.filter((one) => (chosen[one.name] ?? one.usual) !== one.usual).length;
  return el("details", { class: "panel options", key: "options" },
    el("summary", {}, el("strong", {}, say("options")), ` · ${other ? entry(say("changed"), other) : say("standard rules")}`),
    edition.options.map((one) => option(one, chosen, redraw)));
}

function option(one, chosen, redraw) {
  const choose = (event) => { chosen[one.name] = event.target.value; redraw(); };
  const now = chosen[one.name] ?? one.usual;
  const told = one.choices.find((choice) => choice.name === now)?.text;
  return el("div", { class: `option${now === one.usual ? "" : " other"}`, key: one.name },
    el("label", { class: "row" }, el("strong", {}, one.label),
      el("select", { onchange: choose, value: now }, one.choices.map((choice) => el("option", { value: choice.name }, choice.label)))),
    el("p", {}, one.text), told && el("p", {}, told));
}
