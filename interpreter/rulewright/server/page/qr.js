// A link as a pattern that the camera of a telephone reads; the server draws it, and keeps nothing of it.

import { h } from "./preact.js";
import { say } from "./words.js";

/** @import { Redraw } from "./types" */

const MARGIN = 4; // light squares around it, without which cameras do not find it

/** @type {Map<string, { size: number, path: string } | null>} */
const drawn = new Map();

/** @param {string} address @param {Redraw} redraw */
export function qr(address, redraw) {
  if (!drawn.has(address)) {
    drawn.set(address, null);
    draw(address).then(redraw);
  }
  const found = drawn.get(address);
  if (!found) return h("span", { class: "qr" });
  const whole = found.size + 2 * MARGIN;
  return h(
    "svg",
    { class: "qr", viewBox: `${-MARGIN} ${-MARGIN} ${whole} ${whole}`, role: "img", "aria-label": say("qr code") },
    h("path", { class: "light", d: `M${-MARGIN} ${-MARGIN}h${whole}v${whole}h${-whole}z` }),
    h("path", { class: "dark", d: found.path }),
  );
}

/** @param {string} address */
async function draw(address) {
  try {
    const answer = await fetch("/qr", { method: "POST", body: address });
    if (answer.ok) drawn.set(address, await answer.json());
  } catch {
    // without a pattern there is still the link
  }
}
