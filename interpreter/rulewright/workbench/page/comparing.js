// Two texts with what is different between them, over the page, and what can be done about it.

import { el, fill } from "./dom.js";
import { say } from "./words.js";

// title: what is compared; draw(box): shows it, and gives what takes it away again; choices: {name, main, act}.
export function compare(title, draw, choices) {
  const dialog = document.createElement("dialog");
  dialog.className = "panel comparing";
  const box = el("div", { class: "compared" });
  const button = ({ name, main, act }) => el("button", { type: "button", class: main ? "main" : "", onclick: () => { dialog.close(); act?.(); } }, name);
  fill(dialog, el("h2", {}, title), box, el("div", { class: "row" }, choices.map(button), button({ name: say("compare close") })));
  document.body.append(dialog);
  const end = draw(box);
  dialog.addEventListener("close", () => { end(); dialog.remove(); });
  dialog.showModal();
}
