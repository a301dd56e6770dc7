// What may be taken for an answer, and what has been picked of it so far.

import { confirms } from "./confirming.js";
import * as defaults from "./defaults.js";
import { follow } from "./following.js";
import { filled, number } from "./words.js";

/** @import { Choice, LeadSource, Picked, Question, Redraw, Said, Table } from "./types" */

// Where nobody tells what answers lead to.
/** @type {LeadSource} */
export const UNTOLD = {
  doubt: "",
  whole: null,
  to: () => null,
  told: () => "",
  idle: () => false,
  mark: () => "",
  make: () => {},
  await: (_, go) => go(null),
};
/** @type {Choice} */
const NOTHING = { ...defaults.Offered, key: "", label: "", count: 0, piece: "", zone: "", words: "", word: "" };

// The answer that is being made: choices are picked by their keys, and sent when there are as many as wanted.
export class Picking {
  /**
   * @param {Question} asked
   * @param {Picked} picked
   * @param {(answer: Said.Answer) => unknown} send
   * @param {Redraw} redraw
   * @param {LeadSource} [leads]
   * @param {(() => unknown) | null} [undo] takes the last answer back, where picks can be replaced
   */
  constructor(asked, picked, send, redraw, leads = UNTOLD, undo = null) {
    this.asked = asked;
    this.picked = picked;
    this.send = send;
    this.redraw = redraw;
    this.leads = leads;
    this.undo = undo;
    this.binding = false; // whether somebody else acts after it, so that it cannot be taken back
    this.several = several(asked);
    this.things = this.held
      ? this.whileHeld(this.held)
      : [...asked.choices, ...(undo ? [...this.farther(), ...earlier(asked)] : [])];
    if (undo && !this.held) this.things.push(...this.direct(), ...this.finishing());
  }

  // What is dragged, or was picked a moment ago, whose targets are offered meanwhile.
  get held() {
    return this.picked.held ?? null;
  }

  // Whether what is held has been answered, and its question is on the way.
  get sent() {
    return this.held !== null && this.picked.sent === true;
  }

  /** @param {Choice | null} choice */
  hold(choice, sent = false) {
    Object.assign(this.picked, { held: choice, sent });
    this.redraw();
  }

  // Picks something of which is known where it goes: that can be taken before the question about it comes.
  /** @param {Choice} choice */
  pick(choice) {
    this.answer([choice.key]);
    this.hold(choice, true);
  }

  // An answer to the question that is on the way.
  /** @param {Choice} choice */
  follow({ key, sort }) {
    if (!this.held) return;
    if (sort === "picked") this.letGo();
    else follow(this.held.key, (choice) => choice.key === key && choice.sort === sort && !choice.before);
  }

  // What is asked after an answer that only picks something.
  /** @param {string} key */
  after(key) {
    return this.leads.to(key)?.next?.choices ?? [];
  }

  /** @param {Choice} held @returns {Choice[]} */
  whileHeld(held) {
    const targets = this.after(held.key).map((choice) => ({ ...choice, before: [held.key] }));
    /** @param {"picked" | "instead"} sort */
    const each = (sort) =>
      this.asked.choices
        .filter((choice) => (choice.key === held.key) === (sort === "picked"))
        .map((choice) => ({ ...choice, sort }));
    return [...targets, ...each("picked"), ...each("instead")];
  }

  // Where a menu asks first: what lies somewhere and would be taken after its entries; ways: each, if there are several.
  /** @returns {Choice[]} */
  direct() {
    if (this.several || !["branch", "truth"].includes(this.asked.kind)) return [];
    /** @type {Map<string, Choice[]>} */
    const found = new Map();
    for (const { key } of this.asked.choices) {
      for (const choice of this.after(key)) {
        if (!choice.piece && !choice.word) continue;
        const thing = [choice.zone, choice.owner, choice.words, choice.word, choice.piece].join("/");
        found.set(thing, [...(found.get(thing) ?? []), { ...choice, sort: "direct", before: [key] }]);
      }
    }
    return [...found.values()].map((ways) => (ways.length > 1 ? { ...ways[0], ways } : ways[0]));
  }

