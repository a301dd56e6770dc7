// Who can play for the computer, in words: a page brings only the words that stand in its scripts.

import { filled, say } from "./words.js";

/** @param {string} player */
export function computer(player) {
  /** @type {Record<string, string>} */
  const words = { novice: say("novice"), greedy: say("greedy"), search: say("search") };
  if (player.startsWith("policy:")) return filled("trained", { name: player.slice("policy:".length) });
  return words[player] ?? say("computer");
}

// How well it plays, of three; 0 where that is not known.
/** @param {string} player */
export const level = (player) => ["novice", "greedy", "search"].indexOf(player) + 1;

// The same in short, beside a name.
/** @param {string} player */
export const levelWord = (player) =>
  [say("computer"), say("plays very easy"), say("plays medium"), say("plays strong")][level(player)];
