// Who sits here, as a strip: whose turn it is, who is ready, points as far as they may be known, powers in force.

import { el } from "./dom.js";
import { explains } from "./explain.js";
import { chip, heaps, picture } from "./pieces.js";
import { number, say } from "./words.js";
import { figuresOf, isHeld } from "./zones.js";

export function players(of, state) {
  return el("section", { class: "players", "aria-label": say("players") }, el("ul", {}, of.seats.map((seat, number) =>
    el("li", { class: `player seat-${number}${number === of.seat ? " me" : ""}${awaited(state, number) ? " awaited" : ""}`, key: `seat ${number}`, "data-seat": number },
      el("div", { class: "who" }, avatar(of, state, number),
        el("div", { class: "what" }, el("strong", { class: "seat-name" }, seat.name), mark(state, number) || (seat.kind !== "person" && el("span", { class: "faint" }, say("computer"))))),
      score(of, state.scores[number], state.powers[number].length),
      holdings(of, state, number),
      state.powers[number].length > 0 && el("ul", { class: "powers" }, state.powers[number].map((power) =>
        el("li", {}, explains("power", power, `★ ${of.powers[power].label}`))))))));
}

// A seat's sign: a piece that is its own, else how its name begins; always in its colour.
export function avatar(of, state, seat) {
  const own = Object.keys(state.owners).find((name) => state.owners[name] === seat && of.pieces[name].picture);
  return el("span", { class: `avatar seat-${seat}`, "aria-hidden": "true" },
    own ? picture(of, of.pieces[own].picture) : [...of.seats[seat].name][0]?.toUpperCase());
}

// What lies before a seat, in the least room: the strip is in view wherever the page stands.
function holdings(of, state, seat) {
  const zones = state.zones.filter((one) => one.owner === seat && one.count > 0 && of.zones[one.zone].layout !== "aside");
  return el("div", { class: "holdings" }, figuresOf(of, state, seat), zones.map((one) => {
    const { label } = of.zones[one.zone];
    const counted = one.pieces === null || isHeld(of, one);
    return el("div", { class: `holding${counted ? " counted" : ""}`, key: one.zone, role: "group", "aria-label": label },
      explains("zone", one.zone, label), counted ? el("strong", {}, number(one.count)) : heaps(one.pieces).map(({ name, count }) => chip(of, name, count)));
  }));
}

const awaited = (state, seat) => state.waiting.includes(seat);

function mark(state, seat) {
  if (state.ready.includes(seat)) return el("span", { class: "mark" }, `✓ ${say("ready")}`);
  return awaited(state, seat) && el("span", { class: "mark" }, `▸ ${say("waiting")}`);
}

function score(of, found, powers) {
  if (!found || !found.lines.length) return null;
  const known = found.lines.reduce((sum, [, points]) => sum + (points ?? 0), 0);
  const [before, behind] = found.told.split(number(known));
  return el("details", { class: "score" },
    el("summary", {}, el("span", { class: "points" }, before), el("span", { class: "total" }, number(known), found.total === null && " + ?"), el("span", { class: "points" }, behind),
      powers > 0 && el("span", { class: "count", title: say("power") }, ` ★ ${powers}`)),
    el("dl", {}, found.lines.map(([name, points]) => el("div", {}, el("dt", {}, explains("scoring", name, of.scoring[name])), el("dd", {}, points === null ? "?" : number(points))))));
}
