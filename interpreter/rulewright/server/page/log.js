// What has happened, by rounds and phases, the last of it in sight; each line leads back to its moment.

import { arrived } from "./pictures.js";
import { classes, coming, memo } from "./dom.js";
import { sign } from "./pieces.js";
import { avatar } from "./seat_parts.js";
import { h } from "./preact.js";
import { filled, number, say } from "./words.js";

/** @import { Child, LinePart, LogLine, Redraw, Scrolled, State, Table, Tell } from "./types" */

const sheet = coming(() => import("./move_sheet.js"));

// What draws moves as players write them down, where any are, once it is there.
/** @param {LogLine[]} lines @param {Redraw} redraw */
export const notation = (lines, redraw) => (lines.some((line) => line.notation) ? sheet(redraw) : null);

// tell: a line as elements, by `telling`; look: looks back to a step; upto: the last step that is told of, null for
// all; phases: what the game's are called.
/**
 * @param {LogLine[]} lines
 * @param {{ tell: Tell, look: (step: number) => void, redraw: Redraw, upto?: number | null, phases?: Record<string, string> }} given
 * @param {...Child} more
 */
export function log(lines, { tell, look, redraw, upto = null, phases = {} }, ...more) {
  const noted = notation(lines, redraw);
  const list = h(
    "div",
    { class: "lines", role: "log", tabindex: 0, "aria-label": say("log") },
    noted?.isNoted(lines)
      ? noted.moveSheet(lines, upto, look)
      : h(
          "ol",
          {},
          memo([lines, upto, ...tell.from], () =>
            rows(upto === null ? lines : lines.filter((line) => line.step <= upto), tell, look, onlyPhase(phases)),
          ),
        ),
  );
  return h("section", { class: "log" }, h("h2", {}, say("log")), list, more);
}

// Of lines, those that are shown: not a heading that another follows at once, nor one before anything has happened.
/** @param {LogLine[]} lines */
export const shown = (lines) =>
  lines.filter(({ heading }, place) => !heading || !(lines[place + 1]?.heading || lines.every((one) => one.heading)));

// A heading as elements; of whoever is named in it, with their sign.
/** @param {LogLine} line @param {Tell} tell */
export const title = (line, tell) => (line.parts.some((part) => part.seat !== undefined) ? tell(line) : line.text);

// The phase of a game whose rounds have no other: it need not be told.
/** @param {Record<string, string>} given */
export const onlyPhase = ({ "": _, ...phases }) => (Object.keys(phases).length === 1 ? Object.values(phases)[0] : null);

// Rounds are headings, and below them phases and what the edition calls so; what several do alike, one after the other,
// is one row with what it leads to. Of what comes again in the same words, only who and what is told.
/** @param {LogLine[]} lines @param {Tell} tell @param {(step: number) => void} look @param {string | null} only */
function rows(lines, tell, look, only) {
  const found = [];
  let round = 0;
  const kept = shown(lines);
  /** @type {Set<string | number | null>} */
  const known = new Set(); // patterns that have been told in words
  for (let at = 0; at < kept.length; at += 1) {
    const line = kept[at];
    const from = [line, ...tell.from];
    if (line.heading && line.round !== round) {
      round = line.round;
      found.push(
        h("li", { class: "round", key: `round ${round}` }, h("h3", {}, filled("in round", { round: number(round) }))),
      );
      if (line.text === only) continue;
    }
    if (line.heading) {
      found.push(
        h(
          "li",
          { class: "heading", key: at },
          memo([...from, round], () => h(round ? "h4" : "h3", {}, title(line, tell))),
        ),
      );
      continue;
    }
    const of = /** @type {Table} */ (tell.from[0]);
    const alike = kept.slice(at, at + likeIt(kept, at, of));
    const isRow = alike.length > 1;
    const result = isRow ? resultOf(alike, kept[at + alike.length]) : null;
    const isKnown = isRow && known.has(line.sentence);
    const isUsual = result !== null && known.has(wordsOf(result));
    if (isRow) known.add(line.sentence);
    if (result) known.add(wordsOf(result));
    found.push(
      h(
        "li",
        { class: "line", key: at },
        memo([...alike, result, isKnown, isUsual, ...tell.from], () => [
          told(alike, tell, look, isKnown, isUsual ? result : null),
          result && !isUsual && told([result], tell, look),
        ]),
      ),
    );
    at += alike.length - Number(!result);
  }
  return found;
}

