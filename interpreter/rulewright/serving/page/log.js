// What has happened, the last of it in sight.

import { el } from "./dom.js";
import { say } from "./words.js";

export function log(lines, ...more) {
  const entries = lines.map((line, number) => el("li", { class: line.heading ? "heading" : "line", key: number }, line.text));
  const list = el("div", { role: "log", tabindex: 0, "aria-label": say("log") }, el("ol", {}, entries));
  return el("section", { class: "log" }, el("h2", {}, say("log")), list, more);
}

// Down to the last line, unless somebody reads further up.
export function follow(lines) {
  const list = document.querySelector(".log [role=log]");
  if (!list || list.dataset.lines === String(lines)) return;
  const near = !list.dataset.lines || list.scrollHeight - list.scrollTop - list.clientHeight < 250;
  list.dataset.lines = String(lines);
  if (near) list.scrollTop = list.scrollHeight;
}
