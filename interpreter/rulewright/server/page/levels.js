// Who can play for the computer, in words: a page brings only the words that stand in its scripts.

import { filled, say } from "./words.js";

/** @param {string} player */
export function computer(player) {
  /** @type {Record<string, string>} */
  const words = { easy: say("easy"), medium: say("medium"), hard: say("hard"), best: say("best") };
  if (player.startsWith("policy:")) return filled("trained", { name: player.slice("policy:".length) });
  return words[player] ?? say("computer");
}

// How well it plays, of four; 0 where that is not known.
/** @param {string} player */
export const level = (player) => ["easy", "medium", "hard", "best"].indexOf(player) + 1;

// The same in short, beside a name.
/** @param {string} player */
export const levelWord = (player) =>
  [say("computer"), say("plays easy"), say("plays medium"), say("plays hard"), say("plays best")][level(player)];
