// Zones, whosever they are, laid out as the edition says.

import { classes, coming, memo } from "./dom.js";
import { explains } from "./explain.js";
import { offering } from "./picking.js";
import { arrived } from "./pictures.js";
import { inOwnOrder } from "./own_order.js";
import { flowOf, isIn } from "./place.js";
import { back, face, heaps, held, runs } from "./pieces.js";
import { tabled } from "./piece_table.js";
import { cloneElement, h } from "./preact.js";
import { drawnOn } from "./regions.js";
import { entry, noted, number, say, times } from "./words.js";

/** @import { Child, Choice, KeyEvent, Picking, Place, State, Table, TapEvent, VNode, Zone } from "./types" */

const MOST_BACKS = 12;
const MOST_SEEN = 8; // things that lie open side by side, of which nobody need be told how many they are

// A piece as it lies somewhere: something to take where it is offered (offer: its choice and the picking), else to look
// at. counted: as a number, where a table's row and column tell what it is.
/**
 * @param {Table} of
 * @param {string} name
 * @param {number} count
 * @param {{ choice?: Choice | null, picking?: Picking | null, active?: boolean, at?: string, small?: boolean,
 *   counted?: boolean }} [how]
 */
export function laid(
  of,
  name,
  count,
  { choice = null, picking = null, active = false, at = "", small = false, counted = false } = {},
) {
  const drawn = counted
    ? [h("span", { class: "count" }, number(count)), face(of, name)]
    : face(of, name, count, active);
  const label = times(of.pieces[name].label, count);
  const shown = { key: `piece ${choice?.place ? choice.key : name}`, "data-at": at, "data-piece": name };
  const size = small ? " small" : "";
  const explained = { "data-explain": `piece ${name}` };
  const { chart } = of.pieces[name]; // of which all that stands in it is read out
  const looked = {
    class: `laid${size}`,
    type: "button",
    title: label,
    "aria-label": chart ? null : active ? noted(label, say("power")) : label,
    "aria-haspopup": "dialog",
  };
  if (!choice || !picking)
    return h("button", { ...looked, ...shown, ...explained }, chart && h("span", { class: "unseen" }, label), drawn);
  const taken = picking.count(choice);
  const canMore = taken < choice.count && !picking.full;
  const sort = picking.sort(choice);
  const told = picking.told(choice) || undefined;
  return h(
    "button",
    {
      class: `laid ${sort}${size}`,
      type: "button",
      title: told,
      ...shown,
      ...explained,
      "data-thing": picking.things.indexOf(choice),
      "aria-label": times(choice.label, count),
      "aria-description": told,
      "aria-pressed": picking.pressed(choice),
      disabled: !picking.can(choice),
      onclick: (/** @type {TapEvent} */ event) => {
        // A finger or a mouse goes up to all of a stack, and down by its sign; keys go around.
        if (!taken || choice.count < 2 || !event.detail) picking.tap(choice);
        else if (/** @type {Element} */ (event.target).className === "fewer") picking.put(choice, taken - 1);
        else if (canMore) picking.put(choice, taken + 1);
      },
    },
    drawn,
    choice.place > 0 && h("span", { class: "place" }, choice.place),
    taken > 0 &&
      (choice.count > 1
        ? h(
            "span",
            { class: classes("taken counter", !canMore && "none") },
            h("span", { class: "fewer" }, "−"),
            number(taken),
          )
        : h("span", { class: "taken" }, "✓")),
    sort.endsWith("idle") && h("span", { class: "comes-to", "aria-hidden": "true" }, told),
  );
}

// What lies in a zone. picking: of whoever looks, or null; small: where others' things lie.
/**
 * @param {Table} of
 * @param {State} state
 * @param {Picking | null} picking
 * @param {Zone} one
 * @param {boolean} [small]
 * @returns {(VNode | false)[]}
 */
