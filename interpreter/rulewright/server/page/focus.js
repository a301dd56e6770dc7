// The keyboard's place, over one drawing of the page: what had the focus may be gone after it.

const lost = () => document.activeElement === null || document.activeElement === document.body;
/** @param {string} selector */
const find = (selector) => document.querySelector(`main ${selector}`);

// Take note of what has the focus before the page is drawn; the function that this returns goes on from there once it
// is. Somebody on a board stays at their space, unless another question comes that is answered elsewhere; somebody at a
// question, or at anything else that is gone, comes to the question that is asked now.
export function keptFocus() {
  const from = /** @type {HTMLElement | null} */ (document.activeElement);
  const asked = find(".asked h2");
  if (!from?.closest("main")) return () => {};
  const answer = from.matches(".offered") && from.dataset.space === undefined;
  return () => {
    const next = find(".asked.now h2");
    const elsewhere = from.dataset.space !== undefined && next && next !== asked && !find(".board button[data-space]");
    const given = answer && !from.matches(".offered"); // a card like the one that was taken is no answer any more
    if (!lost() && !elsewhere && !given) return;
    const place = elsewhere ? null : placeOf(from);
    (place ?? find(".asked h2"))?.focus({ preventScroll: true });
  };
}

/** @param {HTMLElement} from */
function placeOf(from) {
  if (from.matches(".smaller")) return find(".zoom");
  return from.dataset.space === undefined ? null : find(`[data-space="${CSS.escape(from.dataset.space)}"]`);
}
