// Who sits here: points as far as they may be known, powers in force, and who is waited for. A score opens to its lines.

import { el } from "./dom.js";
import { say } from "./words.js";

export function seats(of, state) {
  return el("ul", { class: "seats" }, of.seats.map((seat, number) => el("li", { class: number === of.seat ? "seat me" : "seat" },
    el("strong", {}, seat.name), seat.kind !== "person" && el("span", { class: "faint" }, ` (${say("computer")})`),
    mark(state, number), score(of, state.scores[number]),
    state.powers[number].map((power) => el("span", { class: "power" }, `★ ${of.powers[power].label}`)))));
}

function mark(state, seat) {
  if (state.ready.includes(seat)) return el("span", { class: "mark" }, ` ✓ ${say("ready")}`);
  return state.waiting.includes(seat) && el("span", { class: "mark" }, ` ▸ ${say("waiting")}`);
}

function score(of, found) {
  if (!found || !found.lines.length) return null;
  const known = found.lines.reduce((sum, [, points]) => sum + (points ?? 0), 0);
  return el("details", {}, el("summary", {}, `${say("points")}: ${found.total ?? `${known} + ?`}`),
    el("dl", {}, found.lines.map(([name, points]) => el("div", {}, el("dt", {}, of.scoring[name]), el("dd", {}, points === null ? "?" : String(points))))));
}
