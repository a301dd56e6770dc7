// The first page: an edition, its seats and options, and a table begins.

import { el, fill, notice } from "./dom.js";
import { editions, facts, pictured, yours } from "./editions.js";
import { optionForm, seatForm } from "./form.js";
import { languageChoice } from "./language.js";
import { link } from "./links.js";
import { language, load, say } from "./words.js";

const main = document.getElementById("main");
const head = document.getElementById("head");

let listed = { editions: [], players: [] };
let edition = null;
let seats = [];
let chosen = {};
let joined = new Set();

async function get(path) {
  const answer = await fetch(`${path}?${new URLSearchParams({ language: language() })}`);
  if (!answer.ok) throw new Error(String(answer.status));
  return answer.json();
}

async function refresh(speaking = false) {
  fill(head, el("h1", {}, "Rulewright"), languageChoice(() => refresh(true)));
  if (!speaking) fill(main, el("p", { class: "lead" }, say("loading")));
  listed = await get("/editions");
  if (edition) edition = await get(`/editions/${edition.edition}`);
  draw();
}

async function pick(name) {
  edition = await get(`/editions/${name}`);
  seats = [{ player: "here", name: localStorage.getItem("rulewright name") ?? "" }];
  while (seats.length < edition.usual) seats.push({ player: "greedy", name: "" });
  chosen = {};
  joined = new Set();
  history.pushState(name, "");
  draw();
  scrollTo(0, 0);
  main.querySelector("h2")?.focus();
}

function draw() {
  document.title = edition?.title ?? "Rulewright";
  fill(main, edition ? form() : el("div", { class: "start" },
    yours(draw),
    el("h2", {}, say("which game")), editions(listed.editions, pick)));
}

function form() {
  const rules = `/editions/${edition.edition}/rulebook?${new URLSearchParams({ ...chosen, language: language() })}`;
  return el("form", { class: "begin", onsubmit: begin },
    el("p", {}, el("button", { type: "button", class: "plain", onclick: () => history.back() }, `‹ ${say("back")}`)),
    el("div", { class: "about" },
      edition.cover && el("img", { class: "cover", src: pictured(edition, edition.cover), alt: "" }),
      el("div", {}, el("h2", { tabindex: -1 }, edition.title), facts(edition), el("p", {}, edition.text),
        el("p", {}, el("a", { href: rules, target: "_blank" }, say("rulebook"))))),
    seatForm(edition, seats, joined, ["here", "friend", ...listed.players], draw),
    optionForm(edition, chosen, draw),
    el("p", { class: "go" }, el("button", { class: "main", type: "submit" }, say("start"))));
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

addEventListener("popstate", (event) => {
  if (!event.state) edition = null;
  draw();
});
await load();
await refresh();
