// Boards: those with a map are drawn as land in what lies around them, the others are lists of places.

import { bay, liesInBay } from "./bay.js";
import { becoming, menu } from "./becoming.js";
import { grid, SPACE } from "./board_grid.js";
import { at, edges, key, land, meeting, percent } from "./board_land.js";
import { confirm, confirmed } from "./decision.js";
import { classes, memo } from "./dom.js";
import { ghost, landings } from "./landing.js";
import { heapSize, lying } from "./men.js";
import { asksFor, offering } from "./picking.js";
import { arrived } from "./pictures.js";
import { picture, runs } from "./pieces.js";
import { h } from "./preact.js";
import { grown } from "./growing.js";
import { ask, isLarge, setLarge } from "./large.js";
import { legend, regions, tags } from "./regions.js";
import { sign } from "./seat_parts.js";
import { hasOn, isLaid, isNamed, keepOn, sideKey } from "./switches.js";
import { entry, filled, noted, number, row, say, times } from "./words.js";
import { zoneKey } from "./zones.js";

/** @import { Grid } from "./board_grid.js" */
/** @import { Landing } from "./landing.js" */
/** @import { Arranged } from "./men.js" */
/** @import { Board, Choice, KeyEvent, Picking, Redraw, Space, State, Table, Zone } from "./types" */

// Of what could be taken at all: where more of it may be, marks tell nothing, and wait for the pointer.
const MOST = { men: 1 / 3, alike: 0.9, free: 0.9 };
const ALIKE = 2; // names of one's men, such as men and kings, where it is the rules that tell them apart
const MANY = 8; // that answer the question at once

/** @param {Table} of @param {State} state @param {Picking | null} picking @param {Redraw} redraw */
export function boards(of, state, picking, redraw) {
  const asking = of.boards.map((board) =>
    (board.bay.length && picking?.asked.kind === "branch") || becoming(of, state, board, picking)
      ? picking
      : offering(picking, (choice) => isOn(board, choice)),
  );
  const here = of.boards.some((board) => asksFor(picking, (choice) => isOn(board, choice)));
  ask(picking?.asked.question ?? picking?.asked.prompt, here);
  return of.boards.map((board, place) =>
    board.drawn
      ? map(of, state, asking[place], board, redraw, picking?.asked.prompt)
      : list(of, state, asking[place], board),
  );
}

// What of a state is drawn on boards: the lists that make regions have zones of their own.
/** @param {Table} of @param {State} state */
const seen = (of, state) => [
  of,
  arrived(of),
  state.owners,
  state.changed,
  state.winning,
  state.threatened,
  state.lit,
  state.pale,
  state.areas,
  state.touch,
  ...state.zones.filter((one) => one.word || liesInBay(of, one)),
];

/** @param {Table} of @param {State} state @param {Board} board */
function there(of, state, board) {
  /** @type {Map<string, Zone[]>} */
  const found = new Map(board.spaces.map((space) => [space.word, []]));
  for (const one of state.zones) {
    if (one.word && of.zones[one.zone].of === board.words) found.get(one.word)?.push(one);
  }
  return found;
}

// A space, or something that lies on it.
/** @param {Board} board @param {Choice} choice */
const isOn = (board, choice) => choice.place === 0 && choice.words === board.words;
/** @param {Picking | null} picking @param {Board} board @param {string} word */
const onSpace = (picking, board, word) => picking?.find((choice) => isOn(board, choice) && choice.word === word);

/** @param {Table} of @param {State} state @param {Zone[]} zones */
function told(of, state, zones) {
  return zones.flatMap((one) =>
    one.pieces === null
      ? one.hidden
        ? [one.hidden]
        : []
      : runs(one.pieces).map(({ name, count }) => {
          const label = times(of.pieces[name].label, count);
          if (!(name in state.owners)) return label;
          const owner = state.owners[name];
          return noted(label, owner === of.seat ? say("yours") : of.seats[owner].name);
        }),
  );
}

// ── a map ──

// prompt: of what is asked, here or elsewhere.
/**
 * @param {Table} of
 * @param {State} state
 * @param {Picking | null} picking
 * @param {Board} whole
 * @param {Redraw} redraw
 * @param {string | undefined} prompt
 */