export function lying(of, state, picking, one, small = false) {
  const { layout, pile, table } = of.zones[one.zone];
  const at = zoneKey(one);
  if (one.pieces === null) {
    if (one.count === 0) return [];
    if (picking && isNone(picking, one))
      return [nothing(picking, at, back(of, one, one.count, layout === "pile" || one.count > 1))];
    const known = one.known.map((name) => knownThere(of, name, at, small));
    const others = one.count - known.length;
    if (layout === "pile" || small || one.count > MOST_BACKS)
      return [
        others > 0 && h("span", { class: `laid${small ? " small" : ""}`, "data-at": at }, back(of, one, others, true)),
        ...known,
      ];
    return [
      ...Array.from({ length: others }, () => h("span", { class: "laid", "data-at": at }, back(of, one, 1))),
      ...known,
    ];
  }
  const offer = (/** @type {string} */ name) =>
    picking?.find((found) => !found.place && found.piece === name && isIn(one, found)) ?? null;
  if (table)
    return tabled(of, table, one.pieces, (name, count) =>
      laid(of, name, count, { choice: offer(name), picking, at, counted: true }),
    );
  const group = pile
    ? [{ name: one.pieces.at(-1), count: one.pieces.length }]
    : layout === "fan"
      ? inHand(of, state, one, at)
      : layout === "heaps" || (picking?.several && one.pieces.some(offer))
        ? heaps(one.pieces)
        : isTakenFrom(of, one) && !small
          ? inPlaces(of, one)
          : runs(one.pieces);
  const by = one.owner === null ? state.laid_by[one.zone] : undefined;
  const seen = /** @type {{ name: string, count: number, place?: number }[]} */ (one.pieces.length ? group : []);
  return seen.flatMap(({ name, count, place = 0 }) => {
    if (!count)
      return [
        h("span", { class: "laid gap", key: `gap ${place}`, "aria-hidden": "true" }, h("span", { class: "card" })),
      ];
    const choice = offer(name);
    const how = { choice, picking, active: gives(of, state, one, name), at, small };
    const seat = by?.[one.pieces?.indexOf(name) ?? -1] ?? -1;
    if (seat >= 0) return [sided(of, laid(of, name, count, how), seat)];
    if (place) return [cloneElement(laid(of, name, 1, how), { key: `place ${place}` })];
    if (layout !== "fan" || !of.pieces[name].die || choice) return [laid(of, name, count, how)];
    // Dice lie side by side, as they were rolled.
    return Array.from({ length: count }, (_, n) => cloneElement(laid(of, name, 1, how), { key: `die ${name} ${n}` }));
  });
}

// A piece that somebody has laid into a row: it lies nearer to them, where they sit on the other side, and has their colour.
/** @param {Table} of @param {VNode} drawn @param {number} seat @returns {VNode} */
const sided = (of, drawn, seat) =>
  cloneElement(drawn, {
    class: `${drawn.props.class} by seat-${seat} ${seat === (of.seat ?? 0) ? "near" : "far"}`,
    "aria-label": noted(drawn.props["aria-label"], of.seats[seat].name),
  });

// Whether a few things lie there side by side for people to take, so that each keeps its place until new ones come.
/** @param {Table} of @param {Zone} one */
const isTakenFrom = (of, one) =>
  one.owner === null && one.count <= MOST_SEEN && of.zones[one.zone].layout === "row" && flowOf(of, one.zone).chosen;

/** @type {WeakMap<Table["zones"], Map<string, (string | null)[]>>} */
const lain = new WeakMap();

// What lies there, each thing by itself, and gaps where something has been taken.
/** @param {Table} of @param {Zone} one @returns {{ name: string, count: number, place: number }[]} */
function inPlaces(of, one) {
  const known = lain.get(of.zones) ?? new Map();
  lain.set(of.zones, known);
  const rest = [...(one.pieces ?? [])];
  const before = /** @type {(string | null)[]} */ (known.get(zoneKey(one)) ?? []);
  const left = before.map((name) => {
    const at = name === null ? -1 : rest.indexOf(name);
    return at < 0 ? null : rest.splice(at, 1)[0];
  });
  const places = rest.length ? [...(one.pieces ?? [])] : left; // new ones have come
  known.set(zoneKey(one), places);
  return places.map((name, n) => ({ name: name ?? "", count: Number(name !== null), place: n + 1 }));
}

