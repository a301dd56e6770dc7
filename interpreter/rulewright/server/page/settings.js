// What a reader has chosen, in one place in the head of a table's page. Kept on this device.

import { showKeys } from "./keys.js";
import { KEPT, pace } from "./pace.js";
import { h } from "./preact.js";
import { boardChoices, cardChoices, confirmChoice, planChoice } from "./setting_choices.js";
import { soundChoice } from "./signals.js";
import { store } from "./storage.js";
import { say } from "./words.js";

/** @import { FieldEvent, Redraw, Table } from "./types" */

/** @param {Table} of @param {Redraw} redraw */
export function settings(of, redraw) {
  const name = say("settings");
  return h(
    "details",
    { class: "settings drop", key: "settings" },
    h(
      "summary",
      { title: name },
      h(
        "svg",
        { viewBox: "0 0 24 24", "aria-hidden": "true" },
        h("path", { d: "M4 7h9M19 7h1M4 17h1M11 17h9" }),
        h("circle", { cx: 16, cy: 7, r: 2.6 }),
        h("circle", { cx: 8, cy: 17, r: 2.6 }),
      ),
      h("span", { class: "unseen" }, name),
    ),
    h(
      "div",
      { class: "panel", role: "group", "aria-label": name },
      h("p", { class: "strong" }, name),
      paceChoice(redraw),
      soundChoice(redraw),
      of.you === "seat" && [confirmChoice(redraw), planChoice(redraw)],
      cardChoices(of, redraw),
      boardChoices(of, redraw),
      h("button", { type: "button", class: "plain keys", onclick: showKeys }, say("keyboard"), " ", h("kbd", {}, "?")),
      h("p", { class: "faint" }, say("kept here")),
    ),
  );
}

// How fast things go by, chosen for this browser.
/** @param {() => void} changed */
function paceChoice(changed) {
  const pick = (/** @type {FieldEvent} */ event) => {
    store(KEPT, event.target.value);
    changed();
  };
  const labels = {
    slow: say("pace slow"),
    usual: say("pace usual"),
    fast: say("pace fast"),
    "at once": say("pace at once"),
  };
  return h(
    "label",
    { class: "pace" },
    h("span", {}, say("pace")),
    h(
      "select",
      { onchange: pick, key: "pace" },
      Object.entries(labels).map(([name, label]) => h("option", { value: name, selected: name === pace() }, label)),
    ),
  );
}