function map(of, state, picking, whole, redraw, prompt) {
  const things = there(of, state, whole);
  const board = grown(
    whole,
    whole.spaces.filter(({ word }) => things.get(word)?.some((one) => one.count > 0)),
    whole.spaces.filter(({ word }) => onSpace(picking, whole, word)),
  );
  const laid = grid(board, isTurned(of, board), isLaid(of));
  const { width, height } = laid;
  const large = isLarge();
  const made = {
    class: classes("board", large && "large", board.kind && `of-${board.kind}`),
    key: `board ${board.name}`,
    "aria-label": say("board"),
    role: large ? "dialog" : null,
    "aria-modal": large ? "true" : null,
    style: { "--ratio": (width / height).toFixed(3), "--across": (width / SPACE).toFixed(2) },
  };
  const from = [...seen(of, state), picking, large, large && prompt, laid, isNamed()];
  return h(
    "section",
    made,
    memo(from, () => drawnMap(of, state, picking, board, laid, redraw, prompt)),
  );
}

/**
 * @param {Table} of
 * @param {State} state
 * @param {Picking | null} picking
 * @param {Board} board
 * @param {Grid} laid
 * @param {Redraw} redraw
 * @param {string | undefined} prompt
 */
function drawnMap(of, state, picking, board, laid, redraw, prompt) {
  const large = isLarge();
  const zones = there(of, state, board);
  const found = regions(of, state, board);
  const zoom = (/** @type {boolean} */ wanted) => () => {
    setLarge(wanted);
    redraw();
  };
  const offered = asksFor(picking, (choice) => isOn(board, choice));
  const falls = landings(of, state, board, picking, (choice) => isOn(board, choice));
  const { marks, stays } = marked(of, state, board, picking, zones);
  const spaces = board.spaces.map((space) => {
    const there = { ...falls(space.word), stays: stays.has(space.word) };
    return spot(of, state, picking, board, space, zones.get(space.word) ?? [], laid, there);
  });
  const drawn = h(
    "div",
    {
      class: "frame",
      tabindex: large ? 0 : null,
      role: large ? "group" : null,
      "aria-label": large ? say("board") : null,
    },
    h(
      "div",
      {
        class: classes(
          "map",
          marks,
          picking?.waits && !marks.includes("quiet-free") && "sends",
          board.spaces.some(({ sign }) => sign) && "signed",
          isAimedAt(board, picking) && "aimed-at",
          laid.standing && "standing",
          [...(state.changed?.values() ?? [])].includes("altered") && "alters",
        ),
        "data-words": board.words,
        style: { "aspect-ratio": `${laid.width} / ${laid.height}` },
      },
      land(of, board, laid),
      isNamed() && !isTray(of, board) && edges(board, laid),
      asGrid(board, laid, spaces, stays.size > 0),
      changing(of, state, board, picking, laid),
      laid.bay &&
        bay(of, state, picking, {
          bay: around(laid, laid.bay),
          rim: laid.rim && around(laid, laid.rim),
          below: laid.turned === board.upper.includes(of.seat ?? 0),
        }),
      tags(of, board, found, (spaces) => at(laid, ...meeting(spaces, laid))),
    ),
  );
  const heading = [
    h("h2", { tabindex: -1 }, prompt ?? say("board")),
    offered && picking && (picking.several ? confirm(picking.asked, picking) : confirmed(of, picking)),
    turner(of, board, redraw),
    h("button", { type: "button", class: "smaller", onclick: zoom(false) }, `✕ ${say("close")}`),
  ];
  const tools = !isTray(of, board) && [
    turner(of, board, redraw),
    h(
      "button",
      { type: "button", class: "zoom", "aria-label": say("larger"), title: say("larger"), onclick: zoom(true) },
      "⤢",
    ),
  ];
  return h(
    "div",
    { class: "framed" },
    large && h("div", { class: "row heading" }, heading),
    drawn,
    h("div", { class: "row below" }, legend(of, board, found) ?? key(of, board), !large && tools),
  );
}

/** @type {Set<string>} */
const aimedAt = new Set(); // by their names

// Whether a space of a board has been asked for. What a finger's touch does there stays as it is then: where that changes,
// browsers style all of the board anew.
/** @param {Board} board @param {Picking | null} picking */
function isAimedAt(board, picking) {
  if (!aimedAt.has(board.name) && board.spaces.some(({ word }) => onSpace(picking, board, word)))
    aimedAt.add(board.name);
  return aimedAt.has(board.name);
}

