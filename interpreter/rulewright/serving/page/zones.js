// Zones and boards, whosever they are: drawn from their declarations.

import { taking } from "./decision.js";
import { el } from "./dom.js";
import { face, hidden, picture, pieces, runs } from "./pieces.js";
import { say } from "./words.js";

function zone(of, state, asked, mine, one, label) {
  const groups = one.pieces === null ? [] : runs(of.zones[one.zone].pile ? one.pieces.slice(-1) : one.pieces);
  const fits = (name) => (choice) => choice.piece === name && choice.zone === one.zone && choice.word === one.word;
  const offers = asked && (one.owner === null || one.owner === of.seat);
  const active = (name) => of.pieces[name].power && of.pieces[name]["power in"] === one.zone
    && one.owner !== null && state.powers[one.owner].includes(of.pieces[name].power);
  return el("section", { class: "zone" },
    el("h3", {}, label, ` (${one.count})`),
    el("div", { class: "pieces" },
      one.pieces === null && one.count > 0 && hidden(of, one.count),
      groups.map(({ name, count }) => pieces(of, name, count, offers ? taking(asked, mine, fits(name)) : null, active(name)))));
}

function figures(of, state, belongs, read) {
  const told = Object.entries(of.counters).filter(([, counter]) => counter.of === belongs)
    .map(([name, counter]) => [counter.label, read(state.counters[name])]).filter(([, held]) => held !== undefined);
  return told.length ? el("dl", {}, told.map(([label, held]) => el("div", {}, el("dt", {}, label), el("dd", {}, held)))) : null;
}

export function ofTable(of, state, asked, mine) {
  const zones = state.zones.filter((one) => one.owner === null && !one.word);
  return el("section", { class: "zones", "aria-label": say("table") },
    zones.map((one) => zone(of, state, asked, mine, one, of.zones[one.zone].label)),
    figures(of, state, "", (held) => held));
}

export function ofSeats(of, state, asked, mine, own) {
  return state.scores.map((_, seat) => seat).filter((seat) => (seat === of.seat) === own).map((seat) => {
    const zones = state.zones.filter((one) => one.owner === seat);
    return el("section", { class: own ? "zones own" : "zones", "aria-label": of.seats[seat].name },
      el("h2", {}, of.seats[seat].name),
      zones.map((one) => zone(of, state, asked, mine, one, of.zones[one.zone].label)),
      figures(of, state, "seat", (held) => held[seat]));
  });
}

// Zones of words that are no spaces of a board, where anything lies.
export function ofWords(of, state, asked, mine) {
  const spaces = new Set(of.boards.map((board) => board.words));
  return Object.entries(of.words).filter(([list]) => !spaces.has(list)).map(([list, { label, words }]) => {
    const zones = state.zones.filter((one) => one.word && of.zones[one.zone].of === list && one.count > 0);
    const told = Object.entries(words).map(([word, name]) => [name, figures(of, state, list, (held) => held[word])]).filter(([, held]) => held);
    return zones.length + told.length > 0 && el("section", { class: "zones" }, el("h2", {}, label),
      zones.map((one) => zone(of, state, asked, mine, one, `${words[one.word]}: ${of.zones[one.zone].label}`)),
      told.map(([name, held]) => el("section", { class: "zone" }, el("h3", {}, name), held)));
  });
}

// ── boards ──

export function boards(of, state, asked, mine) {
  return of.boards.map((board) => board.drawn ? map(of, state, asked, mine, board) : list(of, state, asked, mine, board));
}

function lying(of, state, board) {
  const found = new Map(board.spaces.map((space) => [space.word, []]));
  for (const one of state.zones) {
    if (one.word && of.zones[one.zone].of === board.words) found.get(one.word).push(one);
  }
  return found;
}

function onSpace(asked, mine, board, word) {
  return taking(asked, mine, (choice) => choice.words === board.words && choice.word === word);
}

function told(of, zones) {
  return zones.flatMap((one) => one.pieces === null
    ? one.count ? [`${say("hidden")} ×${one.count}`] : []
    : runs(one.pieces).map(({ name, count }) => of.pieces[name].label + (count > 1 ? ` ×${count}` : "")));
}

// In little room: pictures where the edition has them.
function lyingHere(of, zones) {
  return zones.flatMap((one) => one.pieces === null
    ? one.count ? [`? ×${one.count}`] : []
    : runs(one.pieces).map(({ name, count }) => el("span", {}, face(of, name) ?? of.pieces[name].label, count > 1 && `×${count}`)));
}

function map(of, state, asked, mine, board) {
  const there = lying(of, state, board);
  const regions = [...new Set(board.spaces.map((space) => JSON.stringify(space.is)))];
  const columns = Math.max(...board.spaces.map((space) => space.column)) + 1;
  const spaces = board.spaces.map((space) => {
    const names = told(of, there.get(space.word));
    const taken = onSpace(asked, mine, board, space.word);
    const label = [space.label, ...space.told, ...names].join(", ");
    const colour = regions.indexOf(JSON.stringify(space.is)) % 8;
    const shift = board.hexagonal ? space.row % 2 : 0;
    const made = el(taken ? "button" : "div", {
      class: `space region-${colour}${taken ? " offered" : ""}`, title: label, "aria-label": label,
      onclick: taken, "data-focus": `space ${space.word}`,
    }, space.ground && el("span", { class: "ground" }, picture(of, space.ground)),
      el("span", { class: "letter" }, space.letter),
      el("span", { class: "lying" }, lyingHere(of, there.get(space.word))));
    const step = board.hexagonal ? 2 : 1;
    made.style.gridColumn = `${space.column * step + shift + 1} / span ${step}`;
    made.style.gridRow = String(space.row + 1);
    return made;
  });
  const grid = el("div", { class: "map" }, spaces);
  grid.style.gridTemplateColumns = `repeat(${columns * (board.hexagonal ? 2 : 1) + (board.hexagonal ? 1 : 0)}, minmax(${board.hexagonal ? 1.6 : 3.2}rem, 1fr))`;
  return el("section", { class: "board", "aria-label": say("table") }, grid, legend(of, state, board));
}

function legend(of, state, board) {
  const first = new Map(board.spaces.map((space) => [space.letter, space]));
  return el("ul", { class: "legend" }, [...first].filter(([, space]) => space.told.length)
    .map(([letter, space]) => el("li", {}, el("strong", {}, letter), ` ${space.told.join(", ")}`)));
}

function list(of, state, asked, mine, board) {
  const there = lying(of, state, board);
  const labels = new Map(board.spaces.map((space) => [space.word, space.label]));
  return el("section", { class: "board" }, el("ul", { class: "places" }, board.spaces.map((space) => {
    const taken = onSpace(asked, mine, board, space.word);
    const name = taken ? el("button", { class: "offered", onclick: taken, "data-focus": `space ${space.word}` }, space.label) : el("strong", {}, space.label);
    return el("li", {}, name, space.told.length > 0 && ` · ${space.told.join(", ")}`,
      el("span", { class: "lying" }, ` ${told(of, there.get(space.word)).join(", ")}`),
      space.neighbours.length > 0 && el("span", { class: "faint" }, ` → ${space.neighbours.map((word) => labels.get(word)).join(", ")}`));
  })));
}