// What finds cards that go together: it is there before a table is drawn where they do.
export const grouping = coming(() => import("./together.js"));
const none = () => {};

// As somebody holds them: in an order of their own, or with what goes together.
/** @param {Table} of @param {State} state @param {Zone} one @param {string} at */
function inHand(of, state, one, at) {
  const cards = held(of, heaps(one.pieces ?? []));
  const apart = one.owner === of.seat ? state.apart_pieces[one.zone] : undefined;
  return inOwnOrder(at, (apart && grouping(none)?.together(of, cards, apart).cards) ?? cards);
}

// Whether a click on what lies in a zone takes nothing, such as a stock from which one draws instead.
/** @param {Picking} picking @param {Zone} one */
export const isNone = ({ asked }, one) =>
  asked.none_at === one.zone && one.owner === null && one.count > 0 && asked.least === 0 && asked.most === 1;

/** @param {Picking} picking @param {string} at @param {VNode} drawn */
const nothing = (picking, at, drawn) =>
  h(
    "button",
    {
      class: `laid offered${picking.going?.length === 0 ? " sent" : ""}`,
      type: "button",
      key: "nothing",
      "data-at": at,
      "aria-label": picking.asked.none,
      onclick: () => picking.decline(),
    },
    drawn,
  );

// A piece that lies face down, and that the reader knows.
/** @param {Table} of @param {string} name @param {string} at @param {boolean} small */
function knownThere(of, name, at, small) {
  const label = noted(of.pieces[name].label, say("you know it"));
  return h(
    "button",
    {
      class: `laid known${small ? " small" : ""}`,
      type: "button",
      "data-at": at,
      "data-explain": `piece ${name}`,
      title: label,
      "aria-label": label,
      "aria-haspopup": "dialog",
    },
    face(of, name, 1),
    h("span", { class: "eye", "aria-hidden": "true" }, "👁"),
  );
}

/** @param {Place} one */
export function zoneKey(one) {
  return `${one.zone}/${one.owner ?? ""}/${one.word}`;
}

/** @param {Table} of @param {State} state @param {Zone} one @param {string} name */
function gives(of, state, one, name) {
  const piece = of.pieces[name];
  return (
    piece.power !== "" &&
    piece["power in"] === one.zone &&
    one.owner !== null &&
    state.powers[one.owner].includes(piece.power)
  );
}

// A zone with its name. In little room an empty one is left out.
/** @param {Table} of @param {State} state @param {Picking | null} picking @param {Zone} one */
export function zone(of, state, picking, one, { label = of.zones[one.zone].label, small = false } = {}) {
  const { layout, table } = of.zones[one.zone];
  if (layout === "aside" || layout === "away") return null;
  const from = [
    of,
    arrived(of),
    one,
    label,
    small,
    one.owner === null ? null : state.powers[one.owner],
    one.owner === null && state.laid_by[one.zone],
    picking && isNone(picking, one) ? picking : offering(picking, (choice) => isIn(one, choice)),
  ];
  return h(
    "section",
    {
      class: `zone as-${layout}${one.count ? "" : " empty"}`,
      key: zoneKey(one),
      "data-zone": zoneKey(one),
      style: table ? { "--columns": table.columns.length } : {},
    },
    memo(from, () => inside(of, state, picking, one, label, small)),
  );
}

/**
 * @param {Table} of
 * @param {State} state
 * @param {Picking | null} picking
 * @param {Zone} one
 * @param {string} label
 * @param {boolean} small
 */
function inside(of, state, picking, one, label, small) {
  const { table, pile } = of.zones[one.zone];
  const many = one.pieces !== null && !table && !pile && new Set(one.pieces).size > 8;
  const laid = reached(lying(of, state, picking, one, small || many));
  return [
    h(
      "h3",
      {},
      h("button", { type: "button", class: "whole", "aria-label": label, "data-explain": `zone ${one.zone}` }),
      h("span", { class: "dotted", "aria-hidden": "true" }, label),
      one.count > (one.pieces && !pile && !table ? MOST_SEEN : 1) &&
        h("span", { class: "faint" }, ` ${number(one.count)}`),
    ),
    h("div", { class: `pieces${many ? " many" : ""}` }, laid),
  ];
}