// How what can be taken is marked: as targets of what is picked, or else quietly where that is most of it.
/** @param {Table} of @param {State} state @param {Board} board @param {Picking | null} picking @param {Map<string, Zone[]>} zones */
function marking(of, state, board, picking, zones) {
  const things = picking?.things.filter((choice) => isOn(board, choice)) ?? [];
  if (picking?.held || things.some(({ sort }) => sort === "picked")) return "aiming";
  const asked = new Set(things.filter(({ sort }) => !sort).map(({ word }) => word));
  /** @param {(there: Zone[]) => boolean} fits */
  const those = (fits) => board.spaces.filter(({ word }) => fits(zones.get(word) ?? []));
  const men = those((there) => there.some(({ pieces }) => pieces?.some((name) => state.owners[name] === of.seat)));
  const names = new Set(
    men
      .flatMap(({ word }) => (zones.get(word) ?? []).flatMap(({ pieces }) => pieces ?? []))
      .filter((name) => state.owners[name] === of.seat),
  );
  const free = those((there) => !there.some(({ count }) => count > 0));
  const isMost = (/** @type {Space[]} */ spaces, /** @type {number} */ share) =>
    spaces.filter(({ word }) => asked.has(word)).length > share * spaces.length;
  const isWide = things.filter(({ sort }) => sort === "direct").length > MANY;
  return classes(
    isMost(men, names.size > ALIKE ? MOST.men : MOST.alike) && "quiet-men",
    isMost(free, MOST.free) && "quiet-free",
    isWide && "quiet-direct",
  );
}

/** @type {Map<string, { marks: string, stays: Set<string> }>} */
const quiet = new Map(); // of boards whose free spaces could be taken at the last question, and were not marked

const NOTHING = /** @type {ReadonlySet<string>} */ (new Set());

// How a map is marked, and which of its free spaces look as they did at the last question while others decide: where
// nothing is seen of that, browsers need not style a large board anew with each turn.
/** @param {Table} of @param {State} state @param {Board} board @param {Picking | null} picking @param {Map<string, Zone[]>} zones */
function marked(of, state, board, picking, zones) {
  const marks = marking(of, state, board, picking, zones);
  const words = board.spaces.map(({ word }) => word);
  const last = quiet.get(board.name);
  const isFree = (/** @type {string} */ word) => !zones.get(word)?.some(({ count }) => count > 0);
  if (picking && picking.asked.question >= 0) {
    const stays = words.filter((word) => isFree(word) && onSpace(picking, board, word));
    if (marks.includes("quiet-free")) quiet.set(board.name, { marks, stays: new Set(stays) });
    else quiet.delete(board.name);
  } else if (last && !state.over && marks !== "aiming") {
    const stays = words.filter((word) => last.stays.has(word) && isFree(word) && !onSpace(picking, board, word));
    return { marks: last.marks, stays: new Set(stays) };
  }
  return { marks, stays: NOTHING };
}

// What a piece becomes, from its space on towards the middle.
/** @param {Table} of @param {State} state @param {Board} board @param {Picking | null} picking @param {Grid} laid */
function changing(of, state, board, picking, laid) {
  const found = becoming(of, state, board, picking);
  const space = found && board.spaces.find(({ word }) => word === found.word);
  if (!picking || !space) return null;
  const { x, y, w, h: high } = laid.box(space);
  const long = high * found.choices.length;
  const isAbove = y + high / 2 < laid.top + laid.height / 2;
  return menu(of, picking, found, around(laid, { x, y: isAbove ? y : y + high - long, w, h: long }));
}

// Where a rectangle of a map lies in its frame.
/** @param {Grid} laid @param {import("./board_grid.js").Box} box */
const around = (laid, { x, y, w, h: high }) => ({
  ...at(laid, x, y),
  width: percent(w, laid.width),
  height: percent(high, laid.height),
});

/** @type {WeakMap<Board, boolean>} */
const trays = new WeakMap(); // once worked out

// Whether a board is a single row of spaces where all that lies there stays, such as dice: nobody has to call its spaces by
// a name, or to see it from another side.
/** @param {Table} of @param {Board} board */
function isTray(of, board) {
  const known = trays.get(board);
  if (known !== undefined) return known;
  const lies = Object.values(of.zones).filter((zone) => zone.of === board.words);
  const goes = lies.some(
    ({ flow: { passes = [], filled = [], chosen = false } }) => passes.length + filled.length || chosen,
  );
  const [first, ...others] = board.spaces;
  const isRow = others.every(({ row: line }) => line === first.row) && board.spaces.every(({ told }) => !told.length);
  trays.set(board, !board.kind && isRow && lies.length > 0 && !goes);
  return isTray(of, board);
}

