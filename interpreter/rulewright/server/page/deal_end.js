// The end of a deal: who is ahead, what each deal has brought everybody, and what for, until the reader goes on.

import { classes } from "./dom.js";
import { at } from "./middle.js";
import { face, sorted } from "./pieces.js";
import { h } from "./preact.js";
import { known } from "./scores_heard.js";
import { avatar, teamOf } from "./seat_parts.js";
import { alone, entry, filled, number, say } from "./words.js";

/** @import { RoundPoints } from "./protocol" */
/** @import { Child, LinePart, LogLine, Rect, Side, State, Table, Tell } from "./types" */

// What is told together: lines of one seat, up to one that names several cards: these are shown beside them.
/** @typedef {{ seat: number | undefined, lines: LogLine[], cards: LinePart[] }} Told */

const SHOW = 1300; // milliseconds for cards that are shown one after the other
const TELL = 250; // and for what is only told
const MOST = 8; // lines of each seat with which a deal ends

/** @param {LogLine} line */
const seatOf = ({ parts }) => parts[0]?.seat;

// Whom a line is about: who is named first, or else the first seat of the only side that is named.
/** @param {Table} of @param {State} state @returns {(line: LogLine) => number | undefined} */
const subject = (of, state) => (line) => {
  const sides = of.seats.map((_, seat) => state.counters[of.sides]?.[seat]);
  const named = [...new Set(sides)].filter((side) => side && line.text.includes(side));
  return seatOf(line) ?? (named.length === 1 ? sides.indexOf(named[0]) : undefined);
};
/** @param {LinePart} part */
const isCard = (part) => part.piece !== undefined;

// The lines of the phase with which a round ends.
/** @param {Table} of @param {Pick<State, "round" | "phase">} state @param {LogLine[]} lines */
export function counted(of, { round, phase }, lines) {
  const own = lines.filter((line) => line.round === round);
  const title = own.findLastIndex((line) => line.heading && line.text === of.phases[phase]);
  return own.slice(title + 1).filter((line) => !line.heading);
}

/** @param {LogLine[]} lines @param {(line: LogLine) => number | undefined} whose @returns {Told[]} */
export function grouped(lines, whose = seatOf) {
  /** @type {Told[]} */
  const found = [];
  for (const line of lines) {
    const seat = whose(line);
    let last = found.at(-1);
    if (!last || last.seat !== seat || last.cards.length) {
      last = { seat, lines: [], cards: [] };
      found.push(last);
    }
    last.lines.push(line);
    const cards = line.parts.filter(isCard);
    if (cards.length > 1) last.cards = cards;
  }
  // Cards that are shown once for each seat have room beside its points.
  const shown = found.filter(({ cards }) => cards.length).map(({ seat }) => seat);
  return new Set(shown).size < shown.length ? found : found.map((one) => ({ ...one, cards: [] }));
}

// What a round has brought a seat, and its points since the beginning: null where that is not known.
/** @param {{ round: number }} at @param {RoundPoints[]} rounds @param {number} seat */
export function gain({ round }, rounds, seat) {
  const now = rounds.find((one) => one.round === round)?.points[seat] ?? null;
  const before = rounds.findLast((one) => one.round < round)?.points[seat] ?? 0;
  return now === null ? null : now - before;
}

/** @param {State} state @param {number} seat */
const total = ({ scores }, seat) => scores[seat]?.lines.reduce((sum, [, points]) => sum + (points ?? 0), 0) ?? null;

// Who is told in a row: one of each side, best first.
/** @param {Table} of @param {State} state */
function ranked(of, state) {
  const better = of.least ? 1 : -1;
  const points = (/** @type {number} */ seat) => total(state, seat) ?? 0;
  return of.seats
    .map((_, seat) => seat)
    .filter((seat) => state.scores[seat] && teamOf(of, state, seat) === seat)
    .sort((one, other) => better * (points(one) - points(other)));
}

/** @type {State | null} */
let asked = null; // the end of a deal whose points were asked for last

// The end of a deal that a side looks at now, or in a replay. skip: goes on.
/** @param {Side} side @param {Table} of @param {State} end @param {{ tell: Tell, rect: Rect, skip: () => void }} given */
export function endOfDeal({ connection, history, lines, state }, of, end, { tell, rect, skip }) {
  const last = history.on ? history.at : end.steps - 1;
  if (!history.on && asked !== end) connection.send({ type: "scores" });
  asked = end;
  return dealEnd(of, end, {
    lines: lines.filter((line) => line.step <= last),
    tell,
    rounds: history.on ? (state?.curve ?? []) : known.rounds,
    rect,
    goOn: () => (history.on ? history.to(history.at + 1) : skip()),
  });
}

/**
 * @param {Table} of
 * @param {State} state
 * @param {{ lines: LogLine[], tell: Tell, rounds: RoundPoints[], rect: Rect, goOn: () => void }} given
 */
