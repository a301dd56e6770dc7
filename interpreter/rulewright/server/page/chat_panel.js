// The panel in the head of the page with what people at a table have said to each other.

import { GESTURES, inWords, shown } from "./chat.js";
import { h } from "./preact.js";
import { entry, filled, language, noted, number, say } from "./words.js";

/** @import { Chat } from "./chat.js" */
/** @import { Company, FoldEvent, FormEvent, Scrolled, Send, Talk } from "./types" */

const LONGEST = 160; // letters

// of: who sits at the table, as in its document; speak: sends a message of whoever is at the device now, or null; host:
// sends one of whoever has begun the table, if that was here, or null.
/**
 * @param {Chat} chat
 * @param {Company & { seats: import("./protocol").Sitting[] }} of
 * @param {{ speak: Send | null, host: Send | null }} given
 */
export function chatPanel(chat, of, { speak, host }) {
  const people = of.seats
    .map((seat, place) => ({ name: seat.name || seat.awaited || "", seat: place, kind: seat.kind ?? "person" }))
    .filter(({ kind }) => kind === "person");
  if (people.length < 2 || (chat.silent && !host) || !(speak || host || chat.told.length)) return null;
  const name = (/** @type {number} */ seat) => of.seats[seat]?.name ?? "";
  const heard = chat.told.filter((one) => !chat.muted.includes(one.seat));
  const { unread } = chat;
  const label = unread ? noted(say("messages"), number(unread)) : say("messages");
  const toggle = (/** @type {FoldEvent} */ event) => {
    chat.open = event.target.open;
    if (!chat.open) return;
    chat.seen();
    chat.redraw();
  };
  return [
    h(
      "details",
      { class: "chat drop", key: "chat", ontoggle: toggle },
      h(
        "summary",
        { title: label },
        h("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, h("path", { d: "M4 4h16v12h-9l-5 4v-4H4Z" })),
        h("span", { class: "unseen" }, label),
        unread > 0 && h("span", { class: "count", "aria-hidden": "true" }, number(unread)),
      ),
      h(
        "div",
        { class: "panel", role: "group", "aria-label": say("messages") },
        chat.silent
          ? h("p", { class: "faint" }, say("messages are off"))
          : [
              heard.length > 0 &&
                h(
                  "ol",
                  { class: "said", tabindex: 0, "aria-label": say("messages") },
                  heard.map((one) => line(one, name(one.seat))),
                ),
              speak ? saying(speak) : h("p", { class: "faint" }, say("only players say")),
              muting(
                chat,
                people.filter((one) => one.name && one.seat !== of.seat),
              ),
            ],
        host &&
          h(
            "button",
            { type: "button", class: "plain", key: "silence", onclick: () => host({ type: "chat", on: chat.silent }) },
            chat.silent ? say("allow messages") : say("turn messages off"),
          ),
      ),
    ),
    // Told by screen readers as it comes, though the panel is closed.
    h(
      "div",
      { class: "unseen", key: "just said", role: "log", "aria-live": "polite" },
      [...chat.fresh.values()].map((one) => h("p", { key: one.number }, entry(name(one.seat), inWords(one)))),
    ),
  ];
}

/** @param {Talk} one @param {string} name */
function line(one, name) {
  const when = new Intl.DateTimeFormat(language().replace("_", "-"), { dateStyle: "short", timeStyle: "short" }).format(
    one.at * 1000,
  );
  return h(
    "li",
    { key: one.number, title: when },
    h("strong", { class: `by seat-${one.seat}` }, h("bdi", {}, name)),
    " ",
    shown(one),
  );
}

/** @param {Send} speak */
function saying(speak) {
  const send = (/** @type {FormEvent} */ event) => {
    event.preventDefault();
    const field = /** @type {HTMLInputElement} */ (event.target.querySelector("input"));
    if (!field.value.trim() || speak({ type: "say", text: field.value })) field.value = "";
  };
  const gesture = (/** @type {keyof typeof GESTURES} */ name) =>
    h(
      "button",
      {
        type: "button",
        key: name,
        class: "gesture",
        title: GESTURES[name](),
        onclick: () => speak({ type: "gesture", name }),
      },
      shown({ gesture: name }),
    );
  return [
    h("div", { class: "gestures" }, /** @type {(keyof typeof GESTURES)[]} */ (Object.keys(GESTURES)).map(gesture)),
    h(
      "form",
      { class: "row", onsubmit: send },
      h("input", { type: "text", maxlength: LONGEST, autocomplete: "off", "aria-label": say("your message") }),
      h("button", { class: "main" }, say("send")),
    ),
  ];
}

/** @param {Chat} chat @param {{ name: string, seat: number }[]} people */
function muting(chat, people) {
  return (
    people.length > 0 &&
    h(
      "details",
      { class: "muting", key: "muting" },
      h("summary", {}, say("mute")),
      h("p", { class: "faint" }, say("muted here")),
      h(
        "div",
        { class: "row" },
        people.map(({ name, seat }) =>
          h(
            "button",
            {
              type: "button",
              key: seat,
              "aria-pressed": String(chat.muted.includes(seat)),
              onclick: () => chat.mute(seat),
            },
            filled("mute one", { name: `\u2068${name}\u2069` }),
          ),
        ),
      ),
    )
  );
}

// Down to the last message, when another one has come or the panel was opened.
/** @param {Chat | null} chat */
export function toLastMessage(chat) {
  const list = /** @type {Scrolled | null} */ (document.querySelector("ol.said"));
  const wanted = chat?.open ? chat.heard : null;
  if (!list || list.told === wanted) return;
  list.told = wanted;
  if (chat?.open) list.scrollTop = list.scrollHeight;
}