// What lies in a tray: dice by their places.
/** @param {Table} of @param {Board} board @param {Space} space @param {Zone[]} zones @param {string} things */
function inTray(of, board, space, zones, things) {
  const isDie = zones.some(({ pieces }) => pieces?.some((name) => of.pieces[name].die));
  return isDie ? entry(filled("nth die", { number: number(board.spaces.indexOf(space) + 1) }), things) : things;
}

// Spaces as rows of a grid, from top to bottom as the reader sees them. Styles go by classes alone: where they go by what
// changes with each question, such as roles, browsers match all of a large board anew.
// waits: whether some look as if they could be taken.
/** @param {Board} board @param {Grid} laid @param {import("./types").VNode[]} spots @param {boolean} waits */
function asGrid(board, laid, spots, waits) {
  const places = board.spaces.map((space, n) => ({ spot: spots[n], word: space.word, at: laid.middle(space) }));
  const rows = Map.groupBy(places, ({ at: [, y] }) => Math.round(y));
  // a space that is not asked for is a cell itself, so that its name is not told twice
  const cell = (/** @type {{ spot: import("./types").VNode, word: string }} */ { spot, word }) =>
    h(
      "div",
      { class: "cell", role: spot.props.role === "gridcell" ? "presentation" : "gridcell", key: `cell ${word}` },
      spot,
    );
  return h(
    "div",
    { class: "cell", role: "grid", "aria-label": say("board"), "aria-disabled": waits ? "true" : null },
    [...rows]
      .sort(([one], [other]) => one - other)
      .map(([y, row]) =>
        h("div", { class: "cell", role: "row", key: `row ${y}` }, row.sort((a, b) => a.at[0] - b.at[0]).map(cell)),
      ),
  );
}

// ── seen from which side ──

// Whether somebody has turned a board by hand, or else sits at its upper edge. Onlookers see it as the first seat does.
/** @param {Table} of @param {Board} board */
function isTurned(of, board) {
  const above = board.upper.includes(of.seat ?? 0);
  return hasOn(sideKey(of, board)) !== above;
}

/** @param {Table} of @param {Board} board @param {Redraw} redraw */
function turner(of, board, redraw) {
  const turn = () => {
    keepOn(sideKey(of, board), !hasOn(sideKey(of, board)));
    redraw();
  };
  return h(
    "button",
    { type: "button", class: "turn", "aria-label": say("turn"), title: say("turn"), onclick: turn },
    "⇅",
  );
}

// ── what can be done there ──

// How pieces lie on a space.
/** @param {Board} board @param {Grid} laid @param {Space} space @returns {Arranged} */
function arrangedAt(board, laid, space) {
  if (board.kind === "pits") return "scattered";
  return Math.abs(laid.pile(space)) > 1 ? "flat" : laid.pile(space) ? "piled" : "";
}

// On which side of a heap its number stands: towards the middle of the board, across from its name.
/** @param {Grid} laid @param {Space} space */
function numberSide({ upright, width }, space) {
  const isAbove = upright.middle(space)[1] < upright.top + upright.height / 2 - 1;
  if (width !== upright.width) return isAbove ? "left" : "right";
  return isAbove ? "below" : "above";
}

/**
 * @param {Table} of
 * @param {State} state
 * @param {Picking | null} picking
 * @param {Board} board
 * @param {Space} space
 * @param {Zone[]} zones
 * @param {Grid} laid
 * @param {{ lands: Landing | null, comes: Landing | null, stays: boolean }} there what taking this space brings onto the
 *   board; what comes to lie here; and whether it looks as if it could be taken
 */
