// One connection for all tokens of a device; where it is lost, another one is tried, later and later.

import { language, protocol } from "./words.js";

const FOR_GOOD = new Set([1008, 4404]);

// Milliseconds after which a server has gone that says nothing, though it had shown that it lives: it does so each 20 s.
const SILENT = 45000;

export class Connection {
  constructor(tokens, heard, changed) {
    this.tokens = tokens;
    this.heard = heard;
    this.changed = changed;
    this.wait = 500;
    this.open();
  }

  open() {
    // Of several servers, all who are at a table come to the same one, as long as it is there.
    const home = /^[\w-]+(?=\.)/.exec(this.tokens[0])?.[0] ?? "";
    this.shows = false;
    const socket = this.socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/play${home && `/${home}`}`);
    socket.addEventListener("open", () => {
      this.send({ type: "hello", protocol: protocol(), tokens: this.tokens, language: language() });
      this.changed("open");
    });
    socket.addEventListener("message", (event) => {
      if (socket !== this.socket) return;
      const message = JSON.parse(event.data);
      this.wait = 500;
      this.shows ||= message.type === "alive";
      if (this.shows) this.watch();
      if (message.type !== "alive") this.heard(message);
    });
    socket.addEventListener("close", (event) => {
      if (socket !== this.socket) return;
      clearTimeout(this.watching);
      if (this.ended || FOR_GOOD.has(event.code)) {
        this.changed("ended");
        return;
      }
      this.lost();
    });
  }

  watch() {
    clearTimeout(this.watching);
    this.watching = setTimeout(() => {
      const gone = this.socket;
      this.socket = null;
      gone.close(); // that nobody answers is not waited for
      this.lost();
    }, SILENT);
  }

  lost() {
    this.changed("lost");
    // Pages that lose a server together do not come back together.
    setTimeout(() => this.ended || this.open(), this.wait * (0.5 + Math.random()));
    this.wait = Math.min(this.wait * 2, 10000);
  }

  // What one of the tokens says.
  by(reader) {
    return { send: (message) => this.send({ ...message, by: reader }) };
  }

  send(message) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  end() {
    this.ended = true;
    clearTimeout(this.watching);
    this.socket?.close();
  }
}
