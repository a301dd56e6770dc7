// What the answer that somebody points at leads to, or has the focus on, in a place of its own in the question, so that
// nothing moves when it becomes known. data-lead: of a description, what is said here; what is seen on the board is not.

/** @param {Event} event */
function tell({ target }) {
  const place = document.querySelector(".pointed");
  const thing = [target, document.activeElement].map(
    (one) => one instanceof HTMLElement && /** @type {HTMLElement | null} */ (one.closest(".stage [aria-description]")),
  );
  const described = thing[0] || thing[1] || null;
  if (place) place.textContent = described?.dataset.lead ?? described?.getAttribute("aria-description") ?? "";
}

/** @param {HTMLElement} room */
export function attendPointed(room) {
  room.onpointerover = tell;
  room.addEventListener("focusin", tell);
}