function spot(of, state, picking, board, space, zones, laid, { lands, comes, stays }) {
  const choice = onSpace(picking, board, space.word);
  const taken = choice ?? lands?.choice;
  const lead = (choice && picking?.told(choice)) ?? "";
  const owner = ownerOf(state, board, space);
  const area = owner === null ? [] : [of.seats[owner].name];
  const isFree = zones.every(({ count }) => count === 0);
  const things = told(of, state, zones);
  const label = isTray(of, board)
    ? inTray(of, board, space, zones, row(things))
    : row([space.label, ...space.told, ...things, ...area]);
  const changed = zones.flatMap((one) => state.changed?.get(zoneKey(one)) ?? [])[0];
  const threatened = state.threatened[board.words]?.includes(space.word);
  const happened = [changed && changed !== "altered" ? say("last move") : "", threatened ? say("threatened") : ""];
  const { x, y, w, h: high } = laid.box(space);
  const arranged = arrangedAt(board, laid, space);
  const ghosted = comes && picking?.isChosen(comes.choice);
  const pressed = choice && picking ? picking.pressed(choice) : null;
  const zone = zones.find((one) => one.count > 0) ?? zones[0];
  const { open = false, ...touched } = (zone && state.touch?.space(zoneKey(zone), label)) ?? {};
  // One element, asked for or not: to make those of a large board anew with each turn takes a phone longer than all else.
  return h(
    state.touch ? "div" : "button", // a button can be no group of what is taken from it
    {
      type: state.touch ? null : "button",
      key: `space ${space.word}`,
      class: classes(
        "space",
        stays ? "offered" : !choice && "rests",
        changed,
        choice && picking?.sort(choice),
        choice && picking?.isGoal(choice) && "goal",
        lead && "leading",
        state.winning[board.words]?.includes(space.word) && "won",
        threatened && "threatened",
        state.lit[board.words]?.includes(space.word) && "lit",
        state.pale[board.words]?.includes(space.word) && "pale",
        board.hexagonal && "six",
        arranged,
        arranged === "scattered" && `number-${numberSide(laid, space)}`,
        laid.pile(space) !== 0 && `piled ${laid.pile(space) > 0 ? "down" : "up"}`,
        open === true && "open",
        !choice && lands && "along",
        ghosted && "ghosted",
      ),
      title: lead ? row([label, lead]) : label,
      "aria-description": row([lead, ...happened].filter(Boolean)) || null,
      "data-lead": happened.length ? lead || "" : null,
      "data-space": space.word,
      "data-thing": choice && picking ? picking.things.indexOf(choice) : null,
      role: choice || stays ? null : "gridcell",
      tabindex: space === board.spaces[0] ? 0 : -1, // until it is known what of the board is reached first
      "aria-label": label,
      "aria-pressed": pressed,
      disabled: choice && picking ? !picking.can(choice) : null,
      onclick: taken && picking ? () => picking.tap(taken) : null,
      "data-zone": zone ? zoneKey(zone) : null,
      style: around(laid, { x, y, w, h: high }),
      ...touched,
    },
    owner !== null && h("span", { class: "area" }, sign(of, state, owner)),
    space.sign && zone?.count > 0 && h("span", { class: "sign", "aria-hidden": "true" }, picture(of, space.sign)),
    zones.flatMap((one) => lying(of, state, one, arranged)),
    arranged === "scattered" && !zones.some((one) => one.count > 0) && heapSize(0),
    ghosted && isFree && ghost(of, comes.piece),
    pressed === "true" && !choice?.sort && h("span", { class: "taken" }, "✓"),
  );
}

// The seat that an area belongs to in which a space lies.
/** @param {State} state @param {Board} board @param {Space} space */
function ownerOf(state, board, space) {
  const seat = (state.areas[board.words] ?? []).findIndex((words) => words.includes(space.word));
  return seat >= 0 ? seat : null;
}

// ── a list ──

/** @param {Table} of @param {State} state @param {Picking | null} picking @param {Board} board */
function list(of, state, picking, board) {
  return h(
    "section",
    { class: "board", key: `board ${board.name}`, "aria-label": say("board") },
    memo([...seen(of, state), picking], () => places(of, state, picking, board)),
  );
}

/** @param {Table} of @param {State} state @param {Picking | null} picking @param {Board} board */
function places(of, state, picking, board) {
  const zones = there(of, state, board);
  const labels = new Map(board.spaces.map((space) => [space.word, space.label]));
  return h(
    "ul",
    { class: "places" },
    board.spaces.map((space) => {
      const choice = onSpace(picking, board, space.word);
      const name =
        choice && picking
          ? h(
              "button",
              {
                class: classes("choice", choice.sort),
                "aria-pressed": picking.pressed(choice),
                "data-space": space.word,
                disabled: !picking.can(choice),
                onclick: () => picking.take(choice),
              },
              space.label,
            )
          : h("strong", { "data-space": space.word, tabindex: -1 }, space.label);
      return h(
        "li",
        { key: space.word },
        name,
        space.told.length > 0 && ` · ${row(space.told)}`,
        h("span", { class: "lying" }, ` ${row(told(of, state, zones.get(space.word) ?? []))}`),
        space.neighbours.length > 0 &&
          h("span", { class: "faint" }, ` → ${row(space.neighbours.map((word) => labels.get(word) ?? word))}`),
      );
    }),
  );
}
