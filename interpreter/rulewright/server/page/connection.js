// One connection for all tokens of a device; where it is lost, another one is tried, later and later.

import { connected, taken } from "./dialling.js";
import { language, protocol } from "./words.js";

/** @import { ServerMessage } from "./protocol" */
/** @import { Message } from "./types" */

const FOR_GOOD = new Set([1008, 4404]);

// Milliseconds after which a server has gone that says nothing, though it had shown that it lives: it does so each 20
// s.
const SILENT = 45000;
const PROBE = 3000; // milliseconds that a server has to answer at all
const TRIES = 3; // without a word, while the server answers otherwise: something on the way lets no websocket through

const greeting = () => ({ protocol: protocol(), language: language() });

export class Connection {
  // changed: is told 'open', 'lost', 'blocked' (websockets alone are) or 'ended'.
  /**
   * @param {string[]} tokens
   * @param {(message: ServerMessage) => void} heard
   * @param {(what: "open" | "lost" | "blocked" | "ended") => void} changed
   */
  constructor(tokens, heard, changed) {
    this.tokens = tokens;
    this.heard = heard;
    this.changed = changed;
    this.wait = 500;
    this.mute = 0; // connections that have ended before they said anything
    this.number = 0; // of the connection that is open now
    this.noted = new AbortController();
    addEventListener("offline", () => this.check(), { signal: this.noted.signal });
    addEventListener("online", () => this.retry(), { signal: this.noted.signal });
    this.open();
  }

  open() {
    this.shows = false;
    this.number += 1;
    let said = false;
    const [socket, waiting] = taken(this.tokens) ?? [connected(this.tokens, greeting), []];
    this.socket = socket;
    const opened = () => this.mute < TRIES && this.changed("open");
    const hear = (/** @type {MessageEvent} */ event) => {
      if (socket !== this.socket) return;
      const message = JSON.parse(event.data);
      if (!said && this.mute >= TRIES) this.changed("open");
      said = true;
      this.wait = 500;
      this.mute = 0;
      this.shows ||= message.type === "alive";
      if (this.shows) this.watch();
      if (message.type !== "alive") this.heard(message);
    };
    if (socket.readyState === WebSocket.CONNECTING) socket.addEventListener("open", opened);
    socket.addEventListener("message", hear);
    queueMicrotask(() => waiting.forEach(hear)); // whoever opens it is ready to hear then
    socket.addEventListener("close", (event) => {
      if (socket !== this.socket) return;
      clearTimeout(this.watching);
      if (this.ended || FOR_GOOD.has(event.code)) {
        this.changed("ended");
        return;
      }
      if (!said) this.mute += 1;
      this.lost();
    });
  }

  watch() {
    clearTimeout(this.watching);
    this.watching = setTimeout(() => this.leave(), SILENT);
  }

  // That nobody answers is not waited for.
  leave() {
    const gone = this.socket;
    this.socket = null;
    clearTimeout(this.watching);
    gone?.close();
    this.lost();
  }

  async lost() {
    // Pages that lose a server together do not come back together.
    this.again = setTimeout(() => this.retry(), this.wait * (0.5 + Math.random()));
    this.wait = Math.min(this.wait * 2, 10000);
    if (this.mute < TRIES) this.changed("lost");
    else this.changed((await answers()) ? "blocked" : "lost");
  }

  // Where the system knows of no network, the server may be there all the same: on this computer, say.
  async retry() {
    clearTimeout(this.again);
    if (this.ended || (this.socket && this.socket.readyState <= WebSocket.OPEN)) return;
    if (navigator.onLine || (await answers())) this.open();
    else this.lost();
  }

  async check() {
    if (this.socket?.readyState === WebSocket.OPEN && !(await answers())) this.leave();
  }

  // What one of the tokens says. unsent: is told what could not be sent.
  /** @param {number} reader @param {(message: Message) => unknown} unsent */
  by(reader, unsent) {
    return { send: (/** @type {Message} */ message) => this.send({ ...message, by: reader }) || unsent(message) };
  }

  // Whether it could be sent.
  /** @param {Message} message */
  send(message) {
    const open = this.socket?.readyState === WebSocket.OPEN;
    if (open) this.socket?.send(JSON.stringify(message));
    return open;
  }

  end() {
    this.ended = true;
    this.noted.abort();
    clearTimeout(this.watching);
    this.socket?.close();
  }
}

// Whether the server answers other requests.
async function answers() {
  try {
    const answer = await fetch("/turns", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ tokens: [] }),
      signal: AbortSignal.timeout(PROBE),
    });
    return answer.status < 500;
  } catch {
    return false;
  }
}
