// The keyboard within the parts of the table: each part is one stop of the tabulator, arrows go from thing to thing in it,
// letters to what is called so, and PageDown to the next answer.

const LOG = ".log .lines"; // entered at what happened last

// Parts, from those that lie inside others on.
const PARTS = [
  ".becoming",
  ".map, .places",
  [".stage .held", ".stage .middle", ".stage .player", ".asked .choices", LOG].join(),
  ".pieces",
];
const THINGS = "[data-space]:not(:disabled)";
const BUTTONS = "button:not(:disabled), summary, a[href]";
const ANSWERS = ":is(.offered, .asked .choices button):enabled";
const TYPED = 900; // ms, within which letters belong together
const ASIDE = 0.9; // times as far as ahead: up and down, the next row comes first, also where columns alternate
const OTHER_ROW = 1e4; // to the left and right, what lies in the same row comes first

/** @type {Record<string, [number, number]>} */
const WAYS = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };
/** @type {Record<string, number>} */
const PAGES = { PageDown: 1, PageUp: -1 };

let typed = "";
let last = 0; // when the last letter was typed

document.addEventListener("keydown", pressed);
document.addEventListener("focusin", ({ target }) => {
  const part = target instanceof HTMLElement && target.closest(".stage") ? partOf(target) : null;
  if (part && target instanceof HTMLElement) stopAt(things(part), target);
});

/** @param {Element} element @returns {HTMLElement | null} */
function partOf(element) {
  for (const part of PARTS) {
    const found = /** @type {HTMLElement | null} */ (element.closest(part));
    if (found) return found;
  }
  return null;
}

/** @param {Element} part @returns {HTMLElement[]} */
const things = (part) => [...part.querySelectorAll(part.matches(PARTS[1]) ? THINGS : BUTTONS)];
const answers = () => /** @type {HTMLElement[]} */ ([...document.querySelectorAll(`main ${ANSWERS}`)]);
/** @param {HTMLElement} thing */
const isSeen = (thing) => thing.checkVisibility({ visibilityProperty: true });

// Called when the page is drawn: each part is left with one stop, what can be taken before all else.
export function rove() {
  for (const part of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(PARTS.slice(0, 3).join()))) {
    if (partOf(part) !== part || !part.closest(".stage")) continue;
    const all = things(part);
    const active = all.find((thing) => thing === document.activeElement);
    const first = part.matches(LOG) ? all.at(-1) : all.find(isSeen);
    const stop = active ?? all.find((thing) => thing.matches(ANSWERS)) ?? first;
    if (stop) stopAt(all, stop);
  }
}

/** @param {HTMLElement[]} all @param {HTMLElement} stop */
function stopAt(all, stop) {
  if (!all.includes(stop)) return;
  for (const thing of all) if (thing.tabIndex !== (thing === stop ? 0 : -1)) thing.tabIndex = thing === stop ? 0 : -1;
}

/** @param {KeyboardEvent} event */
function pressed(event) {
  const { key, target } = event;
  if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey || !(target instanceof Element)) return;
  if (target.closest("input, textarea, select") || !target.closest("main, body:not(:has(dialog[open]))")) return;
  const part = partOf(target);
  const to =
    WAYS[key] && part ? near(part, target, WAYS[key]) : PAGES[key] ? turned(target, PAGES[key]) : named(event, part);
  if (!to && !(WAYS[key] && part)) return;
  event.preventDefault();
  to?.focus();
}

// The nearest thing on one side; to the left and right in the same row, if there is any.
/** @param {Element} part @param {Element} from @param {[number, number]} way */
function near(part, from, way) {
  const middle = (/** @type {Element} */ thing) => {
    const { left, top, width, height } = thing.getBoundingClientRect();
    return [left + width / 2, top + height / 2];
  };
  const [x, y] = middle(from);
  const row = from.getBoundingClientRect().height / 2;
  return things(part)
    .filter((thing) => thing !== from && isSeen(thing) && !isOver(thing, x, y))
    .map((thing) => {
      const [dx, dy] = [middle(thing)[0] - x, middle(thing)[1] - y];
      const [ahead, aside] = way[0] ? [dx * way[0], Math.abs(dy)] : [dy * way[1], Math.abs(dx)];
      return { thing, ahead, far: ahead + ASIDE * aside + (way[0] && aside > row ? OTHER_ROW : 0) };
    })
    .filter(({ ahead }) => ahead > 1)
    .sort((one, other) => one.far - other.far)[0]?.thing;
}

// Whether a thing lies there, such as what explains all that lies in a zone.
/** @param {Element} thing @param {number} x @param {number} y */
function isOver(thing, x, y) {
  const { left, right, top, bottom } = thing.getBoundingClientRect();
  return left < x && x < right && top < y && y < bottom;
}

// The next answer, or the one before, wherever it lies.
/** @param {Element} from @param {number} by */
function turned(from, by) {
  const all = answers();
  const place = all.indexOf(/** @type {HTMLElement} */ (from));
  if (place >= 0) return all.at((place + by) % all.length);
  const after = all.findIndex((one) => from.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING);
  return by > 0 ? (all[Math.max(0, after)] ?? all[0]) : all.at(after < 0 ? -1 : after - 1);
}

// What is called as the letters that are typed: an answer before all else, then a thing of the same part.
/** @param {KeyboardEvent} event @param {Element | null} part */
function named({ key, timeStamp }, part) {
  if (key.length !== 1 || key === " " || key === "?") return;
  typed = timeStamp - last < TYPED ? typed + key.toLowerCase() : key.toLowerCase();
  last = timeStamp;
  const fits = (/** @type {HTMLElement} */ thing) =>
    (thing.getAttribute("aria-label") ?? thing.textContent ?? "").trim().toLowerCase().startsWith(typed);
  return answers().find(fits) ?? (part ? things(part).find((thing) => isSeen(thing) && fits(thing)) : undefined);
}