// What can be taken is reached with the tabulator; of pieces that only explain themselves the first of a zone is, and
// arrows go on from there.
/** @param {(VNode | false)[]} laid */
function reached(laid) {
  const pieces = laid.filter((piece) => piece !== false);
  const offered = (/** @type {VNode} */ piece) => piece.props.class.includes(" offered");
  const first = pieces.some(offered) ? null : pieces.find(({ type }) => type === "button");
  return pieces.map((piece) =>
    piece.type === "button" && !offered(piece) && piece !== first ? cloneElement(piece, { tabindex: -1 }) : piece,
  );
}

// What counters hold, where there is anything to tell. belongs: those of seats, of a list of words, or '' for the
// table's; read: what to tell of one.
/**
 * @param {Table} of
 * @param {State} state
 * @param {string} belongs
 * @param {(held: any, name: string) => string | undefined} read
 */
export function figures(of, state, belongs, read) {
  const told = Object.entries(of.counters)
    .filter(([, counter]) => counter.of === belongs)
    .map(([name, { label }]) => ({ name, label, held: read(state.counters[name], name) }))
    .filter(({ held }) => held);
  return told.length
    ? h(
        "dl",
        { class: "figures" },
        told.map(({ name, label, held }) =>
          h(
            "div",
            { key: name },
            h("dt", {}, explains("counter", name, label)),
            h("dd", held === of.truth ? { class: "unseen" } : {}, held !== of.truth && held),
          ),
        ),
      )
    : null;
}

// What lies before a seat. held: what it holds in its hand, or what lies open.
/**
 * @param {Table} of
 * @param {State} state
 * @param {Picking | null} picking
 * @param {number} seat
 * @param {{ small?: boolean, held?: boolean | null }} [which]
 */
export function ofSeat(of, state, picking, seat, { small = false, held = null } = {}) {
  return state.zones
    .filter((one) => one.owner === seat && (one.count > 0 || !small) && (held === null || isHeld(of, one) === held))
    .filter((one) => one.count > 0 || isHeld(of, one))
    .map((one) => zone(of, state, picking, one, { small }));
}

/** @param {Table} of @param {Zone} one */
export function isHeld(of, one) {
  return of.zones[one.zone].layout === "fan";
}

// told: the names of what is told already.
/** @param {Table} of @param {State} state @param {number} seat */
export function figuresOf(of, state, seat, told = new Set()) {
  return figures(of, state, "seat", (held, name) => (told.has(name) ? undefined : held[seat]));
}

// Zones of words that are no spaces of a board, where anything lies; what sides have is told of their seats.
/** @param {Table} of @param {State} state @param {Picking | null} picking */
export function ofWords(of, state, picking) {
  const boards = new Set([of.sides, ...of.boards.map((board) => board.words), ...drawnOn(of, state)]);
  return Object.entries(of.words)
    .filter(([list]) => !boards.has(list))
    .map(([list, { label, words }]) => {
      const zones = state.zones.filter((one) => one.word && of.zones[one.zone].of === list && one.count > 0);
      const told = Object.entries(words)
        .map(([word, name]) => [name, figures(of, state, list, (held) => held[word])])
        .filter(([, held]) => held);
      return (
        zones.length + told.length > 0 &&
        h(
          "section",
          { class: "middle", key: `words ${list}` },
          h("h2", {}, label),
          h(
            "div",
            { class: "zones" },
            zones.map((one) =>
              zone(of, state, picking, one, { label: entry(words[one.word], of.zones[one.zone].label), small: true }),
            ),
            told.map(([name, held]) => h("section", { class: "zone" }, h("h3", {}, name), held)),
          ),
        )
      );
    });
}
