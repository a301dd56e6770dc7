// The moves as players write them down: a row for each turn of all, a column for each seat.

import { h } from "./preact.js";
import { hasOn, keepOn } from "./switches.js";
import { filled, number, say } from "./words.js";

/** @import { History } from "./history.js" */
/** @import { Child, KeyEvent, LogLine, Table } from "./types" */

/** @typedef {{ round: number, actor: number | null, step: number, answers: number, text: string }} NotedMove */

const WORDS = "rulewright moves in words";

// Whether moves are shown in short: where there are any, unless the reader wants words.
/** @param {LogLine[]} lines */
export const isNoted = (lines) => hasNotation(lines) && !hasOn(WORDS);

/** @param {LogLine[]} lines */
const hasNotation = (lines) => lines.some(({ notation }) => notation);

// What is noted before anybody else answers is one move, though a new round begins meanwhile.
/** @param {LogLine[]} lines */
export function notedMoves(lines) {
  /** @type {NotedMove[]} */
  const moves = [];
  for (const { notation, round, actor, step, answers } of lines) {
    if (!notation) continue;
    const last = moves.at(-1);
    if (last && (last.answers === answers || (last.round === round && last.actor === actor)))
      Object.assign(last, { text: joined(last.text, notation), step, answers });
    else moves.push({ round, actor, step, answers, text: notation });
  }
  return moves.map((move) => ({ ...move, text: withWays(move.text) }));
}

const WAY = /^([\p{L}\d]+)\/([\p{L}\d]+)(\*?)$/u;

// Ways such as '13/7 7/4': one that goes on where another ended is told with it, '13/4', unless that took something,
// '13/7*/4'; equal ones are told once, '6/4(2)'.
/** @param {string} text */
export function withWays(text) {
  /** @type {{ told: string, end: string | null, took: boolean }[]} */
  const parts = [];
  for (const part of text.split(" ")) {
    const [, from = "", to = "", star = ""] = WAY.exec(part) ?? [];
    const before = from && parts.find(({ end }) => end === from);
    const way = { told: part, end: to || null, took: star !== "" };
    if (!before) parts.push(way);
    else {
      const began = before.took ? before.told : before.told.slice(0, before.told.lastIndexOf("/"));
      Object.assign(before, { ...way, told: `${began}/${to}${star}` });
    }
  }
  const counts = Map.groupBy(parts, ({ told }) => told);
  return [...counts].map(([told, { length }]) => (length > 1 ? [told, "(", length, ")"].join("") : told)).join(" ");
}

// Parts of one move, such as '24/18 18/13' and 'Qh5' with '+': a word or a number stands apart.
/** @param {string} text @param {string} more */
const joined = (text, more) => (/^(\d|\p{L}{2})/u.test(more) ? `${text} ${more}` : text + more);

// A row for each round; where somebody moves more than once in one, as many, and numbered anew.
/** @param {LogLine[]} lines */
export function inRows(lines) {
  const moves = notedMoves(lines);
  const actors = [...new Set(moves.map(({ actor }) => actor))];
  /** @type {{ round: number, at: number, cells: (NotedMove | undefined)[] }[]} */
  const rows = [];
  let column = 0;
  for (const move of moves) {
    const [place, last] = [actors.indexOf(move.actor), rows.at(-1)];
    if (last?.round !== move.round) rows.push({ round: move.round, at: 1, cells: actors.map(() => undefined) });
    else if (place <= column) rows.push({ round: move.round, at: last.at + 1, cells: actors.map(() => undefined) });
    rows[rows.length - 1].cells[place] = move;
    column = place;
  }
  const isRound = rows.every(({ at }) => at === 1);
  return rows.map(({ round, at, cells }) => ({ key: `${round} ${at}`, number: isRound ? round : at, cells }));
}

// As text, such as '1. e4 e5 2. Nf3'.
/** @param {LogLine[]} lines */
const asText = (lines) =>
  inRows(lines)
    .map(({ number, cells }) => `${number}. ${cells.map((move) => move?.text ?? "…").join(" ")}`)
    .join(" ")
    .replace(/( …)+$/, "");

// upto: the step that is looked at; look: looks back to a step.
/** @param {LogLine[]} lines @param {number | null} upto @param {(step: number) => void} look */
export function moveSheet(lines, upto, look) {
  const now = notedMoves(lines).findLast(({ step }) => upto === null || step <= upto)?.step;
  const cell = (/** @type {NotedMove | undefined} */ move) =>
    h(
      "td",
      {},
      move &&
        h(
          "button",
          {
            type: "button",
            class: "plain",
            "aria-current": move.step === now ? "step" : null,
            onclick: () => look(move.step),
          },
          move.text,
        ),
    );
  const rest = lines.slice(lines.findLastIndex(({ notation }) => notation) + 1).filter(({ heading }) => !heading);
  return [
    h(
      "table",
      { class: "moves", "aria-label": say("log"), onkeydown: step },
      h(
        "tbody",
        {},
        inRows(lines).map(({ key, number: at, cells }) =>
          h("tr", { key }, h("th", { scope: "row" }, number(at)), cells.map(cell)),
        ),
      ),
    ),
    rest.map(({ text, parts }) => h("p", { class: "line" }, text || parts.map((part) => part.text).join(""))),
  ];
}

// Arrows go from move to move.
/** @param {KeyEvent} event */
function step(event) {
  const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (!by) return;
  const all = [...event.currentTarget.querySelectorAll("button")];
  const to = all[all.indexOf(/** @type {HTMLButtonElement} */ (event.target)) + by];
  if (!to) return;
  event.preventDefault();
  event.stopPropagation();
  to.focus();
  to.click();
}

/** @param {string} d */
const drawn = (d) => h("svg", { viewBox: "0 0 24 24" }, h("path", { d }));

// What can be done with the moves: they are copied, saved for other programs, or told in words.
/** @param {Pick<Table, "record">} of @param {LogLine[]} lines @param {History} history */
export function noteChoices(of, lines, { side, redraw }) {
  if (!hasNotation(lines)) return null;
  const copy = async (/** @type {{ currentTarget: HTMLElement }} */ { currentTarget: button }) => {
    await navigator.clipboard.writeText(asText(lines));
    button.textContent = say("copied");
  };
  const worded = hasOn(WORDS);
  const change = () => {
    keepOn(WORDS, !worded);
    redraw();
  };
  /** @param {Child} sign @param {string} name @param {(event: any) => void} onclick */
  const button = (sign, name, onclick) =>
    h(
      "button",
      { type: "button", class: "plain noting", key: name, title: name, "aria-label": name, onclick },
      h("span", { class: "sign", "aria-hidden": "true" }, sign),
      h("span", { class: "words" }, name),
    );
  return [
    button(drawn("M9 9h10v11H9zM5 15V4h10"), say("copy moves"), copy),
    of.record &&
      button(drawn("M12 4v11m-4-4 4 4 4-4M5 20h14"), filled("save as", { what: of.record.toUpperCase() }), () =>
        side.connection.send({ type: "record" }),
      ),
    button(worded ? "№" : "Aa", say(worded ? "as notation" : "in words"), change),
  ];
}
