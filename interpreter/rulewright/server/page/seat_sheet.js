// All that is a seat's, whole: in a sheet over the stage, or in a list.

import { laidOn, smallChart } from "./charts.js";
import { memo } from "./dom.js";
import { explains } from "./explain.js";
import { openedSheet, openSheet } from "./opened.js";
import { offering } from "./picking.js";
import { arrived } from "./pictures.js";
import { h } from "./preact.js";
import { avatar, points, seen } from "./seat_parts.js";
import { scoresSoFar } from "./score_sheet.js";
import { number, say } from "./words.js";
import { figuresOf, ofSeat } from "./zones.js";

/** @import { Picking, Redraw, Score, State, Table } from "./types" */

// A sheet with all that lies before the seat that somebody wants to see.
/** @param {Table} of @param {State} state @param {Picking | null} picking @param {Redraw} redraw */
export function sheet(of, state, picking, redraw) {
  const opened = openedSheet();
  if (opened === null || !of.seats[opened]) return null;
  const close = () => {
    openSheet(null);
    redraw();
  };
  const score = scoresSoFar(of, state);
  return h(
    "dialog",
    {
      class: "sheet",
      key: "sheet",
      "aria-label": of.seats[opened].name,
      ref: (/** @type {HTMLDialogElement | null} */ dialog) => dialog && !dialog.open && dialog.showModal(),
      oncancel: close,
      onclick: (/** @type {any} */ event) => event.target === event.currentTarget && close(),
    },
    before(of, state, opened === of.seat ? picking : null, opened, true),
    otherCharts(of, state, opened),
    score ? h("section", { class: "round-scores" }, h("h2", {}, say("score sheet")), score) : null,
    h("button", { type: "button", class: "main", onclick: close }, say("close")),
  );
}

// The charts of all others, small: one compares them, and a phone has no room for them at the table.
/** @param {Table} of @param {State} state @param {number} opened */
function otherCharts(of, state, opened) {
  const rows = of.seats.map(({ name }, seat) => {
    const names = state.zones.flatMap(({ owner, pieces }) => (owner === seat && pieces) || []);
    const piece = of.pieces[names.find((one) => of.pieces[one].chart) ?? ""];
    return (
      seat !== opened &&
      piece?.chart &&
      h(
        "li",
        { key: seat },
        avatar(of, state, seat),
        h("strong", {}, name),
        smallChart(of, piece, piece.chart, laidOn(of, piece.chart, names)),
      )
    );
  });
  return rows.some(Boolean) && h("ul", { class: "other-charts" }, rows);
}

/** @param {Table} of @param {Score | null} found */
function score(of, found) {
  return (
    found !== null &&
    found.lines.length > 0 &&
    h(
      "dl",
      { class: "figures score" },
      found.lines.map(([name, points]) =>
        h(
          "div",
          { key: name },
          h("dt", {}, explains("scoring", name, of.scoring[name])),
          h("dd", {}, points === null ? "?" : number(points)),
        ),
      ),
    )
  );
}

// All that lies open before a seat; empty where its strip tells all of it, unless its name stands there anyhow.
/** @param {Table} of @param {State} state @param {Picking | null} picking @param {number} seat */
export function before(of, state, picking, seat, named = false) {
  const zones = state.zones.filter((one) => one.owner === seat);
  const from = [
    of,
    arrived(of),
    ...seen(state, seat),
    state.over,
    offering(picking, (choice) => choice.owner === seat),
    ...zones,
  ];
  return h(
    "section",
    {
      class: `before seat-${seat}${seat === of.seat ? " own" : ""}`,
      key: `before ${seat}`,
      "data-seat-table": seat,
      "aria-label": of.seats[seat].name,
    },
    memo(from, () => spread(of, state, picking, seat, named)),
  );
}

/** @param {Table} of @param {State} state @param {Picking | null} picking @param {number} seat @param {boolean} named */
function spread(of, state, picking, seat, named) {
  const own = seat === of.seat;
  const told = [
    score(of, state.scores[seat]),
    figuresOf(of, state, seat, new Set([...of.scored, of.sides])),
    state.powers[seat].length > 0 &&
      h(
        "ul",
        { class: "powers" },
        state.powers[seat].map((power) => h("li", {}, explains("power", power, `★ ${of.powers[power].label}`))),
      ),
  ];
  const zones = ofSeat(of, state, picking, seat, { small: !own, held: own && !state.over ? false : null });
  if (!named && !told.some(Boolean) && !zones.length) return [];
  return [
    h("h2", { tabindex: -1 }, avatar(of, state, seat), h("span", {}, of.seats[seat].name), points(state.scores[seat])),
    told,
    h("div", { class: "zones" }, zones),
  ];
}