  // Lines that can be filled at once, where everything is taken first.
  /** @returns {Choice[]} */
  finishing() {
    const first = everything(this.asked);
    return (this.asked.finish?.choices ?? []).map((choice) => ({ ...choice, sort: "direct", first }));
  }

  // Where several answers in a row take a piece: their last space stands for all of them.
  /** @returns {Choice[]} */
  farther() {
    if (this.several) return [];
    return this.asked.choices.flatMap((choice) =>
      (this.leads.to(choice.key)?.routes ?? []).map(([keys, word]) => ({
        ...{ ...choice, key: keys[keys.length - 1], word },
        ...(keys.length > 1 ? { before: keys.slice(0, -1) } : {}),
      })),
    );
  }

  // The keys of what is picked, in the order in which it was.
  get taken() {
    return this.picked.order ?? [];
  }

  get fits() {
    return this.taken.length >= this.asked.least && this.taken.length <= this.asked.most;
  }

  get full() {
    return this.taken.length >= this.asked.most;
  }

  /** @param {Choice} choice */
  count(choice) {
    return choice.sort || choice.before ? 0 : (this.picked.get(choice.key) ?? 0);
  }

  /** @param {Choice} choice @param {number} count */
  put(choice, count) {
    let kept = 0;
    const others = this.taken.filter((key) => key !== choice.key || ++kept <= count);
    this.picked.order = [...others, ...Array(Math.max(0, count - this.count(choice))).fill(choice.key)];
    this.picked.set(choice.key, count);
    this.picked.refused = null;
    this.leads.make(this.fits ? this.taken : []);
    this.redraw();
  }

  // The one number of many that is set, and would be answered.
  get number() {
    return this.picked.get("number");
  }

  /** @param {number} value */
  begin(value) {
    this.picked.set("number", value);
    this.leads.make([String(value)]);
  }

  /** @param {number} value */
  set(value) {
    this.picked.chosen = null;
    this.begin(value);
    this.redraw();
  }

  // An amount: what one may not expect of it is told before it is given.
  /** @param {string} key */
  name(key) {
    this.picked.named = key;
    this.redraw();
    this.leads.await(key, (lead) => {
      this.picked.named = undefined;
      const text = lead?.warning || short(this.asked, Number(key));
      if (!text) return this.answer([key]);
      this.picked.warned = { key, text };
      this.redraw();
    });
  }

  get warned() {
    return this.picked.warned ?? null;
  }

  unwarn() {
    this.picked.warned = null;
    this.redraw();
  }

  // back: how many picks are taken back first; next: answers to what is asked then.
  /** @param {string[]} take @param {{ back?: number, next?: string[][] }} [more] */
  answer(take, more = {}) {
    this.send({ type: "answer", question: this.asked.question, take, ...more });
  }

  // Lets go of what has been picked, of what is being picked first; returns whether there was anything.
  letGo() {
    if (this.sent) this.undo?.();
    if (this.taken.length || this.warned || this.held || this.chosen) {
      this.picked.clear();
      Object.assign(this.picked, { order: [], warned: null, held: null, sent: false, chosen: null });
      this.leads.make([]);
      this.redraw();
      return true;
    }
    if (!this.undo || !this.asked.picked.length) return false;
    this.undo();
    return true;
  }

  // A tap on a thing of the table: where fingers tap, the first one chooses it, and a second one takes it. The second of two
  // that go together is meant, unless nothing comes of it. On a board everything is meant that can be taken back.
  /** @param {Choice} choice */
  tap(choice) {
    const isSecond =
      (choice.sort && !choice.first) || choice.before || (this.asked.picked.length > 0 && !this.leads.idle(choice.key));
    const isMeant = choice.words && !choice.first ? !this.binding : isSecond;
    if (confirms() === "taps" && !isMeant && this.isToConfirm(choice)) this.choose(choice);
    else this.take(choice);
  }

