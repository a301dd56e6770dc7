// What the answer that somebody points at leads to, or has the focus on, in a place of its own in the question, so that
// nothing moves when it becomes known.

/** @param {Event} event */
function tell({ target }) {
  const place = document.querySelector(".pointed");
  const thing = [target, document.activeElement].map(
    (one) => one instanceof Element && one.closest(".stage [aria-description]"),
  );
  if (place) place.textContent = (thing[0] || thing[1] || null)?.getAttribute("aria-description") ?? "";
}

/** @param {HTMLElement} room */
export function attendPointed(room) {
  room.onpointerover = tell;
  room.addEventListener("focusin", tell);
}
