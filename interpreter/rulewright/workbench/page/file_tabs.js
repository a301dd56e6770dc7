// The tabs of the source: the edition, and what belongs to it; all other files are in a list.

import { button } from "./controls.js";
import { fill } from "./dom.js";
import { h } from "./preact.js";
import { say } from "./words.js";

/** @import { Bench } from "./types" */
/** @import { Answers } from "./answers" */

/** @param {HTMLElement} place @param {Bench} bench @param {Answers["files"]["files"]} files @param {(file: string) => void} open */
export function drawFiles(place, bench, files, open) {
  const family = files.filter(({ edition }) => edition !== null && edition === bench.file);
  const stem = `${bench.file.replace(/\.ya?ml$/, "")}.`;
  const called = (/** @type {string} */ file) =>
    file !== bench.file && file.startsWith(stem) ? file.slice(stem.length).replace(/\.(ya?ml|po)$/, "") : file;
  const tab = (/** @type {{ file: string }} */ { file }) =>
    button(called(file), () => open(file), { key: file, title: file, "aria-current": String(file === bench.source) });
  family.sort((one) => (one.file === bench.file ? -1 : 1));
  const here =
    family.some(({ file }) => file === bench.source) || !bench.source ? family : [...family, { file: bench.source }];
  fill(
    place,
    h("h2", { class: "unseen" }, say("source")),
    here.map(tab),
    files.length > here.length &&
      h(
        "select",
        {
          "aria-label": say("open file"),
          key: "all",
          value: "",
          onchange: (event) => {
            open(event.target.value);
            event.target.value = "";
          },
        },
        h("option", { value: "" }, say("open file")),
        files.map(({ file }) => h("option", { value: file }, file)),
      ),
  );
}
