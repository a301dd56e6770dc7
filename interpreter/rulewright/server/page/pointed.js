// What the answer that somebody points at leads to, or has the focus on, in a place of its own in the question, so that
// nothing moves when it becomes known.

const DESCRIBED = ".stage [aria-description]";

/** @param {EventTarget | null} target */
const describedBy = (target) =>
  (target instanceof Element && target.closest(DESCRIBED)?.getAttribute("aria-description")) || "";

/** @param {Event} event */
function tell({ target }) {
  const place = document.querySelector(".pointed");
  const told = describedBy(target) || describedBy(document.activeElement);
  if (place && place.textContent !== told) place.textContent = told;
}

/** @param {HTMLElement} room */
export function attendPointed(room) {
  for (const kind of ["pointerover", "focusin"]) room.addEventListener(kind, tell);
}
