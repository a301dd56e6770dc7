// What may be taken for an answer, and what has been picked of it so far.

// Where nobody tells what answers lead to.
const UNTOLD = { doubt: "", whole: null, to: () => null, told: () => "", idle: () => "", make: () => {}, await: (key, go) => go(null) };
const little = matchMedia("(max-width: 40rem)");
const touched = matchMedia("(hover: none)");

// The answer that is being made: choices are picked by their keys, and sent when there are as many as wanted.
export class Picking {
  constructor(asked, picked, send, redraw, leads = UNTOLD) {
    Object.assign(this, { asked, picked, send, redraw, leads });
    this.several = several(asked);
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

  count(choice) {
    return this.picked.get(choice.key) ?? 0;
  }

  put(choice, count) {
    const others = count ? this.taken : this.taken.filter((key) => key !== choice.key);
    this.picked.order = [...others, ...Array(Math.max(0, count - this.count(choice))).fill(choice.key)];
    this.picked.set(choice.key, count);
    this.leads.make(this.fits ? this.taken : []);
    this.redraw();
  }

  // The one number of many that is set, and would be answered.
  get number() {
    return this.picked.get("number");
  }

  begin(value) {
    this.picked.set("number", value);
    this.leads.make([String(value)]);
  }

  set(value) {
    this.begin(value);
    this.redraw();
  }

  // An amount: what one may not expect of it is told before it is given.
  name(key) {
    this.leads.await(key, (lead) => {
      if (!lead?.warning) return this.answer([key]);
      this.picked.warned = { key, text: lead.warning };
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

  answer(take) {
    this.send({ type: "answer", question: this.asked.question, take });
  }

  // Of one piece, a first tap shows what a second one takes: in little room, and where one cannot point at what comes to
  // nothing, to be told so.
  tap(choice) {
    const shown = little.matches || (touched.matches && this.leads.idle(choice.key) !== "");
    if (!this.several && shown && this.looked !== choice.key) this.look(choice.key);
    else this.take(choice);
  }

  get looked() {
    return this.picked.looked ?? null;
  }

  look(key) {
    this.picked.looked = key;
    this.redraw();
  }

  // A click: an answer, or one more of this, and none after the last one.
  take(choice) {
    if (!this.several) this.asked.kind === "number" ? this.name(choice.key) : this.answer([choice.key]);
    else this.put(choice, this.count(choice) < choice.count && !this.full ? this.count(choice) + 1 : 0);
  }

  can(choice) {
    return !this.several || this.count(choice) > 0 || !this.full;
  }

  find(fits) {
    return this.asked.choices.find(fits);
  }
}

// The picking, where some of its choices lie at a place; else null: what lies there need not be drawn again with it.
export const offering = (picking, lies) => (picking?.find(lies) ? picking : null);

// Where more than one may be taken, it is confirmed. One is taken with one tap, also where there is no other.
export function several(asked) {
  return asked.most > 1;
}

// Whether choices are made where things lie: on a drawn board, or in zones like a hand, which lie beside the question.
// Equal pieces whose places matter are listed, each with its place.
export function onBoard(of, choice) {
  return choice.place === 0 && of.boards.some((board) => board.drawn && board.words === choice.words);
}

export function inHand(of, choice) {
  return choice.place === 0 && choice.piece !== "" && choice.owner === of.seat && of.zones[choice.zone]?.layout === "fan";
}
