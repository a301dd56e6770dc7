// What is typed while the workbench is not there, kept in the browser: a copy outlives the window.

/** @typedef {{ place: string, name: string, base: string, sent: string, text: string, at: number }} Copy */

const PREFIX = "rulewright typed ";
const LONGEST = 30 * 24 * 3600 * 1000; // milliseconds for which a copy is offered
const own = crypto.randomUUID();

/** @param {string} place */
const nameOf = (place) => `${PREFIX}${place} `;
/** @param {string} window */
const lockOf = (window) => `rulewright window ${window}`;

// Held for as long as this window is there: meanwhile what it has typed is its own, and no other window offers it.
const { locks } = navigator;
locks?.request(lockOf(own), () => new Promise(() => {}));

// Keeps what was typed, and the text that the workbench had. place: the address of the file; window: whose copy it is;
// one that nobody holds is offered. Whether that can be.
/** @param {string} place @param {{ base: string, sent: string, text: string }} given */
export function keep(place, { base, sent, text }, window = own) {
  try {
    localStorage.setItem(nameOf(place) + window, JSON.stringify({ base, sent, text, at: Date.now() }));
    return true;
  } catch {
    return false;
  }
}

/** @param {string} place */
export function drop(place, name = nameOf(place) + own) {
  try {
    localStorage.removeItem(name);
  } catch {
    // then there is none
  }
}

const awaited = new Set(); // copies of windows that are still open

// The copies of a file that other windows have left: each is told as soon as its window is closed.
// left: is called with {place, name, base, sent, text, at}.
/** @param {string} place @param {(copy: Copy) => void} left */
export function whenLeft(place, left) {
  for (const name of names(place)) {
    const window = name.slice(nameOf(place).length);
    if (window === own || awaited.has(name)) continue;
    const tell = () => {
      awaited.delete(name);
      const copy = copyOf(name);
      if (copy) left({ place, name, ...copy });
    };
    awaited.add(name);
    if (locks) locks.request(lockOf(window), { mode: "shared" }, tell);
    else tell();
  }
}

// heard: is called with the name of each copy that another window has dropped.
/** @param {(name: string) => void} heard */
export function whenDropped(heard) {
  addEventListener("storage", ({ key, newValue }) => {
    if (key?.startsWith(PREFIX) && newValue === null) heard(key);
  });
}

/** @param {string} place */
function names(place) {
  try {
    return Object.keys(localStorage).filter((one) => one.startsWith(nameOf(place)));
  } catch {
    return [];
  }
}

// A copy that is neither old nor spoiled, or null: such a one is dropped.
/** @param {string} name */
function copyOf(name) {
  try {
    const copy = read(localStorage.getItem(name));
    if (copy && Date.now() - copy.at < LONGEST) return copy;
    localStorage.removeItem(name);
  } catch {
    // nothing is kept here
  }
  return null;
}

/** @param {string | null} written */
function read(written) {
  try {
    const { base, sent = base, text, at } = JSON.parse(written ?? "");
    return [base, sent, text].every((one) => typeof one === "string") && Number.isFinite(at)
      ? { base, sent, text, at }
      : null;
  } catch {
    return null;
  }
}
