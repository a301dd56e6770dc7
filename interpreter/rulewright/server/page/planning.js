// Moves planned while others decide: a card or a piece of one's own, and on a board where it goes. They stay on this page
// until the question comes, and are made then if it offers them; a question of another kind drops them.

import * as defaults from "./defaults.js";
import { Picking } from "./picking.js";
import { say } from "./words.js";

/** @import { Choice, Question, Redraw, Side, State, Table, Zone } from "./types" */

/** @type {Question} */
const NO_QUESTION = {
  ...{ ...defaults.Asked, about: [], among: [], named: [] },
  ...{ question: -1, kind: "", prompt: "", least: 1, most: 1, choices: [], picked: [] },
};

/** @param {Choice} choice */
const placeOf = ({ words, zone }) => (words ? `words ${words}` : `zone ${zone}`);

// What a question is known by: on a board a move from one space to another is like any other, a card is asked for by a
// rule.
/** @param {Question} asked @param {Choice} choice */
const signature = (asked, choice) =>
  choice.words ? asked.kind : [asked.kind, asked.passage, asked.into, asked.prompt].join("\n");

// Take note of a question, so that the next one of its kind can be foreseen.
/** @param {Side} side @param {Question} asked */
export function foresee(side, asked) {
  if (asked.most !== 1 || asked.picked.length) return;
  for (const choice of asked.choices) side.foreseen.set(placeOf(choice), signature(asked, choice));
}

// The answer to a question that was planned, or null; what was planned for another one is dropped.
/** @param {Side} side @param {Question} asked @returns {{ take: string[] } | "undo" | null} */
export function planned(side, asked) {
  const step = side.plan.shift();
  if (!step) return null;
  const choice = asked.choices.find(
    (one) => one.words === step.words && one.word === step.word && (one.words !== "" || isSame(one, step)),
  );
  const isTarget = step.sort === "target";
  const isPicked = asked.picked[0]?.key === side.planPicked;
  if (
    choice &&
    asked.most === 1 &&
    (isTarget ? isPicked : side.foreseen.get(placeOf(choice)) === signature(asked, choice))
  ) {
    side.planPicked = choice.key;
    return { take: [choice.key] };
  }
  side.plan = [];
  return isTarget && isPicked ? "undo" : null;
}

/** @param {Choice} one @param {Choice} other */
const isSame = (one, other) => one.piece === other.piece && one.zone === other.zone && one.owner === other.owner;

// What can be planned at a table, while its reader is not asked.
export class Planning extends Picking {
  /** @param {Side} side @param {Table} of @param {State} state @param {Redraw} redraw */
  constructor(side, of, state, redraw) {
    super(NO_QUESTION, new Map(), () => {}, redraw);
    this.side = side;
    const [first, goal] = side.plan;
    const own = owned(side, of, state);
    const targets = first?.words ? spaces(of, state, first) : [];
    const marked = [first, goal]
      .filter(Boolean)
      .map((choice) => ({ ...choice, sort: /** @type {const} */ ("planned") }));
    this.things = [...marked, ...own, ...targets];
  }

  /** @param {Choice} choice */
  take(choice) {
    const { plan } = this.side;
    if (choice.sort === "planned") plan.length = 0;
    else if (choice.sort === "target") this.side.plan = [plan[0], choice];
    else this.side.plan = [choice];
    this.redraw();
  }

  /** @param {Choice} choice */
  tap(choice) {
    this.take(choice);
  }

  letGo() {
    const any = this.side.plan.length > 0;
    this.side.plan = [];
    if (any) this.redraw();
    return any;
  }

  /** @param {Choice} choice */
  told({ sort }) {
    return sort === "planned" ? say("planned") : "";
  }

  /** @param {Choice} choice */
  pressed({ sort }) {
    return sort === "planned" ? "true" : null;
  }
}

// The reader's own pieces that are likely to be asked for.
/** @param {Side} side @param {Table} of @param {State} state @returns {Choice[]} */
function owned(side, of, state) {
  return state.zones.flatMap((one) => {
    const words = one.word ? of.zones[one.zone].of : "";
    const names = [...new Set(one.pieces ?? [])].filter((name) =>
      one.word ? state.owners[name] === of.seat : one.owner === of.seat,
    );
    if (!side.foreseen.has(words ? `words ${words}` : `zone ${one.zone}`)) return [];
    return names.map((name) => thing(one, words, name, of.pieces[name].label, "plannable"));
  });
}

// Where a piece on a board may go.
/** @param {Table} of @param {State} state @param {Choice} from @returns {Choice[]} */
function spaces(of, state, from) {
  const { zones } = state;
  return of.boards
    .filter((board) => board.words === from.words)
    .flatMap((board) => board.spaces)
    .filter(({ word }) => word !== from.word)
    .map(({ word, label }) => {
      const one = zones.find((zone) => zone.word === word && of.zones[zone.zone].of === from.words);
      return thing({ zone: one?.zone ?? from.zone, owner: null, word }, from.words, "", label, "target");
    });
}

/**
 * @param {Pick<Zone, "zone" | "owner" | "word">} place
 * @param {string} words
 * @param {string} piece
 * @param {string} label
 * @param {"plannable" | "target"} sort
 * @returns {Choice}
 */
function thing({ zone, owner, word }, words, piece, label, sort) {
  return { ...defaults.Offered, key: word || piece, label, piece, zone, owner, words, word, sort };
}
