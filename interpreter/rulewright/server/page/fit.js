// The table is laid out as large as it can be while all of it is in view between the players and the question.

const SIZES = [8, 7.2, 6.4, 5.7, 5, 4.4, 3.9, 3.4, 3, 2.75]; // widths of a card, in rem
const COMFORTABLE = 5; // where it does not all fit, one scrolls
const GAP = 4;
const LEAST = 200; // of a board's height
const EASY = 48; // px, of a space that need not be enlarged

// What is measured, and who is told of it: they alone, for what the root knows has all that lies below it styled anew.
/** @type {Record<string, string>} */
const TOLD = {
  "--action-bar": "html, #main, #notice, .preview, .chat > .panel",
  "--strip": "html",
  "--room": ".framed, .log .lines",
  "--board": "main .table",
  "--fit": "main .middle",
};
/** @type {Record<string, string>} */
const measured = {};

const main = /** @type {HTMLElement} */ (document.getElementById("main"));
/** @type {HTMLElement | null} */
let actionBar = null;
let fitted = 0;
let window_ = "";
let highest = 0; // the action bar at its highest: what lies above it does not jump when a question comes and goes
let known = ""; // the sizes for which the table was fitted last

// What is not drawn again is not measured again: whether anything was, and whether that was what is fitted.
let drawn = true;
let fitting = true;
const observer = new MutationObserver(note);
if (main) observer.observe(main, { childList: true, characterData: true, subtree: true });

/** @param {MutationRecord[]} records */
function note(records) {
  drawn ||= records.length > 0;
  fitting ||= records.some(({ target }) =>
    (target instanceof Element ? target : target.parentElement)
      ?.closest(".middle, .board, .before, .table")
      ?.matches(".middle, .table"),
  );
}

const again = () => {
  drawn = true;
  fit();
};
const resized = new ResizeObserver(again);
addEventListener("resize", again);

export function fit() {
  note(observer.takeRecords());
  if (!drawn) return;
  drawn = false;
  const found = main.querySelector(".asked");
  if (found !== actionBar) {
    resized.disconnect();
    if (found) resized.observe(found);
    actionBar = found;
  }
  for (const [name, value] of Object.entries(measured)) tell(name, value);
  const high = actionBar?.offsetHeight ?? 0;
  const strip = document.querySelector(".players")?.offsetHeight ?? 0;
  const table = main.querySelector(".table");
  const top = (table?.getBoundingClientRect().top ?? 0) + scrollY - ended();
  tell("--action-bar", `${high}px`);
  tell("--strip", `${strip}px`);
  if (!table || main.querySelector(".captions")) return; // captions are soon gone again, and the cards would jump
  if (window_ !== `${innerWidth} ${innerHeight}`) [window_, highest] = [`${innerWidth} ${innerHeight}`, 0];
  if (actionBar && !actionBar.querySelector("details[open]"))
    highest = Math.max(highest, Math.min(high, innerHeight * 0.45));
  const sizes = [window_, top, highest].join(" ");
  if (!fitting && sizes === known) return;
  [fitting, known] = [false, sizes];
  const room = innerHeight - top - highest - GAP;
  tell("--room", `${Math.max(room, LEAST)}px`);
  const board = table.querySelector("section.board");
  if (board) tell("--board", `${Math.max(room, LEAST) * Number(board.style.getPropertyValue("--ratio"))}px`);
  document.documentElement.classList.toggle("roomy", (board?.querySelector(".space")?.offsetWidth ?? 0) >= EASY);
  const parts = [...table.querySelectorAll(".middle")];
  if (!parts.length) return;
  const show = (/** @type {number} */ size) => tell("--fit", `${size}rem`);
  fitted = largest((at) => {
    show(SIZES[at]);
    return Math.max(...parts.map((part) => part.getBoundingClientRect().bottom)) + scrollY - ended() - top <= room;
  });
  show(SIZES[fitted] ?? COMFORTABLE);
}

// How far what is told at the end has moved the table down, which stays as large as it was.
function ended() {
  const [ending, room] = [".ending", ".room"].map((part) => main.querySelector(part)?.getBoundingClientRect().top);
  return ending === undefined || room === undefined ? 0 : room - ending;
}

/** @param {string} name @param {string} value */
function tell(name, value) {
  measured[name] = value;
  for (const { style } of document.querySelectorAll(TOLD[name]))
    if (style.getPropertyValue(name) !== value) style.setProperty(name, value);
}

// The place of the largest size that fits; behind the last where none does. Each try lays the page out anew, so it
// begins with what fitted last.
/** @param {(at: number) => boolean} fits */
function largest(fits) {
  let at = Math.min(fitted, SIZES.length - 1);
  if (!fits(at))
    do at += 1;
    while (at < SIZES.length && !fits(at));
  else while (at > 0 && fits(at - 1)) at -= 1;
  return at;
}
