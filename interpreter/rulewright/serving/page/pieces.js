// Pieces: a picture where the edition has one, and always the name.

import { el } from "./dom.js";
import { say } from "./words.js";

export function picture(of, name, label = "") {
  return el("img", { src: `/editions/${of.edition}/pictures/${name}.svg`, alt: label });
}

export function face(of, name) {
  const piece = of.pieces[name];
  return piece?.picture ? picture(of, piece.picture) : null;
}

// A group of equal pieces. taken: what a click does, or null.
export function pieces(of, name, count, taken, active) {
  const piece = of.pieces[name];
  const inside = [
    piece.corner && el("span", { class: "corner" }, piece.corner),
    face(of, name),
    el("span", { class: "label" }, active && el("span", { title: say("power") }, "★ "), piece.label, count > 1 && ` ×${count}`),
  ];
  const kind = piece.card ? "piece card" : "piece";
  return taken
    ? el("button", { class: `${kind} offered`, onclick: taken, "data-focus": `piece ${name}` }, inside)
    : el("div", { class: kind }, inside);
}

export function hidden(of, count) {
  return el("div", { class: "piece back" }, `${say("hidden")} ×${count}`);
}

// Neighbours that are alike, together: the order of a row stays to be seen.
export function runs(names) {
  const found = [];
  for (const name of names) {
    if (found.at(-1)?.name === name) found.at(-1).count += 1;
    else found.push({ name, count: 1 });
  }
  return found;
}
