// What is typed while the workbench is not there, kept in the browser: a copy outlives the window.

const PREFIX = "rulewright typed ";
const LONGEST = 30 * 24 * 3600 * 1000; // milliseconds for which a copy is offered
const own = crypto.randomUUID();

const nameOf = (place) => `${PREFIX}${place} `;

// Keeps what was typed, and the text that the workbench had. place: the address of the file. Whether that can be.
export function keep(place, { base, text }) {
  try {
    localStorage.setItem(nameOf(place) + own, JSON.stringify({ base, text, at: Date.now() }));
    return true;
  } catch {
    return false;
  }
}

export function drop(place, name = nameOf(place) + own) {
  try {
    localStorage.removeItem(name);
  } catch {
    // then there is none
  }
}

// The copies of a file that windows have left, the newest first: {name, base, text, at}.
export function kept(place) {
  const found = [];
  try {
    for (const name of Object.keys(localStorage).filter((one) => one.startsWith(nameOf(place)))) {
      const copy = read(localStorage.getItem(name));
      if (copy && Date.now() - copy.at < LONGEST) found.push({ name, ...copy });
      else localStorage.removeItem(name);
    }
  } catch {
    return [];
  }
  return found.sort((one, other) => other.at - one.at);
}

function read(written) {
  try {
    const { base, text, at } = JSON.parse(written);
    return typeof base === "string" && typeof text === "string" && Number.isFinite(at) ? { base, text, at } : null;
  } catch {
    return null;
  }
}
