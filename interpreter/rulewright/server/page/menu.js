// What can be done at a table besides playing: leaving it to the computer, giving up, showing a fault.

import { h } from "./preact.js";
import { filled, say } from "./words.js";

/** @import { Send, State, Table } from "./types" */

// hosting: sends what whoever began the table may do, or null where they do not sit at this device.
/** @param {Table} of @param {State | null} state @param {Send} send @param {Send | null} hosting */
export function menu(of, state, send, hosting) {
  const mine = of.you === "seat" && of.seat !== null ? of.seats[of.seat] : null;
  const people = of.seats
    .map((seat, number) => ({ seat, number }))
    .filter(({ seat }) => seat !== mine && seat.kind === "person" && seat.name && !seat.away);
  const going = of.begun && !(state?.over ?? false);
  return h(
    "details",
    { class: "menu", key: "menu" },
    h("summary", {}, say("menu")),
    h(
      "div",
      { class: "row" },
      going && mine && !mine.away && item("leave", say("leave"), () => send({ type: "leave" })),
      going &&
        hosting &&
        people.map(({ seat, number }) =>
          item(`leave ${number}`, filled("leave for", { name: seat.name }), () =>
            hosting({ type: "leave", seat: number }),
          ),
        ),
      going &&
        mine &&
        !mine.conceded &&
        h(
          "details",
          { class: "sure", key: "concede" },
          h("summary", {}, say("concede")),
          h("p", {}, say("conceding")),
          item("conceded", say("concede for good"), () => send({ type: "concede" })),
        ),
      item("report", say("report"), () => send({ type: "report" })),
      h("p", { class: "faint" }, state?.over ? say("report all") : say("report mine")),
    ),
  );
}

/** @param {string} key @param {string} label @param {() => unknown} onclick */
const item = (key, label, onclick) => h("button", { type: "button", key, onclick }, label);

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

// A file of the device's own.
/** @param {string} name @param {unknown} held */
export function download(name, held) {
  const url = URL.createObjectURL(new Blob([JSON.stringify(held, null, 1)], { type: "application/json" }));
  Object.assign(document.createElement("a"), { href: url, download: name }).click();
  URL.revokeObjectURL(url);
}