  // A space that a finger has aimed at is confirmed, wherever that is more than a pick.
  /** @param {Choice} choice */
  aim(choice) {
    if (this.isToConfirm(choice)) this.choose(choice);
    else this.take(choice);
  }

  // Chooses nothing.
  decline() {
    this.take(NOTHING);
  }

  // A click: an answer, or one more of this, and none after the last one; or another pick instead of an earlier one.
  /** @param {Choice} choice */
  take(choice) {
    const { sort, back, before, first, ways } = choice;
    if (this.waits) return;
    if (ways) return this.askWay(choice);
    if (this.sent) this.follow(choice);
    else if (sort === "picked" && back === 1) this.undo?.();
    else if (confirms() === "all" && this.isToConfirm(choice)) this.choose(choice);
    else if (choice === NOTHING) this.answer([]);
    else if (back) this.answer([choice.key], { back });
    else if (first) this.answer(first, { next: [[choice.key]] });
    else if (before) this.answer(before.slice(0, 1), { next: [...before.slice(1).map((key) => [key]), [choice.key]] });
    else if (this.several)
      this.put(choice, this.count(choice) < choice.count && !this.full ? this.count(choice) + 1 : 0);
    else if (this.asked.kind === "number") this.name(choice.key);
    else if (this.after(choice.key).length && confirms() !== "all") this.pick(choice);
    else this.answer([choice.key]);
  }

  // What can be taken in several ways, of which one is to be chosen.
  get forked() {
    return this.picked.forked ?? null;
  }

  /** @param {Choice | null} choice */
  askWay(choice) {
    this.picked.forked = choice;
    this.redraw();
  }

  // Whether an answer is on its way to the server: nothing else is taken meanwhile.
  get waits() {
    return this.going !== null && !this.sent;
  }

  // The keys of that answer, or of an amount that is looked at before it is given.
  get going() {
    const { named, given } = this.picked;
    return named === undefined ? (given?.take ?? null) : [named];
  }

  // Whether a choice is the answer that is on its way, or the last of those that go together.
  /** @param {Choice} choice @returns {boolean} */
  isSent({ key, sort, before, ways }) {
    if (ways) return ways.some((way) => this.isSent(way));
    const { next = [] } = this.picked.given ?? {};
    if (!before) return !sort && !next.length && this.going?.includes(key) === true;
    return before[0] === this.going?.[0] && next.at(-1)?.[0] === key;
  }

  // Tells why something cannot be taken.
  /** @param {string} why */
  refuse(why) {
    this.picked.refused = why;
    this.redraw();
  }

  // What is chosen and waits for the reader to confirm it.
  get chosen() {
    return this.picked.chosen ?? null;
  }

  /** @param {Choice | null} choice */
  choose(choice) {
    Object.assign(this.picked, { chosen: choice, refused: null });
    this.redraw();
  }

  // Whether an answer does something at once, and has not been chosen yet.
  /** @param {Choice} choice */
  isToConfirm(choice) {
    if (!this.undo || (this.several && choice !== NOTHING && !choice.first) || choice.back) return false;
    return !this.isChosen(choice) && !(this.isNow(choice) && this.after(choice.key).length);
  }

  /** @param {Choice} choice @returns {boolean} */
  isChosen({ key, before = [], ways }) {
    if (ways) return ways.some((way) => this.isChosen(way));
    return this.chosen?.key === key && (this.chosen.before ?? []).join() === before.join();
  }

  /** @param {Choice} choice */
  can(choice) {
    return Boolean(choice.sort ?? choice.before) || !this.several || this.count(choice) > 0 || !this.full;
  }

  // What lies somewhere and can be taken now, or else instead of something that was picked.
  /** @param {(choice: Choice) => boolean} fits */
  find(fits) {
    return this.things.find(fits);
  }

  // Whether a choice is of what is asked now.
  /** @param {Choice} choice */
  isNow(choice) {
    return !choice.sort && !choice.before;
  }

  /** @param {Choice} choice */
  sort(choice) {
    if (this.isSent(choice)) return "offered sent";
    if (this.isChosen(choice)) return "offered chosen";
    return choice.sort ?? `offered${this.isNow(choice) ? this.leads.mark(choice.key) : ""}`;
  }

