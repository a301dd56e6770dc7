// Looking back: the game step by step, as this reader saw it.

import { moved } from "./changed_spaces.js";
import { endsRound, passed, readingTime, time } from "./pace.js";
import { readStored, store } from "./storage.js";

/** @import { PastState, Redraw, Side } from "./types" */

const SHORTEST = 400; // milliseconds between two steps that follow by themselves

export class History {
  // side: whose game it is; redraw: what to do when there is something new to see.
  /** @param {Side} side @param {Redraw} redraw */
  constructor(side, redraw) {
    this.side = side;
    this.redraw = redraw;
    /** @type {Map<number, PastState>} */
    this.states = new Map();
    /** @type {number | null} */
    this.step = null; // the one that is looked at, null for now
    /** @type {number | null | undefined} */
    this.playing = null;
    /** @type {((step: number) => import("./types").Child) | null} */
    this.note = null; // what is said of a step besides
  }

  get last() {
    return (this.side.state?.steps ?? 1) - 1;
  }

  // The step that is looked at, else the first.
  get at() {
    return this.step ?? 0;
  }

  get on() {
    return this.step !== null;
  }

  // What the table looked like at the step that is looked at, as soon as it has come.
  get state() {
    return this.step === null ? undefined : this.states.get(this.step);
  }

  // The end of a deal, while the game goes by itself.
  get dealEnd() {
    const { state } = this;
    const isEnd = state && this.side.table?.deals && endsRound(state, this.states.get(this.at + 1));
    return this.playing && isEnd ? state : null;
  }

  /** @param {number} step */
  to(step) {
    if (!this.on) scrollTo(0, 0);
    const wanted = Math.max(0, Math.min(step, this.last));
    this.step = wanted;
    this.want(wanted);
    if (wanted < this.last) this.want(wanted + 1);
    this.redraw();
  }

  /** @param {number} step */
  want(step) {
    if (!this.states.has(step)) this.side.connection.send({ type: "look", step });
  }

  /** @param {{ step: number, state: PastState }} given */
  heard({ step, state }) {
    this.states.set(step, { ...state, changed: moved(state) });
    passed.push({ ...state, steps: step + 1 });
  }

  // Other words, or another past: all is asked for again.
  forget() {
    this.states.clear();
    if (this.step !== null) this.to(this.step);
  }

  // To a step that is chosen: nothing goes on by itself.
  /** @param {number} step */
  show(step) {
    this.pause();
    this.to(step);
  }

  leave() {
    this.pause();
    this.step = null;
    this.redraw();
  }

  // From the beginning, by itself.
  replay() {
    this.to(0);
    this.follow();
  }

  play() {
    this.to(this.at >= this.last ? 0 : this.at + 1);
    this.follow();
  }

  follow() {
    clearTimeout(this.playing ?? undefined);
    const { dealEnd, state } = this;
    const long = dealEnd ? readingTime(dealEnd.lines.length) : time(this.states.get(this.at - 1), state);
    this.playing = setTimeout(
      () => {
        if (this.at >= this.last) this.pause();
        // What has not come yet is waited for.
        else if (this.state) this.to(this.at + 1);
        if (this.playing) this.follow();
        this.redraw();
      },
      Math.max(SHORTEST, long),
    );
    this.redraw();
  }

  pause() {
    clearTimeout(this.playing ?? undefined);
    this.playing = null;
  }

  // What was looked at last, on this device.
  get looked() {
    return Number(readStored(`rulewright looked ${this.side.token}`) ?? -1);
  }

  // The first step that is new on this device, else the last one.
  get since() {
    return this.looked >= 0 && this.looked < this.last ? this.looked + 1 : this.last;
  }

  look() {
    if (this.side.state) store(`rulewright looked ${this.side.token}`, String(this.last));
  }
}
