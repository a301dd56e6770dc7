// The people at a table: who is there, and who plays again with the others.

import { h } from "./preact.js";
import { filled, language, say } from "./words.js";

/** @import { Company } from "./types" */

const DAY = 24 * 60 * 60;

// away: of the seats that are not there, since when, in seconds since 1970, or 0.
/** @param {Record<string, number> | undefined} away @param {number} seat */
export function attendance(away, seat) {
  const since = away?.[seat];
  const told = since === undefined ? say("there") : since ? filled("away since", { when: moment(since) }) : say("away");
  return h(
    "span",
    { class: `attendance${since === undefined ? "" : " gone"}`, title: told },
    h("span", { class: "unseen" }, told),
  );
}

/** @param {number} seconds */
function moment(seconds) {
  const dateStyle = Date.now() / 1000 - seconds > DAY ? "medium" : undefined;
  return new Intl.DateTimeFormat(language().replace("_", "-"), { dateStyle, timeStyle: "short" }).format(
    seconds * 1000,
  );
}

// by: who has begun another table, or undefined; again: what to do. Whoever watches begins none, and can go along.
/** @param {Company} given @param {() => void} again */
export function rematch({ you, rematch: by }, again) {
  const invited = by !== undefined;
  if (you !== "seat" && invited)
    return h(
      "div",
      { class: "row again panel", role: "status" },
      h("strong", {}, say("they play again")),
      h("button", { class: "main", onclick: again }, say("watch there")),
    );
  if (you !== "seat" && you !== "host") return null;
  return h(
    "div",
    { class: `row again${invited ? " panel" : ""}`, role: invited ? "status" : null },
    invited &&
      h("strong", {}, by ? filled("wants a rematch", { name: `\u2068${by}\u2069` }) : say("rematch is wanted")),
    h("button", { class: "main", onclick: again }, invited ? say("join rematch") : `↻ ${say("rematch")}`),
  );
}