export function dealEnd(of, state, { lines, tell, rounds, rect, goOn }) {
  const title = filled("in round", { round: number(state.round) });
  return h(
    "div",
    {
      class: "deal-end",
      key: `deal ${state.round}`,
      role: "dialog",
      "aria-label": title,
      style: at(rect),
      onclick: forward(goOn),
    },
    h(
      "div",
      { class: "deal-sheet" },
      h("h2", {}, title),
      counts(of, state, ranked(of, state), { lines, tell, rounds }),
      h(
        "button",
        { type: "button", class: "main", key: "go on", ref: focused, onclick: forward(goOn) },
        `${say("continue")} ▸▸`,
      ),
    ),
  );
}

// The last deal of a game, once it is over: who has come in which place, what it has brought everybody, and what for.
/** @param {Table} of @param {State} state @param {{ lines: LogLine[], tell: Tell }} given */
export const lastDeal = (of, state, { lines, tell }) =>
  h(
    "div",
    { class: "deal-sheet last", key: "last deal" },
    counts(
      of,
      state,
      state.standings.map(({ seat }) => seat).filter((seat) => teamOf(of, state, seat) === seat),
      { lines, tell, rounds: state.curve },
    ),
  );

// What a deal has brought, and what was counted for it.
/** @param {Table} of @param {State} state @param {number[]} seats @param {{ lines: LogLine[], tell: Tell, rounds: RoundPoints[] }} given */
function counts(of, state, seats, { lines, tell, rounds }) {
  const all = counted(of, state, lines);
  const told = all.length > MOST * of.seats.length ? [] : grouped(all, subject(of, state)); // else a deal was cut off
  const short = told.filter(({ seat, cards }) => !cards.length && seat !== undefined);
  const long = told.filter((one) => !short.includes(one));
  const delay = (/** @type {number} */ n) =>
    long.slice(1, n + 1).reduce((sum, { cards }) => sum + (cards.length ? SHOW : TELL), 0);
  return h(
    "div",
    { class: "deal-counts" },
    scores(of, state, seats, rounds, (seat) => why(of, short, state, rounds, seat, tell)),
    long.length > 0 &&
      h(
        "ul",
        { class: "counts" },
        long.map((one, n) => count(of, state, one, delay(n), tell)),
      ),
  );
}

/** @param {HTMLElement | null} button */
function focused(button) {
  if (button && !document.activeElement?.matches("input, textarea, select")) button.focus({ preventScroll: true });
}

// Goes on; while something is still to come, it comes at once first.
/** @param {() => void} goOn */
const forward = (goOn) => (/** @type {Event & { currentTarget: HTMLElement }} */ event) => {
  event.stopPropagation();
  const sheet = event.currentTarget.closest(".deal-end");
  const coming = sheet?.getAnimations({ subtree: true }).filter((one) => one.playState === "running") ?? [];
  if (!coming.length) return goOn();
  for (const one of coming) one.finish();
};

// ── what was counted ──

/** @param {Table} of @param {State} state @param {Told} told @param {number} delay @param {Tell} tell */
const count = (of, state, { seat, lines, cards }, delay, tell) =>
  h(
    "li",
    { key: delay, class: "count", style: { "--wait": `${delay}ms` } },
    seat !== undefined && avatar(of, state, seat),
    h(
      "div",
      { class: "count-lines" },
      seat !== undefined && h("b", { class: `by seat-${seat}`, "aria-hidden": "true" }, called(of, seat, lines)),
      lines.map((line, n) =>
        h("p", { key: n }, n === lines.length - 1 && cards.length ? result(line) : brief(line, tell)),
      ),
    ),
    cards.length > 0 &&
      h(
        "div",
        { class: "cards", "aria-hidden": "true", style: { "--cards": cards.length } },
        sorted(
          of,
          cards.map(({ piece = "", count: many = 1 }) => ({ name: piece, count: many })),
        ).map(({ name, count: many }) => h("span", { class: "laid", key: name }, face(of, name, many))),
      ),
  );

// Who is told of, as the lines call them: 'You' of the reader, whom their verbs address.
/** @param {Table} of @param {number} seat @param {LogLine[]} lines */
function called(of, seat, lines) {
  const own = lines.find((line) => seatOf(line) === seat);
  return own ? own.parts[0].text : of.seats[seat].name;
}

// A line without whom it is about, who stands beside it.
/** @param {LogLine} line @param {Tell} tell */
const brief = (line, tell) =>
  tell(seatOf(line) === undefined ? line : { ...line, parts: [{ text: "" }, ...line.parts.slice(1)] });

// What a line says besides the cards that lie beside it: what it comes to, if it says so after them.
/** @param {LogLine} line */
function result({ text, parts }) {
  const [first, last] = [parts.findIndex(isCard), parts.findLastIndex(isCard)];
  const words = (/** @type {LinePart[]} */ some) => some.map((part) => part.text).join("");
  const behind = words(parts.slice(last + 1)).replace(/^[^\p{L}\p{Nd}]+/u, "");
  const before = words(parts.slice(parts[0].seat === undefined ? 0 : 1, first)).trim();
  return [
    h("span", { class: "unseen" }, text),
    h("strong", { "aria-hidden": "true" }, behind ? alone(behind) : before.replace(/[\p{P}\s]+$/u, "")),
  ];
}

// ── points ──