// Lines that say the same of somebody else each, as a row: behind the first, only who and what. Each leads back to its
// moment. isKnown: so is the first; result: is told by a sign at whom it is about.
/** @param {LogLine[]} alike @param {Tell} tell @param {(step: number) => void} look @param {boolean} [isKnown] @param {LogLine | null} [result] */
const told = (alike, tell, look, isKnown = false, result = null) =>
  alike.map((line, place) => {
    const isBrief = isKnown || place > 0;
    const leads = result?.parts[0].seat === line.parts[0].seat ? result : null;
    return h(
      "button",
      {
        type: "button",
        class: classes("tells", isBrief && "brief", leads && "leads"),
        key: place,
        title: leads?.text ?? say("step through"),
        onclick: () => look((leads ?? line).step),
      },
      tell(alike.length > 1 ? { ...line, parts: isBrief ? whoAndWhat(line) : unended(line) } : line),
      leads && h("span", { class: "unseen" }, ` ${leads.text}`),
    );
  });

// What a row of lines has led to for one of those who are named in it, such as who has taken a trick; null for anything
// else, and for what names more than that one.
/** @param {LogLine[]} alike @param {LogLine | undefined} next */
function resultOf(alike, next) {
  const [first, ...others] = next?.parts ?? [];
  const isAbout = first?.seat !== undefined && alike.some(({ parts }) => parts[0].seat === first.seat);
  const isPlain = others.every((part) => part.seat === undefined && !part.piece && !/\p{Nd}/u.test(part.text));
  return next && !next.heading && isAbout && isPlain ? next : null;
}

// What a line says behind whom it is about.
/** @param {LogLine} line */
const wordsOf = ({ parts, sentence }) =>
  sentence ?? parts.map((part) => (part.seat === undefined ? part.text : "")).join("|");

/** @param {LogLine} line */
const whoAndWhat = ({ parts }) => parts.filter((part) => part.piece || part.seat !== undefined);

// Without the full stop.
/** @param {LogLine} line */
const unended = ({ parts }) =>
  parts.map((part, at) => (at < parts.length - 1 ? part : { ...part, text: part.text.replace(/\.$/, "") }));

// How many lines from one on say the same of somebody else each, such as which card they have played.
/** @param {LogLine[]} lines @param {number} at @param {Table} of */
function likeIt(lines, at, of) {
  const pattern = patternOf(lines[at], of);
  const seats = new Set();
  let end = at;
  while (
    pattern &&
    end < lines.length &&
    patternOf(lines[end], of) === pattern &&
    !seats.has(lines[end].parts[0].seat)
  ) {
    seats.add(lines[end].parts[0].seat);
    end += 1;
  }
  return Math.max(1, end - at);
}

// What a line says but for who and what: of one seat, then pieces whose signs say it all; '' of any other. A line that
// names no piece, such as who passes, is told in full: of a row, bare names would stay.
/** @param {LogLine} line @param {Table} of */
function patternOf({ heading, parts, round, sentence }, of) {
  const [who, ...others] = parts.filter((part) => part.piece || part.seat !== undefined);
  if (heading || sentence === null || !who || who !== parts[0] || who.piece) return "";
  const isPlain =
    others.length > 0 && others.every(({ piece, count = 1 }) => piece && count === 1 && saysAll(of, piece));
  return isPlain ? `${round}|${sentence}` : "";
}

