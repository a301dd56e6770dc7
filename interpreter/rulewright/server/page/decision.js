// What somebody is asked, and what they can take.

import { coming } from "./dom.js";
import { explains } from "./explain.js";
import { hintSwitch, isNew } from "./hints.js";
import { leadOf } from "./leads.js";
import { everything, mayTakeAll, onlyAnswer } from "./picking.js";
import { chip, heaps } from "./pieces.js";
import { h } from "./preact.js";
import { avatar } from "./seat_parts.js";
import { alone, entry, noted, number, row, say, times } from "./words.js";
import { isNone, laid } from "./zones.js";

/** @import { Choice, Picking, Question, State, Table } from "./types" */

const lazyAmount = coming(() => import("./amount.js"));

const MOST_NUMBERS = 6; // that are listed
const MOST_PADS = 30; // numbers that are buttons of one pad; more are set, step by step

// isInPlace: whether an answer is given where its piece or space lies, so that it is not listed.
/** @param {Table} of @param {Pick<State, "owners" | "zones">} state @param {Question} asked @param {Picking} picking @param {(choice: Choice) => boolean} isInPlace */
export function decision(of, state, asked, picking, isInPlace) {
  const listed = asked.choices.filter((choice) => !isInPlace(choice));
  const { leads } = picking;
  const about = concerned(of, state, asked);
  const fresh = isNew(of.edition, asked.question) && !lastSentence(asked.prompt)[0]; // else it needs the room
  return h(
    "div",
    { class: "decision", key: `question ${asked.question}` },
    h(
      "div",
      { class: "prompt" },
      h(
        "h2",
        { tabindex: -1 },
        h("span", { class: "mark", "aria-hidden": "true" }, say("your turn")),
        inSentences(asked.prompt),
      ),
      picking.several && !(asked.some && mayTakeAll(asked)) && h("p", { class: "wanted" }, asked.wanted),
      asked.rule &&
        h(
          "details",
          { class: `rule${fresh ? " fresh" : ""}` },
          h(
            "summary",
            { title: say("how") },
            h("span", { "aria-hidden": "true", class: "sign" }, "?"),
            h("span", { class: "words" }, fresh ? say("new here") : say("how")),
          ),
          h("p", {}, asked.rule),
          fresh && of.learn && h("a", { class: "learns", href: `/editions/${of.edition}/learn#1` }, say("learn")),
          asked.passage && explains("rule", asked.passage, say("rule and example")),
          leads.doubt && h("p", {}, leads.doubt),
          hintSwitch(picking.redraw),
        ),
    ),
    !picking.warned && about,
    picking.picked.refused
      ? h("p", { class: "refusal", role: "status" }, picking.picked.refused)
      : !about && h("p", { class: "pointed", key: "pointed", "aria-hidden": "true" }),
    picking.warned || isSet(asked)
      ? lazyAmount(picking.redraw)?.amount(of, asked, picking)
      : h(
          "div",
          { class: `choices${isPad(of, asked) ? " pad" : ""}` },
          listed.map((choice) => option(of, choice, picking, isPad(of, asked))),
          picking.several
            ? confirm(asked, picking)
            : asked.least === 0 && !isPiled(state, picking) && none(asked, picking),
          confirmed(of, picking),
        ),
  );
}

// Whether a number is set step by step: one of many, or what something is worth in an auction.
/** @param {Question} asked */
export const isSet = ({ kind, most, choices, about, among }) =>
  kind === "number" && most === 1 && choices.length > (concerns({ about, among }) ? MOST_NUMBERS : MOST_PADS);

// Whether nothing is taken by a click on a pile, such as a stock.
/** @param {Pick<State, "zones">} state @param {Picking} picking */
const isPiled = ({ zones }, picking) => zones.some((one) => isNone(picking, one));

// Whether all that can be answered are numbers, each a button.
/** @param {Table} of @param {Question} asked */
export const isPad = (of, { kind, choices }) =>
  kind === "number" ||
  (choices.length > 1 && choices.every((choice) => isSlip(of, choice) && !Number.isNaN(+choice.label)));

// Whether a piece is nothing but its name, such as a slip of paper.
/** @param {Table} of @param {{ piece: string, place?: number }} choice */
function isSlip(of, { piece, place = 0 }) {
  if (!piece || place > 0) return false;
  const { card, picture, paint, chart } = of.pieces[piece];
  return !card && !picture && !paint.length && !chart;
}

// The last sentence asks; those before it tell what one has to know.
/** @param {string} prompt */
function inSentences(prompt) {
  const [earlier, last] = lastSentence(prompt);
  return [earlier && h("span", { class: "earlier" }, earlier), h("span", { class: "asks" }, last)];
}