const NUMBERS = /\p{Nd}(?:[\p{Nd}.,\u00a0\u202f’]*\p{Nd})?/gu;
const EARLIER = 5; // deals that are told beside the last one, at most

// In which place somebody has come, once the game is over.
/** @param {State} state @param {number} seat */
function placed({ standings }, seat) {
  const found = standings.find((one) => one.seat === seat);
  return found && h("span", { class: "place-of" }, found.rank === 1 && "★ ", found.place);
}

/** @param {number | null} got */
const plus = (got) => got !== null && (got > 0 ? `+${number(got)}` : number(got));

/** @param {Table} of @param {State} state @param {number[]} seats @param {RoundPoints[]} rounds @param {(seat: number) => Child} why */
function scores(of, state, seats, rounds, why) {
  const best = total(state, seats[0]);
  const earlier = state.over // then the result tells them
    ? []
    : rounds.filter((one) => one.round > 0 && one.round < state.round).slice(-EARLIER);
  const row = (/** @type {number} */ seat) => {
    const [got, all] = [gain(state, rounds, seat), total(state, seat)];
    const partners = of.seats.map((_, other) => other).filter((other) => teamOf(of, state, other) === seat);
    return h(
      "tr",
      { key: seat, class: classes(all === best && "leads", of.seat !== null && partners.includes(of.seat) && "own") },
      h(
        "th",
        { scope: "row" },
        h(
          "span",
          { class: "who-scores" },
          placed(state, seat),
          avatar(of, state, seat),
          h(
            "span",
            {},
            partners.map((one) => of.seats[one].name).join(" + "),
            partners.length > 1 && h("small", {}, state.counters[of.sides][seat]),
          ),
        ),
      ),
      h("td", { class: "why" }, why(seat)),
      earlier.map((one) => h("td", { class: "deal-before", key: one.round }, plus(gain(one, rounds, seat)))),
      h("td", { class: "gain" }, plus(got)),
      h("td", { class: "all" }, h("strong", {}, all === null ? "" : number(all))),
    );
  };
  return h(
    "table",
    {},
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        h("td", { colspan: 2 }),
        earlier.map(({ round }) => h("th", { scope: "col", class: "deal-before", key: round }, number(round))),
        h("th", { scope: "col" }, say("this round")),
        h("th", { scope: "col" }, say("total")),
      ),
    ),
    h("tbody", {}, seats.map(row)),
  );
}

// What was told of a seat or its partners, but for what only says its points once more.
/** @param {Table} of @param {Told[]} told @param {State} state @param {RoundPoints[]} rounds @param {number} seat @param {Tell} tell */
function why(of, told, state, rounds, seat, tell) {
  const points = [gain(state, rounds, seat), total(state, seat)].map((one) => number(Math.abs(one ?? 0)));
  const tells = (/** @type {LogLine} */ { text, parts }) => {
    const numbers = text.slice(parts[0].text.length).match(NUMBERS) ?? [];
    return !numbers.length || parts.some(isCard) || numbers.some((one) => !points.includes(one));
  };
  const lines = told
    .filter((one) => one.seat !== undefined && teamOf(of, state, one.seat) === seat)
    .flatMap((one) => one.lines.filter(tells));
  return [
    sources(state, rounds, seat),
    lines.map((told, n) => {
      const line = withoutSum(told, points);
      return line.parts.some((part) => isCard(part) && of.pieces[part.piece ?? ""].card)
        ? strip(of, line, n)
        : h("p", { key: n }, seatOf(line) === seat ? brief(line, tell) : tell(line));
    }),
  ];
}

// What has brought a seat its points in this round, where several things have: they come to what it gained.
/** @param {State} state @param {RoundPoints[]} rounds @param {number} seat */
const sources = ({ round }, rounds, seat) =>
  rounds
    .find((one) => one.round === round)
    ?.sources?.filter(({ values }) => values[seat])
    .map(({ title, values }) => h("p", { class: "source", key: title }, entry(title, number(values[seat] ?? 0))));

const SUM = /\p{Z}*:([^:]+)$/u;

// A line without the points at its end that stand beside it.
/** @param {LogLine} line @param {string[]} points @returns {LogLine} */
function withoutSum(line, points) {
  const last = line.parts.at(-1);
  const sum = last && !isCard(last) && SUM.exec(last.text);
  if (!sum || !points.includes(sum[1].match(NUMBERS)?.join() ?? "")) return line;
  return { ...line, parts: [...line.parts.slice(0, -1), { ...last, text: `${last.text.slice(0, sum.index)}.` }] };
}

// The cards that a line names, in their order.
/** @param {Table} of @param {LogLine} line @param {number} key */
function strip(of, { text, parts }, key) {
  const cards = parts.filter(isCard).map(({ piece = "", count = 1 }) => ({ name: piece, count }));
  return h(
    "div",
    { class: "strip-of-cards", key },
    h("span", { class: "unseen" }, text),
    sorted(of, cards).map(({ name, count }) =>
      h(
        "span",
        { class: "laid", key: name, "aria-hidden": "true", title: of.pieces[name].label },
        face(of, name, count),
      ),
    ),
  );
}