// Tells lines: who is named, in their colours, and before a line the sign of whoever acts in it; pieces with their
// signs. from: what else that depends on.
/** @param {Table} of @param {State} state */
export function telling(of, state) {
  const tell = (/** @type {LogLine} */ line) => {
    const actor = line.parts.find((/** @type {LinePart} */ part) => part.seat !== undefined);
    const first = line.parts[0] === actor;
    return [
      h("span", { class: "actor", "aria-hidden": "true" }, first && actor && avatar(of, state, actor.seat ?? 0)),
      h("span", { class: "unseen" }, line.text),
      h(
        "span",
        { class: "said", "aria-hidden": "true" },
        line.parts.map((/** @type {LinePart} */ part, /** @type {number} */ at) =>
          part.seat !== undefined
            ? h("b", { class: `by seat-${part.seat}` }, part.text)
            : part.piece
              ? named(of, part, pointAt(line.parts[at + 1]))
              : part.text.slice(line.parts[at - 1]?.piece ? pointAt(part).length : 0),
        ),
      ),
    ];
  };
  return Object.assign(tell, { from: [of, arrived(of), JSON.stringify(state.owners)] });
}

// The point, comma or the like that a part begins with.
/** @param {LinePart | undefined} part */
const pointAt = (part) =>
  (part?.seat === undefined && !part?.piece && part?.text.match(/^[\p{Pe}\p{Pf}\p{Po}]+/u)?.[0]) || "";

// Whether a piece's sign says it all, as a card's corner does.
/** @param {Table} of @param {string} piece */
const saysAll = (of, piece) => Boolean(of.pieces[piece].corner && (of.pieces[piece].suit || of.pieces[piece].picture));

// A piece in a line: its sign, where that says it all; else its name with it. point: stands in the same line behind it.
/** @param {Table} of @param {LinePart} part @param {string} point */
function named(of, { piece = "", text, count = 1 }, point) {
  const name = !saysAll(of, piece) && !of.pieces[piece].die && text; // a die shows its number
  return h(
    "span",
    { class: "named" },
    name,
    name && " ",
    h("span", { class: "signed" }, sign(of, piece, count), point),
  );
}

// Lines where they happened, for the eye: they are told elsewhere.
/** @param {LogLine[] | undefined} lines @param {Tell} tell */
export function captions(lines, tell) {
  return (
    lines &&
    lines.length > 0 &&
    h(
      "div",
      { class: "captions", "aria-hidden": "true" },
      lines.map((line) => h("p", {}, tell(line))),
    )
  );
}

// The last of it over the question, where the log is far away.
/** @param {LogLine[]} lines @param {Tell} tell */
export function ticker(lines, tell) {
  const last = lines.filter((line) => !line.heading).slice(-2);
  return (
    last.length > 0 &&
    h(
      "div",
      { class: "ticker", "aria-hidden": "true" },
      last.map((line) => h("span", { class: "line" }, tell(line))),
    )
  );
}

const NEAR = 60; // pixels from the end: not everybody scrolls to the very last of them

/** @param {Scrolled} list */
const end = (list) => {
  list.scrollTop = list.scrollHeight;
  list.was = list.scrollTop;
};

// Whoever makes the list smaller, such as a question below it, hides its end, and that is not to scroll away from it.
const resized = new ResizeObserver((entries) => {
  for (const { target } of entries)
    if (isFollowing(/** @type {Scrolled} */ (target))) end(/** @type {Scrolled} */ (target));
});

// Whether its end is looked at. What comes to it, and what takes room from it, is not to scroll: only who goes up reads
// further up, and whoever is at the end follows again. It is looked up where it matters, since `scroll` comes later.
/** @param {Scrolled} list */
function isFollowing(list) {
  if (list.scrollHeight - list.scrollTop - list.clientHeight < NEAR) list.following = true;
  else if (list.scrollTop < list.was) list.following = false;
  list.was = list.scrollTop;
  return list.following;
}

// Down to the last line, unless somebody reads further up.
/** @param {number | string} lines */
export function follow(lines) {
  const list = /** @type {Scrolled | null} */ (document.querySelector(".log .lines"));
  if (!list || list.told === lines) return;
  if (list.told === undefined) {
    list.following = true;
    list.was = 0;
    list.addEventListener("scroll", () => isFollowing(list));
    resized.observe(list);
  }
  list.told = lines;
  if (isFollowing(list)) end(list);
}
