// A key to the marks on a game's boards: those that its rules and looks can bring there, each as it is drawn.

import { classes } from "./dom.js";
import { inDisc, paint, painted } from "./pieces.js";
import { h } from "./preact.js";
import { sign } from "./seat_parts.js";
import { say } from "./words.js";
import { zoneKey } from "./zones.js";

/** @import { Board, State, Table } from "./types" */

// space: classes of the space; text: what it means; man: whether a piece lies there, or only its ghost; aims: whether it
// is seen while a piece is held.
/** @typedef {{ space: string, text: string, man?: "lies" | "ghost" | "area", aims?: boolean }} Mark */

// What moves on a board and what comes onto it or leaves it tell which marks can be there; what the edition highlights is
// in every state.
/** @param {Table} of @param {State} state @param {Board} board @returns {Mark[]} */
export function marksOf(of, state, board) {
  const flows = Object.entries(of.zones).filter(([, zone]) => zone.of === board.words);
  const own = new Set(flows.map(([name]) => name));
  const filled = flows.flatMap(([, { flow }]) => flow.filled ?? []);
  const leaves = flows.some(([, { flow }]) => flow.passes?.some((name) => !own.has(name)));
  const moves = filled.some((name) => own.has(name));
  if (!filled.length) return []; // a tray, where nobody puts anything
  const isPiled = board.kind === "points";
  const isAltered = state.zones.some((one) => own.has(one.zone) && state.changed?.get(zoneKey(one)) === "altered");
  const { words } = board;
  /** @type {(Mark | false)[]} */
  const all = [
    moves && { space: "offered", text: say("mark pick"), man: "lies" },
    board.kind !== "pits" && { space: isPiled ? "offered goal" : "offered", text: say("mark go") },
    moves &&
      leaves &&
      board.kind !== "pits" && { space: "offered", text: say("mark capture"), man: "lies", aims: true },
    !isPiled && board.kind !== "pits" && { space: "", text: say("mark ghost"), man: "ghost" },
    { space: "came", text: say("mark came"), man: "lies" },
    moves && { space: "left", text: say("mark left") },
    isAltered && { space: "altered", text: say("mark altered"), man: "lies" },
    words in state.threatened && { space: "threatened", text: say("mark threatened"), man: "lies" },
    words in state.lit && { space: "lit", text: say("mark lit"), man: "lies" },
    words in state.pale && { space: "pale", text: say("mark pale"), man: "lies" },
    words in state.areas && { space: "", text: say("mark area"), man: "area" },
    words in state.winning && { space: "won", text: say("mark won"), man: "lies" },
  ];
  return all.filter((one) => one !== false);
}

/** @param {Table} of @param {State} state */
export function marksKey(of, state) {
  return of.boards
    .filter(({ drawn }) => drawn)
    .map((board) => ({ board, marks: marksOf(of, state, board) }))
    .filter(({ marks }) => marks.length)
    .map(({ board, marks }) =>
      h(
        "section",
        { class: classes("marks-key", board.kind && `of-${board.kind}`), key: `marks ${board.name}` },
        h("h3", {}, say("mark key")),
        h(
          "ul",
          {},
          marks.map((mark) => h("li", {}, drawn(of, state, board, mark), h("span", {}, mark.text))),
        ),
      ),
    );
}

/** @param {Table} of @param {State} state @param {Board} board @param {Mark} mark */
function drawn(of, state, board, { space, man, aims }) {
  const isSigned = board.spaces.some((one) => one.sign);
  return h(
    "span",
    {
      class: classes("map", aims && "aiming", isSigned && "signed", space === "altered" && "alters"),
      "aria-hidden": "true",
    },
    h(
      "span",
      {
        class: classes(
          "space",
          space,
          board.hexagonal && "six",
          board.kind === "points" && "piled down",
          board.kind === "pits" && "scattered",
        ),
      },
      man === "area"
        ? h("span", { class: "area" }, sign(of, state, of.seat ?? 0))
        : man && piece(of, state, board, man),
    ),
  );
}

// A piece such as lie there.
/** @param {Table} of @param {State} state @param {Board} board @param {string} how */
function piece(of, state, board, how) {
  const lies = state.zones.filter((one) => of.zones[one.zone].of === board.words).flatMap((one) => one.pieces ?? []);
  const name = lies.find((one) => state.owners[one] === of.seat) ?? lies[0] ?? Object.keys(state.owners)[0];
  const one = of.pieces[name];
  const isGhost = how === "ghost";
  return h(
    "span",
    {
      class: classes(
        "man",
        isGhost && "ghostly",
        name in state.owners && `seat-${state.owners[name]}`,
        one && painted(one).trim(),
      ),
      style: { ...(one && paint(one)), ...(board.kind === "pits" && { left: "50%", top: "50%" }) },
    },
    one && inDisc(of, one),
  );
}
