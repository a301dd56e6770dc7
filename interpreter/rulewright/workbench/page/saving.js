// Files that the workbench makes, kept where the browser keeps what it loads.

import { NOTHING_YET } from "./bench.js";
import { notice } from "./dom.js";
import { filled, say } from "./words.js";

/** @import { Slots } from "./bench.js" */
/** @import { Bench } from "./types" */

/** @param {Bench} bench @param {string} path @param {Slots} [slots] */
export async function save(bench, path, slots) {
  let answer;
  try {
    answer = await fetch(bench.address(path, slots));
  } catch {
    notice(say("bench gone"));
    return;
  }
  if (!answer.ok || answer.status === NOTHING_YET) {
    const isJson = answer.headers.get("content-type")?.startsWith("application/json");
    notice(isJson ? (await answer.json()).text : say("pane broken"));
    return;
  }
  const told = answer.headers.get("content-disposition") ?? "";
  const encoded = /filename\*=UTF-8''([^;]+)/.exec(told)?.[1];
  const name = encoded ? decodeURIComponent(encoded) : (/filename="([^"]+)"/.exec(told)?.[1] ?? "rulewright");
  const link = document.createElement("a");
  link.href = URL.createObjectURL(await answer.blob());
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
  notice(filled("saved as", { file: name }));
}
