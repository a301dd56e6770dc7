// What is shared, where there is one row for it: decks and what is on offer as they are, supplies by their names. One
// that is wanted whole is seen in a sheet.

import { offering } from "./picking.js";
import { isIn, regionOf } from "./place.js";
import { h } from "./preact.js";
import { number, say } from "./words.js";
import { zone } from "./zones.js";

/** @import { Choice, Picking, Redraw, State, Table, Zone } from "./types" */

const FEW = 2; // supplies that have room beside each other

/** @type {unknown} */
let opened = null; // what was asked when the sheet was opened; false: nothing
/** @type {unknown} */
let closed = null; // the question at which it was closed

/** @param {Picking | null} picking */
const asked = (picking) => picking?.asked.question ?? picking?.asked.prompt ?? false;

// Which zones are told by their names, in a row.
/** @param {Table} of @param {Zone[]} zones */
export function grouped(of, zones) {
  const supplies = zones.filter(
    (one) => regionOf(of, one.zone) !== "deck" && ["heaps", "table"].includes(of.zones[one.zone].layout),
  );
  return supplies.length > FEW ? supplies : [];
}

/** @param {Choice} choice @param {Zone[]} zones */
const liesIn = (choice, zones) => choice.place === 0 && zones.some((one) => isIn(one, choice));

// A button with their names, and the sheet with all of them where it is open.
/** @param {Table} of @param {State} state @param {Picking | null} picking @param {Zone[]} zones @param {Redraw} redraw */
export function groups(of, state, picking, zones, redraw) {
  if (!zones.length) return { names: null, sheet: null };
  const question = asked(picking);
  const choices = picking?.things ?? [];
  const isHere = choices.length > 0 && choices.every((choice) => liesIn(choice, zones));
  const isOpen = opened === null ? isHere && closed !== question : opened === question;
  const show = (/** @type {boolean} */ wanted) => () => {
    [opened, closed] = wanted ? [question, null] : [null, question];
    redraw();
  };
  return {
    names: h(
      "button",
      {
        type: "button",
        key: "groups",
        class: `groups${choices.some((choice) => liesIn(choice, zones)) ? " offered" : ""}`,
        "aria-haspopup": "dialog",
        onclick: show(true),
      },
      zones.map((one) =>
        h(
          "span",
          { class: "group", key: one.zone },
          h("span", { class: "of" }, of.zones[one.zone].label),
          h("strong", {}, ` ${number(one.count)}`),
        ),
      ),
    ),
    sheet: isOpen && supplies(of, state, picking, zones, show(false)),
  };
}

/** @param {Table} of @param {State} state @param {Picking | null} picking @param {Zone[]} zones @param {() => void} close */
function supplies(of, state, picking, zones, close) {
  return h(
    "dialog",
    {
      class: "sheet supplies",
      key: "supplies",
      "aria-label": say("table"),
      ref: (/** @type {HTMLDialogElement | null} */ dialog) => dialog && !dialog.open && dialog.showModal(),
      oncancel: close,
      onclick: (/** @type {any} */ event) => event.target === event.currentTarget && close(),
    },
    picking && h("h2", { tabindex: -1 }, picking.asked.prompt),
    h(
      "div",
      { class: "zones" },
      zones.map((one) =>
        zone(
          of,
          state,
          offering(picking, (choice) => isIn(one, choice)),
          one,
        ),
      ),
    ),
    h("button", { type: "button", class: "main", onclick: close }, say("close")),
  );
}
