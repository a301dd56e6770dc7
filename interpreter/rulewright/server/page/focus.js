// The keyboard's place, over one drawing of the page: what had the focus may be gone after it.

/** @param {string} selector @returns {HTMLElement | null} */
const find = (selector) => document.querySelector(`main ${selector}`);
const lost = () => document.activeElement === null || document.activeElement === document.body;

// Whether something has been pressed on this page: the browser frames what gets the focus before, as if it were chosen.
let isTouched = false;
for (const type of ["keydown", "pointerdown"])
  globalThis.addEventListener?.(type, () => (isTouched = true), { capture: true, once: true });

// Where a question is answered first: at a thing on the table, else in the bar.
const ANSWERS = [
  ".stage :is(.held, .boards, .middle, .player) .offered:enabled",
  ".asked.now .choices button:enabled",
  ".asked.now .amount input",
  ".asked h2",
];

export const firstAnswer = () => ANSWERS.map(find).find(Boolean) ?? null;

// Take note of what has the focus before the page is drawn; the function that this returns goes on from there once it
// is. Somebody stays at a thing, by its name, as long as it is there, unless another question is answered elsewhere;
// somebody at an answer that is gone, or at a question, comes to the first answer of what is asked now, and at the end of
// the game to its result. asked: whether another question is drawn: a space is left at once then, since the browser would
// lay out the page once more if it took away what has the focus.
export function keptFocus(asked = false) {
  const from = /** @type {HTMLElement | null} */ (document.activeElement);
  const [heading, ended] = [find(".asked h2"), find(".winner")];
  if (!from?.closest("main")) return () => {};
  const same = nameOf(from);
  const isAnswer = from.dataset.space !== undefined || from.matches(".offered, .asked h2, .asked .choices *");
  if (asked && from.dataset.space !== undefined) from.blur();
  return () => {
    const isAsked = find(".asked.now h2") !== null && find(".asked h2") !== heading;
    const result = find(".winner");
    if (isAnswer && result && !ended) return result.focus({ preventScroll: true });
    if (!lost() && document.activeElement !== from) return; // somebody has gone on meanwhile
    const now = lost() ? same && find(same) : from;
    if (now && !(isAsked && isAnswer && !isWithin(now))) {
      if (now !== document.activeElement) now.focus({ preventScroll: true });
    } else (isTouched ? firstAnswer() : find(".asked h2"))?.focus({ preventScroll: true });
  };
}

// Whether what is asked is answered at a thing, or in the same part of the table.
/** @param {HTMLElement} thing */
const isWithin = (thing) =>
  thing.matches(".offered") || thing.closest(".map, .places")?.querySelector("[data-space].offered:enabled") != null;

/** @param {HTMLElement} from */
function nameOf(from) {
  const { space, piece, at } = from.dataset;
  if (from.matches(".smaller")) return ".zoom";
  if (space !== undefined) return `[data-space="${CSS.escape(space)}"]`;
  if (piece !== undefined && at) return `[data-piece="${CSS.escape(piece)}"][data-at="${CSS.escape(at)}"]`;
  return null;
}