const EARLIER = /^.*[.!?…](?:\s?[\p{Pe}\p{Pf}“"])*\s+(?=[^\s\p{Ll}\p{N}])/su; // the browser's own segmenter takes long to load

// A text without its last sentence, and that.
/** @param {string} text */
export function lastSentence(text) {
  const earlier = EARLIER.exec(text)?.[0] ?? "";
  return [earlier, text.slice(earlier.length)];
}

/** @param {Pick<Question, "about" | "among">} asked */
const concerns = ({ about, among }) => about.length + among.length > 0;

// What the question is about, such as a card that is for sale, and who is still in. It names slips of paper itself.
/** @param {Table} of @param {Pick<State, "owners">} state @param {Question} asked */
function concerned(of, state, asked) {
  const pictured = heaps(asked.about.filter((piece) => !isSlip(of, { piece })));
  return (
    pictured.length + asked.among.length > 0 &&
    h(
      "div",
      { class: "about-it" },
      pictured.map(({ name, count }) => laid(of, name, count, { small: true })),
      asked.among.length > 0 &&
        h(
          "p",
          { class: "among" },
          h(
            "span",
            { class: "unseen" },
            entry(say("still in"), row(asked.among.map((seat, at) => bidding(of.seats[seat].name, asked.named[at])))),
          ),
          asked.among.map((seat, at) =>
            h(
              "span",
              {
                key: seat,
                class: "bidder",
                title: bidding(of.seats[seat].name, asked.named[at]),
                "aria-hidden": "true",
              },
              avatar(of, state, seat),
              typeof asked.named[at] === "number" && h("b", {}, number(asked.named[at])),
            ),
          ),
        ),
    )
  );
}

// With the last number that somebody has named.
/** @param {string} name @param {number | null | undefined} last */
const bidding = (name, last) => (typeof last === "number" ? noted(name, number(last)) : name);

// A choice: what it looks like where it is a piece, else its words; with what it leads to. pad: it is a number.
/** @param {Table} of @param {Choice} choice @param {Picking} picking @param {boolean} pad */
function option(of, choice, picking, pad) {
  const { leads } = picking;
  if (choice.piece && !isSlip(of, choice) && !isPlaced(of, choice, picking)) {
    return laid(of, choice.piece, choice.count, { choice, picking, small: true });
  }
  const pressed = picking.pressed(choice);
  return h(
    "button",
    {
      class: `${onlyAnswer(picking) ? "main" : "choice"}${leads.mark(choice.key)}${picking.isSent(choice) ? " sent" : ""}`,
      key: choice.key,
      "aria-label": pad ? choice.label : null,
      style: { "--letters": choice.label.length },
      "aria-pressed": pressed,
      "aria-description": leads.told(choice.key) || null,
      disabled: !picking.can(choice),
      onclick: () => picking.take(choice),
    },
    pad && !choice.piece ? number(Number(choice.key)) : times(titled(of, choice), choice.count),
  );
}

// How an answer is called where it stands alone; spaces keep their letters.
/** @param {Table} of @param {Choice} choice */
const titled = (of, { label, words }) =>
  of.boards.some((board) => words && board.words === words) ? label : alone(label);

// Whether a piece is told in words, since its picture does not tell where it lies.
/** @param {Table} of @param {Choice} choice @param {Picking} picking */
function isPlaced(of, choice, picking) {
  if (choice.words !== "") return choice.place > 0;
  const elsewhere = picking.find(
    (other) => other.piece === choice.piece && (other.zone !== choice.zone || other.owner !== choice.owner),
  );
  return elsewhere !== undefined && choice.label !== of.pieces[choice.piece].label;
}

// rather: whether that is what one would rather do than what is set.
/** @param {Question} asked @param {Picking} picking @param {boolean} [rather] */
export function none(asked, picking, rather = false) {
  return h(
    "button",
    {
      class: `choice none${rather ? " main" : ""}${picking.leads.mark("")}${picking.going?.length === 0 ? " sent" : ""}`,
      key: "none",
      "aria-description": picking.leads.told("") || null,
      onclick: () => picking.decline(),
    },
    alone(asked.none || say("nothing")),
  );
}

// What is chosen, what it leads to, and the button that confirms it.
/** @param {Table} of @param {Picking} picking */
export function confirmed(of, picking) {
  const { chosen } = picking;
  if (!chosen) return null;
  return [
    h(
      "span",
      { class: "what", key: "chosen" },
      chosen.piece && !chosen.words ? chip(of, chosen.piece, 1) : h("b", {}, chosen.label),
      leadOf(picking.leads.to(chosen.key)),
    ),
    h(
      "button",
      { class: `main confirms${picking.waits ? " sent" : ""}`, key: "confirmed", onclick: () => picking.take(chosen) },
      say("confirm"),
    ),
  ];
}

/** @param {Question} asked @param {Picking} picking */
export function confirm(asked, picking) {
  const taken = picking.taken;
  return [
    h(
      "button",
      { class: `main${picking.waits ? " sent" : ""}`, disabled: !picking.fits, onclick: () => picking.answer(taken) },
      calledWith(asked, taken.length),
    ),
    mayTakeAll(asked) &&
      !(asked.all && picking.full) &&
      h(
        "button",
        {
          class: "choice",
          key: "all",
          disabled: picking.full,
          onclick: () => (asked.all ? picking.answer(everything(asked)) : takeAll(picking)),
        },
        alone(asked.all || say("all")),
      ),
    taken.length > 0 && leadOf(picking.leads.whole),
  ];
}

// What the button is called that takes so many: as the edition calls it, or a number that is confirmed.
/** @param {Question} asked @param {number} count */
function calledWith(asked, count) {
  if (!count && asked.none) return alone(asked.none);
  if (asked.all && count === everything(asked).length) return alone(asked.all);
  if (!asked.some) return noted(say("confirm"), number(count));
  return mayTakeAll(asked) ? alone(asked.some) : noted(alone(asked.some), number(count));
}

/** @param {Picking} picking */
function takeAll(picking) {
  for (const choice of picking.asked.choices) picking.put(choice, choice.count);
}
