// What has happened, the last of it in sight.

import { el } from "./dom.js";
import { say } from "./words.js";

export function log(lines, ...more) {
  const entries = lines.map((line, number) => el("li", { class: line.heading ? "heading" : "line", key: number }, line.text));
  const list = el("div", { class: "lines", role: "log", tabindex: 0, "aria-label": say("log") }, el("ol", {}, entries));
  return el("section", { class: "log" }, el("h2", {}, say("log")), list, more);
}

// Down to the last line, unless somebody reads further up.
export function follow(lines) {
  const list = document.querySelector(".log .lines");
  if (!list || list.told === lines) return;
  const near = list.told === undefined || list.scrollHeight - list.scrollTop - list.clientHeight < 250;
  list.told = lines;
  if (near) list.scrollTop = list.scrollHeight;
}
