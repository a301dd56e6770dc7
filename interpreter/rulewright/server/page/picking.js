// What may be taken for an answer, and what has been picked of it so far.

// The answer that is being made: choices are picked by their keys, and sent when there are as many as wanted.
export class Picking {
  constructor(asked, picked, send, redraw) {
    Object.assign(this, { asked, picked, send, redraw });
    const total = asked.choices.reduce((sum, choice) => sum + choice.count, 0);
    // Where all that there is must be taken, or more than one may be, it is confirmed.
    this.several = asked.most > 1 || asked.least === total;
  }

  get taken() {
    return this.asked.choices.flatMap((choice) => Array(this.count(choice)).fill(choice.key));
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
    this.picked.set(choice.key, count);
    this.redraw();
  }

  answer(take) {
    this.send({ type: "answer", question: this.asked.question, take });
  }

  // A click: an answer, or one more of this, and none after the last one.
  take(choice) {
    if (!this.several) this.answer([choice.key]);
    else this.put(choice, this.count(choice) < choice.count && !this.full ? this.count(choice) + 1 : 0);
  }

  can(choice) {
    return !this.several || this.count(choice) > 0 || !this.full;
  }

  find(fits) {
    return this.asked.choices.find(fits);
  }
}

// Whether choices are made where things lie: on a drawn board, or in zones like a hand, which lie beside the question.
// Equal pieces whose places matter are listed, each with its place.
export function onBoard(of, choice) {
  return choice.place === 0 && of.boards.some((board) => board.drawn && board.words === choice.words);
}

export function inHand(of, choice) {
  return choice.place === 0 && choice.piece !== "" && choice.words === "" && of.zones[choice.zone]?.layout === "fan" && of.zones[choice.zone].of === "seat";
}
