// The first page: an edition, its seats and options, and a table begins.

import { el, fill, notice } from "./dom.js";
import { languageChoice } from "./language.js";
import { link } from "./links.js";
import { language, load, say } from "./words.js";

const main = document.getElementById("main");
const head = document.getElementById("head");

let players = [];
let edition = null;
let seats = [];
let chosen = {};
let joined = new Set();

async function get(path) {
  const answer = await fetch(`${path}?${new URLSearchParams({ language: language() })}`);
  if (!answer.ok) throw new Error(String(answer.status));
  return answer.json();
}

async function show() {
  fill(head, el("h1", {}, "Rulewright"), languageChoice(() => (edition ? pick(edition.edition) : show())));
  fill(main, el("p", {}, say("loading")));
  const listed = await get("/editions");
  players = listed.players;
  edition = null;
  const entries = listed.editions.map((one) => el("li", {}, el("button", { class: "edition", onclick: () => pick(one.edition) },
    one.cover && el("img", { src: picture(one, one.cover), alt: "" }),
    el("strong", {}, one.title), el("span", {}, `${say("players")}: ${span(one.people)}`))));
  fill(main, el("h2", {}, say("which game")), el("ul", { class: "editions" }, entries));
}

function span([least, most]) {
  return least === most ? String(least) : `${least}–${most}`;
}

function picture(of, name) {
  return `/editions/${of.edition}/pictures/${name}.svg`;
}

async function pick(name) {
  fill(head, el("h1", {}, "Rulewright"), languageChoice(() => pick(name)));
  fill(main, el("p", {}, say("loading")));
  const before = edition?.edition === name;
  edition = await get(`/editions/${name}`);
  if (!before) {
    seats = [{ player: "here", name: localStorage.getItem("rulewright name") ?? "" }];
    while (seats.length < edition.usual) seats.push({ player: "random", name: "" });
    chosen = {};
    joined = new Set();
  }
  form();
}

function form() {
  const rules = `/editions/${edition.edition}/rulebook?${new URLSearchParams({ ...chosen, language: language() })}`;
  fill(main,
    el("p", {}, el("button", { class: "plain", onclick: show }, `‹ ${say("back")}`)),
    el("form", { onsubmit: begin },
      el("h2", {}, edition.title),
      edition.cover && el("img", { class: "cover", src: picture(edition, edition.cover), alt: "" }),
      el("p", {}, edition.text),
      el("p", {}, el("a", { href: rules, target: "_blank" }, say("rulebook"))),
      el("fieldset", {}, el("legend", {}, say("seats")), seats.map(seatRow), extraSeats()),
      edition.options.length > 0 && el("fieldset", {}, el("legend", {}, say("options")), edition.options.map(option)),
      el("p", {}, el("button", { class: "main", type: "submit" }, say("start")))));
}

function seatRow(seat, number) {
  const kinds = ["here", "friend", ...players].map((kind) => el("option", { value: kind, selected: kind === seat.player }, say(kind)));
  const change = (event) => {
    seat.player = event.target.value;
    form();
  };
  const type = (event) => {
    seat.name = event.target.value;
  };
  const remove = () => {
    seats.splice(number, 1);
    form();
  };
  return el("div", { class: "seat row" },
    el("label", {}, el("span", {}, `${number + 1}. ${say("who sits here")}`),
      el("select", { onchange: change, "data-focus": `kind ${number}` }, kinds)),
    seat.player === "here" && el("label", {}, el("span", {}, say(number ? "name" : "your name")),
      el("input", { value: seat.name, required: true, maxlength: 40, oninput: type, autocomplete: "off" })),
    seats.length > edition.people[0] && el("button", { type: "button", class: "plain", onclick: remove, "aria-label": `${say("remove seat")} ${number + 1}` }, "×"));
}

function extraSeats() {
  const roles = edition.roles.filter((role) => String(seats.length) in role.joins);
  return [
    seats.length < edition.people[1] && el("button", { type: "button", onclick: () => { seats.push({ player: "friend", name: "" }); form(); } }, `+ ${say("add a seat")}`),
    roles.map((role) => {
      const must = role.joins[seats.length];
      return el("label", { class: "row" },
        el("input", { type: "checkbox", checked: must || joined.has(role.name), disabled: must, onchange: (event) => join(role.name, event) }),
        el("span", {}, `${say("virtual player")}: ${role.label}`));
    }),
  ];
}

function join(role, event) {
  if (event.target.checked) joined.add(role);
  else joined.delete(role);
}

function option(one) {
  const choose = (event) => {
    chosen[one.name] = event.target.value;
    form();
  };
  const now = chosen[one.name] ?? one.usual;
  const choices = one.choices.map((choice) => el("option", { value: choice.name, selected: choice.name === now }, choice.label));
  const told = one.choices.find((choice) => choice.name === now)?.text;
  return el("div", { class: "option" },
    el("label", { class: "row" }, el("strong", {}, one.label),
      el("select", { onchange: choose, "data-focus": `option ${one.name}` }, choices)),
    el("p", {}, one.text), told && el("p", {}, told));
}

async function begin(event) {
  event.preventDefault();
  const roles = edition.roles.map((role) => role.name).filter((role) => joined.has(role));
  const mine = seats.find((seat) => seat.player === "here");
  if (mine) localStorage.setItem("rulewright name", mine.name);
  const wanted = {
    edition: edition.edition,
    seats: [
      ...seats.map((seat) => ({ player: seat.player, ...(seat.player === "here" ? { name: seat.name } : {}) })),
      ...roles.map((role) => ({ player: "random", role })),
    ],
    options: chosen,
  };
  notice(say("loading"));
  const answer = await fetch(`/tables?${new URLSearchParams({ language: language() })}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(wanted),
  });
  const told = await answer.json();
  if (answer.ok) location.assign(link(...told.seats, told.host));
  else notice(told.text);
}

await load();
await show();
