// Pieces with what they count: 'tank (moved and damage 2)' is a tank with notes behind its name.

import { noted, number, row } from "./words.js";

/** @import { Piece, Sitting } from "./types" */

const NOTES = / \(([^()]*)\)$/;

// The pieces of a glossary, with those that are only told apart by what they count: found by their names.
/**
 * @param {Record<string, Piece>} pieces
 * @param {Record<string, import("./types").Mark>} marks
 * @param {Sitting[]} seats
 */
export function withMarks(pieces, marks, seats) {
  /** @type {Map<string, Piece | undefined>} */
  const known = new Map(Object.entries(pieces));
  const found = (/** @type {string | symbol} */ name) => {
    if (typeof name !== "string") return undefined;
    if (!known.has(name))
      known.set(
        name,
        marked(name, known, (note) => mark(note, marks, seats)),
      );
    return known.get(name);
  };
  return new Proxy(pieces, { get: (_, name) => found(name), has: (_, name) => found(name) !== undefined });
}

/**
 * @param {string} name
 * @param {Map<string, Piece | undefined>} known
 * @param {(note: string) => { label: string, short: string }} read
 * @returns {Piece | undefined}
 */
function marked(name, known, read) {
  const notes = NOTES.exec(name);
  const piece = notes && known.get(name.slice(0, notes.index));
  if (!piece) return undefined;
  const names = notes[1].split(" and ");
  const told = names.map(read);
  return {
    ...piece,
    label: noted(piece.label, row(told.map(({ label }) => label))),
    notes: told.map(({ short }, n) => (names[n] === piece.faded ? "" : short)).join(""),
    spent: names.includes(piece.faded),
  };
}

// In words, and in as little room as there is on a disc.
/** @param {string} note @param {Record<string, import("./types").Mark>} marks @param {Sitting[]} seats */
function mark(note, marks, seats) {
  const name = Object.keys(marks)
    .filter((each) => `${note} `.startsWith(`${each} `))
    .toSorted((one, other) => other.length - one.length)[0];
  if (!name) return { label: note, short: note.slice(0, 1) };
  const { label, held, seat } = marks[name];
  const value = note.slice(name.length + 1);
  if (!value) return { label, short: label.slice(0, 1) };
  const said = held[value] ?? (seat ? seats[Number(value) - 1].name : number(Number(value)));
  return { label: `${label} ${said}`, short: value in held || seat ? said.slice(0, 1) : said };
}
