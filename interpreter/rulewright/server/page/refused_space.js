// Why a space of a board cannot be taken now, in a few words: by what it does not share with all that can. It comes after the
// first view.

import { filled, say } from "./words.js";

/** @import { Board, Choice, Picking, Space, State, Table, Zone } from "./types" */

/** @typedef {{ of: Table, state: State, picking: Picking }} Hand */
/** @typedef {{ zones: Zone[], own: boolean, others: number | null }} Lying whose pieces lie on a space; others: a seat */

const SOME = 3; // spaces, from which on what they share is no chance

// given: the table at which somebody answers now; null where nothing can be taken.
/** @param {() => Hand | null} given */
export function attendRefusals(given) {
  document.addEventListener("click", ({ target }) => {
    const from = target instanceof Element ? target.closest(".boards .space.rests:not(.along)") : null;
    const now = from && given();
    if (!(from instanceof HTMLElement) || !now || now.picking.waits || now.picking.sent) return;
    const { of, state, picking } = now;
    const words = /** @type {HTMLElement | null} */ (from.closest(".map"))?.dataset.words;
    const board = of.boards.find((one) => one.words === words);
    const space = board?.spaces.find(({ word }) => word === from.dataset.space);
    const why = board && space && refusedSpace(of, state, picking, board, space);
    if (why) picking.refuse(why);
  });
}

// null where nothing on the board is asked for.
/** @param {Table} of @param {State} state @param {Picking} picking @param {Board} board @param {Space} space */
export function refusedSpace(of, state, picking, board, space) {
  const isOn = (/** @type {Choice} */ { place, words }) => place === 0 && words === board.words;
  const things = picking.things.filter(isOn);
  const picked = things.find(({ sort }) => sort === "picked");
  const words = new Set(things.filter(({ sort }) => !sort || sort === "direct").map(({ word }) => word));
  const offered = board.spaces.filter(({ word }) => words.has(word));
  if (!offered.length) return null;
  const called = nameOf(of, space);
  const lies = (/** @type {Space} */ { word }) => lying(of, state, board, word);
  return (
    byWhatLies(of, called, lies(space), offered.map(lies)) ??
    byGround(board, space, offered) ??
    byPlace(called, space, offered, picked ? [picked.word] : ownWords(of, state, board)) ??
    inDanger(of, state, board, picked ? null : lies(space)) ??
    [filled(picked ? "refused there" : "refused here", { space: called }), picking.asked.rule && say("refused rule")]
      .join(" ")
      .trim()
  );
}

/** @param {Table} of @param {Space} space */
const nameOf = ({ seat }, { numbers, label }) => (numbers?.[seat ?? 0] ? String(numbers[seat ?? 0]) : label);

/** @param {Table} of @param {State} state @param {Board} board @param {string} word @returns {Lying} */
function lying(of, state, board, word) {
  const zones = state.zones.filter(
    (one) => one.word === word && of.zones[one.zone].of === board.words && one.count > 0,
  );
  const owners = zones.flatMap(({ pieces }) => pieces ?? []).flatMap((name) => state.owners[name] ?? []);
  return { zones, own: owners.includes(of.seat ?? -1), others: owners.find((seat) => seat !== of.seat) ?? null };
}

/** @param {Table} of @param {string} space @param {Lying} here @param {Lying[]} offered */
function byWhatLies(of, space, here, offered) {
  const isFree = (/** @type {Lying} */ { zones }) => !zones.length;
  if (!isFree(here) && offered.every(isFree)) return filled("refused taken", { space });
  if (isFree(here) && !offered.some(isFree)) return filled("refused empty", { space });
  if (!here.own && here.others !== null && offered.every(({ own }) => own))
    return filled("refused other", { space, name: of.seats[here.others].name });
  if (here.own && offered.every(({ own }) => !own)) return filled("refused own", { space });
  return null;
}

// What a space is, in words, such as its land and its area.
/** @param {Board} board @param {Space} space */
const ground = ({ key }, { sign, told }) => [...key.filter(([one]) => one === sign).map(([, text]) => text), ...told];

/** @param {Board} board @param {Space} space @param {Space[]} offered */
function byGround(board, space, offered) {
  if (offered.length < SOME) return null;
  const here = ground(board, space);
  const there = offered.map((one) => ground(board, one));
  const shared = there[0].find((text) => !here.includes(text) && there.every((one) => one.includes(text)));
  if (shared) return filled("only now", { what: shared });
  const alike = (/** @type {string} */ text) => board.spaces.filter((one) => ground(board, one).includes(text));
  const out = here.find((text) => alike(text).length >= SOME && !there.some((one) => one.includes(text)));
  return out ? filled("not now", { what: out }) : null;
}

/** @param {Table} of @param {State} state @param {Board} board */
const ownWords = (of, state, board) =>
  board.spaces.map(({ word }) => word).filter((word) => lying(of, state, board, word).own);

// Whether all that can be taken is next to something that this space is not next to.
/** @param {string} called @param {Space} space @param {Space[]} offered @param {string[]} from */
function byPlace(called, space, offered, from) {
  const near = (/** @type {Space} */ { word, neighbours }) => neighbours.some((one) => from.includes(one)) && word;
  if (!from.length || near(space) || from.includes(space.word) || !offered.every(near)) return null;
  return filled(from.length > 1 ? "refused apart" : "refused far", { space: called });
}

// Where something of one's own could be taken next, such as a king in check.
/** @param {Table} of @param {State} state @param {Board} board @param {Lying | null} here */
function inDanger(of, state, board, here) {
  const [word] = state.threatened[board.words] ?? [];
  const name = lying(of, state, board, word).zones.flatMap(({ pieces }) => pieces ?? [])[0];
  return here?.own && name && state.owners[name] === of.seat
    ? filled("refused threat", { what: of.pieces[name].label })
    : null;
}
