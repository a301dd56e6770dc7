// What has happened, the last of it in sight.

import { el } from "./dom.js";
import { say } from "./words.js";

export function log(lines) {
  const entries = lines.map((line) => line.heading ? el("li", { class: "heading" }, line.text) : el("li", {}, line.text));
  const list = el("ol", { role: "log", tabindex: 0, "data-focus": "log" }, entries);
  queueMicrotask(() => { list.scrollTop = list.scrollHeight; });
  return el("section", { class: "log" }, el("h2", {}, say("log")), list);
}
