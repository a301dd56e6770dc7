// Texts that change: what is different, how much of it, and what is sent of it at once.

import { diff } from "@codemirror/merge";
import { ChangeSet, EditorState } from "@codemirror/state";

/** @import { sendableUpdates } from "@codemirror/collab" */
/** @import { Text } from "@codemirror/state" */
/** @import { EditorPage, UpdateMessage } from "./editor_types" */
/** @typedef {ReturnType<typeof sendableUpdates>[number]} SendableUpdate */

// From one text to another; where they are large and very different, roughly.
/** @param {string} before @param {string} after */
export const changesBetween = (before, after) =>
  ChangeSet.of(
    diff(before, after, { scanLimit: 500, timeout: 500 }).map(({ fromA, toA, fromB, toB }) => ({
      from: fromA,
      to: toA,
      insert: after.slice(fromB, toB),
    })),
    before.length,
  );

/** @param {Text} doc */
const bytes = (doc) => (3 * doc.length <= LEAST ? 0 : new TextEncoder().encode(doc.toString()).length);
const LEAST = 100_000; // no bound is as low as this

// What would make a file larger than one may be is refused; what others have done is not asked.
/** @param {EditorPage} page */
export const bounded = (page) =>
  EditorState.transactionFilter.of((transaction) => {
    if (
      !transaction.docChanged ||
      transaction.newDoc.length <= transaction.startState.doc.length ||
      bytes(transaction.newDoc) <= page.largest()
    )
      return transaction;
    page.tooLarge();
    return [];
  });

// How many letters one text has that another has not, and the other way round.
/** @param {string} before @param {string} after */
export function distance(before, after) {
  let found = 0;
  changesBetween(before, after).iterChanges((fromA, toA, fromB, toB) => {
    found += toA - fromA + toB - fromB;
  });
  return found;
}

const MOST_SENT = 1 << 20; // letters of a message, which may have one change more
const MOST_UPDATES = 1000; // of a message

// The first of some updates, as they are sent together.
/** @param {readonly SendableUpdate[]} updates */
export function parcel(updates) {
  /** @type {UpdateMessage[]} */
  const found = [];
  let size = 0;
  for (const { clientID, changes } of updates) {
    if (size > MOST_SENT || found.length === MOST_UPDATES) break;
    found.push({ clientID, changes: changes.toJSON() });
    size += JSON.stringify(found.at(-1)).length;
  }
  return found;
}
