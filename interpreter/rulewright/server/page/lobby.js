// Before the game: who sits here, who is awaited, and the links that bring them.

import { bubble } from "./chat.js";
import { clockTold } from "./clock.js";
import { needSheet, notice } from "./dom.js";
import { inAMinute, invitation } from "./invitation.js";
import { add, groupOf, link, onlyHere } from "./links.js";
import { keepName, nameField } from "./own_name.js";
import { attendance } from "./people.js";
import { h } from "./preact.js";
import { qr } from "./qr.js";
import { entry, filled, say } from "./words.js";

/** @import { Chat } from "./chat.js" */
/** @import { FormEvent, Redraw, Send, Side, Table, TapEvent } from "./types" */

// rules: the address of the rulebook; chat: what is said.
/**
 * @param {Side} side
 * @param {Table} of
 * @param {Send} send
 * @param {string} rules
 * @param {Redraw} redraw
 * @param {Chat | null} chat
 */
export function lobby(side, of, send, rules, redraw, chat) {
  needSheet("start");
  const group = groupOf(side.token);
  const invited = of.you === "invite" || of.you === "group";
  return h(
    "div",
    { class: "lobby" },
    invited
      ? invitation(of, sitting(side, send), redraw)
      : !of.begun && h("p", { class: "lead" }, say("waiting for people")),
    !of.begun && clockTold(of.clock),
    of.seats.some((seat) => seat.awaited) && h("p", {}, say("rematch is told")),
    of.you === "host" && of.group && groupLink(of, send, redraw),
    h(
      "section",
      { class: "panel", "aria-label": say("seats") },
      h(
        "ol",
        { class: "sitting" },
        of.seats.map((seat, number) =>
          h(
            "li",
            { class: `seat-${number}${seat.name ? "" : " open"}` },
            h("span", { class: "avatar", "aria-hidden": "true" }, seat.name ? [...seat.name][0].toUpperCase() : "?"),
            seat.kind === "person" && seat.name && attendance(side.document.away, number),
            h(
              "strong",
              {},
              seat.name ||
                (seat.awaited ? filled("awaited", { name: seat.awaited }) : `${number + 1}. ${say("open seat")}`),
            ),
            seat.kind !== "person" && h("span", { class: "faint" }, say("computer")),
            bubble(chat, number),
          ),
        ),
      ),
    ),
    !of.begun && inAMinute(of, rules, invited, redraw),
    of.you === "seat" &&
      group !== null &&
      h("p", {}, h("button", { type: "button", onclick: () => add(group) }, `+ ${say("one more here")}`)),
    of.you === "seat" && ownLink(side.token),
    of.you === "host" && shared(side, of, send, redraw),
  );
}

// Of the token with which the seat will be played: 256 random bits, as the server makes them.
const secret = () =>
  btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))))
    .replace(/\+/g, "-")
    .replace(/\//g, "_")
    .replace(/=/g, "");

/** @param {Side} side @param {Send} send */
function sitting(side, send) {
  const sit = (/** @type {FormEvent} */ event) => {
    event.preventDefault();
    const name = event.target.querySelector("input")?.value ?? "";
    keepName(name);
    side.sitting = { type: "sit", name, key: secret() };
    send(side.sitting);
  };
  return h(
    "form",
    { class: "row sit", onsubmit: sit },
    h("label", {}, h("span", {}, say("your name")), nameField({ required: true })),
    h("button", { class: "main" }, say("sit down")),
  );
}

// One link for all who are awaited.
/** @param {Table} of @param {Send} send @param {Redraw} redraw */
function groupLink(of, send, redraw) {
  const somebody = of.seats.some(({ name, kind }) => name && kind === "person");
  return h(
    "section",
    { class: "panel inviting" },
    h("h2", {}, say("invite friends")),
    h("p", {}, say("group link")),
    copied(say("link for all"), link(of.group), onlyHere() ? null : redraw, of.title),
    onlyHere() && [
      h("p", {}, say("only here")),
      h("details", {}, h("summary", {}, say("other devices")), h("p", {}, say("serve others"))),
    ],
    somebody && h("p", {}, h("button", { type: "button", onclick: () => send({ type: "fill" }) }, say("fill seats"))),
  );
}

// For the host: the other links that can be given away, and new ones for those that were lost.
/** @param {Side} side @param {Table} of @param {Send} send @param {Redraw} redraw */
export function shared(side, of, send, redraw) {
  const invites = Object.entries(of.invites).map(([seat, token]) =>
    copied(`${say("invite")} ${Number(seat) + 1}`, link(token)),
  );
  return h(
    "section",
    { class: "links" },
    h(
      "details",
      {},
      h("summary", {}, say("seat links")),
      h("p", {}, say("links are secret")),
      h("div", { class: "invites" }, invites, copied(say("watch"), link(of.watch))),
    ),
    lost(side, of, send, redraw),
  );
}

// side.replaced: the last link that took the place of another, if there is one.
/** @param {Side} side @param {Table} of @param {Send} send @param {Redraw} redraw */
function lost(side, of, send, redraw) {
  const people = of.seats
    .map(({ name, kind }, number) => ({ name, kind, number }))
    .filter(({ name, kind }) => kind === "person" && name);
  return (
    people.length > 0 &&
    h(
      "details",
      { class: "lost" },
      h("summary", {}, say("lost link")),
      h(
        "div",
        { class: "row" },
        people.map(({ name, number }) =>
          h(
            "button",
            { type: "button", key: number, onclick: () => send({ type: "replace", seat: number }) },
            entry(say("new link"), name),
          ),
        ),
      ),
      side.replaced && copied(of.seats[side.replaced.seat].name, link(side.replaced.token), redraw),
    )
  );
}

/** @param {string} token */
export function ownLink(token) {
  return h(
    "section",
    { class: "links" },
    h("details", {}, h("summary", {}, say("other device")), copied(say("your link"), link(token))),
  );
}

// A link to give away. redraw: what to do when its pattern is drawn, or null for none; title: with which the device may
// share it by its own means, where it has any.
/** @param {string} label @param {string} address @param {Redraw | null} [redraw] @param {string} [title] */
export function copied(label, address, redraw = null, title = "") {
  const copy = async (/** @type {TapEvent} */ event) => {
    const field = /** @type {HTMLInputElement} */ (event.target.closest(".copied")?.querySelector("input"));
    field.select();
    try {
      await navigator.clipboard.writeText(address);
      notice(say("copied"));
      setTimeout(() => notice(""), 3000);
    } catch {
      field.focus(); // selected, so that it can be copied by hand
    }
  };
  const given = { title, url: address };
  const share = () => navigator.share(given).catch(() => {}); // whoever thinks better of it, shares nothing
  const sharing = title && navigator.canShare?.(given);
  return h(
    "div",
    { class: "copied", key: address },
    redraw && qr(address, redraw),
    h(
      "label",
      {},
      h("span", {}, label),
      h("input", { readonly: true, value: address, onfocus: (event) => event.target.select() }),
    ),
    h(
      "span",
      { class: "row" },
      h(
        "button",
        { type: "button", class: title && !sharing ? "main" : null, onclick: copy, title: label },
        say("copy"),
      ),
      sharing && h("button", { type: "button", class: "main", onclick: share }, say("share link")),
    ),
  );
}