  // Whether a choice is where something goes that has been picked.
  /** @param {Choice} choice */
  isGoal(choice) {
    return !choice.sort && Boolean(choice.before || this.asked.picked.length);
  }

  // What a choice leads to, in words.
  /** @param {Choice} choice */
  told(choice) {
    return this.isNow(choice) ? this.leads.told(choice.key) : "";
  }

  /** @param {Choice} choice */
  pressed(choice) {
    if (this.isChosen(choice)) return "true";
    if (choice.sort) return choice.sort === "picked" ? "true" : null;
    return this.several ? String(this.count(choice) > 0) : null;
  }
}

// The keys of all that is offered.
/** @param {Pick<Question, "choices">} asked */
export const everything = ({ choices }) => choices.flatMap(({ key, count }) => Array(count).fill(key));

const FEW = 8; // things that are taken one by one, where all may be

// Whether everything may be taken that is offered.
/** @param {Question} asked */
export function mayTakeAll(asked) {
  const { length } = everything(asked);
  return length > 2 && length === asked.most && length <= FEW;
}

// What is picked when a question comes: what was taken of the same things just before, such as dice that were kept.
/** @param {Said.Answer | null | undefined} given @param {Question | null} asked @returns {Picked} */
export function picksFor(given, asked) {
  /** @type {Picked} */
  const picked = new Map();
  if (!asked?.some || !mayTakeAll(asked) || !given || given.next) return picked;
  const offered = everything(asked);
  if (!given.take.every((key) => offered.includes(key))) return picked;
  for (const key of given.take) picked.set(key, (picked.get(key) ?? 0) + 1);
  picked.order = given.take;
  return picked;
}

// What is missing to a bid, in words.
/** @param {Question} asked @param {number} bid */
export function short({ purse }, bid) {
  const [, has] = purse ?? ["", bid];
  return bid > has ? filled("purse short", { have: number(has), short: number(bid - has) }) : "";
}

// Choices of the questions before, whose picks can still be replaced: what was picked, before what can be picked instead.
/** @param {Question} asked @returns {Choice[]} */
function earlier({ picked }) {
  /** @param {"picked" | "instead"} sort */
  const each = (sort) =>
    picked.flatMap(({ key, choices }, place) =>
      choices
        .filter((choice) => (choice.key === key) === (sort === "picked"))
        .map((choice) => ({ ...choice, sort, back: place + 1 })),
    );
  return [...each("picked"), ...each("instead")];
}

// The picking, where some of its choices lie at a place; else null: what lies there need not be drawn again with it.
/** @param {Picking | null} picking @param {(choice: Choice) => boolean} lies */
export const offering = (picking, lies) => (picking?.find(lies) ? picking : null);

// Whether anything that lies at a place can be taken now.
/** @param {Picking | null} picking @param {(choice: Choice) => boolean} lies */
export const asksFor = (picking, lies) => picking?.things.some((choice) => !choice.sort && lies(choice)) ?? false;

// The only way in which a menu can be answered, such as the end of a turn.
/** @param {Picking | null} picking */
export function onlyAnswer(picking) {
  const [only, ...others] = picking?.asked.choices ?? [];
  return only && !others.length && picking?.asked.kind === "branch" ? only : null;
}

// Where more than one may be taken, it is confirmed. One is taken with one tap, also where there is no other.
/** @param {Pick<Question, "most">} asked */
export function several(asked) {
  return asked.most > 1;
}

// Whether choices are made where things lie: on a drawn board, or in zones like a hand, which lie beside the question.
// Equal pieces whose places matter are listed, each with its place.
/** @param {Table} of @param {Choice} choice */
export function onBoard(of, choice) {
  return choice.place === 0 && of.boards.some((board) => board.drawn && board.words === choice.words);
}

/** @param {Table} of @param {Choice} choice */
export function inHand(of, choice) {
  return (
    choice.place === 0 && choice.piece !== "" && choice.owner === of.seat && of.zones[choice.zone]?.layout === "fan"
  );
}
