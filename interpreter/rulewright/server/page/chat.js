// What people at a table say to each other, and beside whoever says something, what it is.

import { h } from "./preact.js";
import { readStored, store } from "./storage.js";
import { say } from "./words.js";

/** @import { Redraw, Said, Talk } from "./types" */

/** @type {Record<Said.Gesture["name"], () => string>} */
export const GESTURES = {
  luck: () => say("gesture luck"),
  played: () => say("gesture played"),
  thanks: () => say("gesture thanks"),
  sorry: () => say("gesture sorry"),
  wait: () => say("gesture wait"),
  hurry: () => say("gesture hurry"),
  smile: () => say("gesture smile"),
  frown: () => say("gesture frown"),
};
/** @type {Record<string, string>} */
const SIGNS = { smile: "☺", frown: "☹" };
const SHOWN = 7000; // milliseconds beside a player

const KEPT = "rulewright chat";
const MOST = 30; // tables of which a device remembers what was read, and who is muted

// One for all who sit at this device: whom one of them mutes, the device mutes.
export class Chat {
  // table: by what the device knows it again; redraw: what to do when something is to be shown, or not any more.
  /** @param {string} table @param {Redraw} redraw */
  constructor(table, redraw) {
    this.table = table;
    this.redraw = redraw;
    this.open = false;
    /** @type {number | null} */
    this.heard = null; // the last message that has come; null before the first document
    /** @type {Map<number, Talk>} */
    this.fresh = new Map(); // seat -> the message that stands beside it
    /** @type {Talk[]} */
    this.told = [];
    this.silent = false;
    const { read, muted } = kept().find((one) => one.table === table) ?? { read: -1, muted: [] };
    this.read = read;
    /** @type {number[]} */
    this.muted = muted;
  }

  // What a document has of it.
  hear({ messages = {}, silent = false }) {
    this.silent = silent;
    this.told = Object.entries(messages).map(([place, one]) => ({
      text: "",
      gesture: "",
      ...one,
      number: Number(place),
    }));
    const last = this.told.at(-1)?.number ?? -1;
    const { heard } = this;
    const fresh = heard === null ? [] : this.told.filter((one) => one.number > heard && !this.muted.includes(one.seat));
    this.heard = Math.max(last, heard ?? -1);
    for (const one of fresh) {
      this.fresh.set(one.seat, one);
      setTimeout(() => this.fade(one), SHOWN);
    }
    if (this.open) this.seen();
  }

  /** @param {Talk} one */
  fade(one) {
    if (this.fresh.get(one.seat) !== one) return;
    this.fresh.delete(one.seat);
    this.redraw();
  }

  get unread() {
    return this.told.filter((one) => one.number > this.read && !this.muted.includes(one.seat)).length;
  }

  seen() {
    const heard = this.heard ?? -1;
    if (this.read >= heard) return;
    this.read = heard;
    this.keep();
  }

  /** @param {number} seat */
  mute(seat) {
    this.muted = this.muted.includes(seat) ? this.muted.filter((one) => one !== seat) : [...this.muted, seat];
    this.fresh.delete(seat);
    this.keep();
    this.redraw();
  }

  keep() {
    const { table, read, muted } = this;
    store(
      KEPT,
      JSON.stringify([{ table, read, muted }, ...kept().filter((one) => one.table !== table)].slice(0, MOST)),
    );
  }
}

/** @returns {{ table: string, read: number, muted: number[] }[]} */
function kept() {
  try {
    return JSON.parse(readStored(KEPT)) ?? [];
  } catch {
    return [];
  }
}

/** @param {{ gesture: string, text?: string }} one */
export const inWords = ({ text = "", gesture }) =>
  gesture in GESTURES ? GESTURES[/** @type {keyof typeof GESTURES} */ (gesture)]() : gesture || text;

// As it is seen: whoever writes from right to left does so here, and moves nothing else. A sign has its words for those
// who hear it.
/** @param {{ gesture: string, text?: string }} one */
export function shown(one) {
  const sign = SIGNS[one.gesture];
  return h(
    "bdi",
    { dir: "auto", class: sign ? "sign" : "text", ...(sign && { role: "img", "aria-label": inWords(one) }) },
    sign ?? inWords(one),
  );
}

// What somebody has just said, beside their strip.
/** @param {Chat | null} chat @param {number} seat */
export function bubble(chat, seat) {
  const one = chat?.fresh.get(seat);
  return one && h("p", { class: "bubble", key: `bubble ${one.number}`, "aria-hidden": "true" }, shown(one));
}
