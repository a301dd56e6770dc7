// How a page tells that it is somebody's turn: title and icon always, a sound and a notification for whoever wants
// them. None of these holds more than the table's title, and that it is their turn.

import { h } from "./preact.js";
import { play, wake, wantSounds } from "./sound.js";
import { readStored, store } from "./storage.js";
import { say } from "./words.js";
import { notify, serve, workable } from "./worker.js";

/** @import { FieldEvent, Redraw } from "./types" */

const KEPT = "rulewright signals";
const DROPPED = "details:is(.drop, .side:not(.result) > .menu)[open]"; // what opens over the page
const CALM = 5000; // milliseconds: whoever has just answered is looking at the page

/** @typedef {{ sound: boolean, notification: boolean }} Wanted */
let wanted = read();
wantSounds(wanted.sound);
/** @type {number | null} */
let awaited = null;
let acted = -CALM;

/** @returns {Wanted} */
function read() {
  try {
    return { sound: false, notification: false, ...JSON.parse(readStored(KEPT)) };
  } catch {
    return { sound: false, notification: false };
  }
}

/** @param {Partial<Wanted>} changes @param {Redraw} redraw */
function want(changes, redraw) {
  wanted = { ...wanted, ...changes };
  wantSounds(wanted.sound);
  store(KEPT, JSON.stringify(wanted));
  redraw();
}

// title: of what is shown; turns: how many people or tables are awaited here, or null while that is not known.
/** @param {string} title @param {number | null} turns */
export function tell(title, turns) {
  const name = turns ? `● ${say("your turn")} · ${title}` : title;
  if (document.title !== name) document.title = name;
  const icon = /** @type {Element} */ (document.querySelector("link[rel=icon]"));
  const drawn = turns ? "/page/icon-turn.svg" : "/page/icon.svg";
  if (icon.getAttribute("href") !== drawn) icon.setAttribute("href", drawn);
  if (turns !== awaited) {
    const badge = turns ? navigator.setAppBadge?.(turns) : navigator.clearAppBadge?.();
    badge?.catch(() => {}); // a page that is not installed has none
  }
  if (awaited !== null && turns !== null && turns > awaited && looksAway()) ring(title);
  awaited = turns;
}

const looksAway = () => document.hidden || !document.hasFocus() || performance.now() - acted > CALM;

/** @param {string} title */
function ring(title) {
  play("turn");
  if (wanted.notification && document.hidden && allowed() === "granted") notify(title, say("your turn"));
}

function touched() {
  acted = performance.now();
  return wake();
}

// What the browser allows; asking it takes so long that only those who have use for it wait for that.
const allowed = () => (typeof Notification === "undefined" || !workable() ? "none" : Notification.permission);
let may = wanted.notification ? allowed() : "";

// Whether the page makes sounds, among a reader's settings.
/** @param {Redraw} redraw */
export function soundChoice(redraw) {
  const change = async (/** @type {FieldEvent} */ event) => {
    want({ sound: event.target.checked }, redraw);
    if (!wanted.sound) return;
    await wake();
    play("turn"); // so it will sound
  };
  return h(
    "label",
    { class: "row" },
    h("input", { type: "checkbox", key: "sound", checked: wanted.sound, onchange: change }),
    h("span", {}, say("sound")),
  );
}

/** @param {FieldEvent} event @param {Redraw} redraw */
async function wantNotification(event, redraw) {
  const on = event.target.checked && (await Notification.requestPermission()) === "granted";
  may = allowed();
  if (on) await serve();
  want({ notification: on }, redraw);
}

// Called when somebody opens what is told about signals.
/** @param {Redraw} redraw */
function look(redraw) {
  may = allowed();
  redraw();
}

// The control in the head of every page; its sign tells what is on.
/** @param {Redraw} redraw */
export function bell(redraw) {
  const notifying = wanted.notification && may === "granted";
  const name = say("signals");
  return h(
    "details",
    { class: "bell drop", key: "bell" },
    h(
      "summary",
      { title: name, onclick: () => look(redraw) },
      h(
        "svg",
        { viewBox: "0 0 24 24", "aria-hidden": "true", class: notifying ? "on" : "" },
        h("path", { d: "M12 3a6 6 0 0 0-6 6v5l-2 3h16l-2-3V9a6 6 0 0 0-6-6Z" }),
        h("path", { d: "M10 20a2 2 0 0 0 4 0" }),
      ),
      h("span", { class: "unseen" }, name),
    ),
    h(
      "div",
      { class: "panel" },
      h("p", { class: "strong" }, say("signals")),
      h("p", { class: "faint" }, say("always told")),
      h(
        "label",
        { class: "row" },
        h("input", {
          type: "checkbox",
          checked: notifying,
          disabled: ["none", "denied"].includes(may),
          onchange: (event) => wantNotification(event, redraw),
        }),
        h("span", {}, say("show a notification")),
      ),
      may === "none" &&
        h("p", { class: "faint" }, window.isSecureContext ? say("no notifications") : say("not secure")),
      may === "denied" && h("p", { class: "faint" }, say("blocked")),
      installable && h("p", {}, h("button", { type: "button", onclick: () => install(redraw) }, say("install"))),
    ),
  );
}

/** @type {(Event & { prompt(): Promise<unknown> }) | null} */
let installable = null;

/** @param {Redraw} redraw */
async function install(redraw) {
  const asking = installable;
  installable = null;
  await asking?.prompt();
  redraw();
}

// redraw: what to do when the browser has found that the page can be installed.
/** @param {Redraw} redraw */
export function attend(redraw) {
  addEventListener("beforeinstallprompt", (event) => {
    event.preventDefault();
    installable = /** @type {Event & { prompt(): Promise<unknown> }} */ (event);
    redraw();
  });
  for (const touch of ["pointerdown", "keydown"]) addEventListener(touch, touched, { passive: true });
  const elsewhere = (/** @type {Event} */ { target }) => {
    for (const open of document.querySelectorAll(DROPPED))
      if (!open.contains(/** @type {Node} */ (target))) open.removeAttribute("open");
  };
  for (const press of ["pointerdown", "click"]) document.addEventListener(press, elsewhere); // a drag ends in no click
  addEventListener("keydown", (event) => {
    const open =
      event.key === "Escape" && (document.querySelector(DROPPED) ?? document.querySelector(".asked .rule[open]"));
    if (open) {
      open.removeAttribute("open");
      open.querySelector("summary")?.focus();
    }
  });
  if (wanted.notification || matchMedia("(display-mode: standalone)").matches) serve();
}
