// Before the game: who sits here, who is awaited, and the links that bring them.

import { el, notice } from "./dom.js";
import { link } from "./links.js";
import { say } from "./words.js";

export function lobby(side, send) {
  const of = side.lobby;
  return [
    el("ul", { class: "seats" }, of.seats.map((seat, number) => el("li", { class: "seat" },
      el("strong", {}, seat.name || `${number + 1}. ${say("open seat")}`),
      seat.kind !== "person" && el("span", { class: "faint" }, ` (${say("computer")})`)))),
    of.you === "invite" ? sitting(send) : el("p", {}, say("waiting for people")),
    of.you === "seat" && ownLink(side.token),
    of.you === "host" && shared(of),
  ];
}

function sitting(send) {
  const field = el("input", { required: true, maxlength: 40, autocomplete: "off", value: localStorage.getItem("rulewright name") ?? "", "data-focus": "name" });
  const sit = (event) => {
    event.preventDefault();
    localStorage.setItem("rulewright name", field.value);
    send({ type: "sit", name: field.value });
  };
  return el("form", { class: "row", onsubmit: sit }, el("label", {}, el("span", {}, say("your name")), field),
    el("button", { class: "main" }, say("sit down")));
}

export function shared(of) {
  const invites = Object.entries(of.invites).map(([seat, token]) => copied(`${say("invite")} ${Number(seat) + 1}`, link(token)));
  return el("section", { class: "links" }, el("h2", {}, say("links")), el("p", {}, say("links are secret")),
    invites, copied(say("watch"), link(of.watch)));
}

export function ownLink(token) {
  return el("section", { class: "links" }, copied(say("your link"), link(token)));
}

function copied(label, address) {
  const field = el("input", { readonly: true, value: address, onfocus: (event) => event.target.select() });
  const copy = async () => {
    field.select();
    try {
      await navigator.clipboard.writeText(address);
      notice(say("copied"));
    } catch {
      field.focus(); // selected, so that it can be copied by hand
    }
  };
  return el("div", { class: "row" }, el("label", {}, el("span", {}, label), field), el("button", { type: "button", onclick: copy }, say("copy")));
}
