// An edition's pictures, which come all at once: each has an address that holds it, for which the browser's other
// processes are not asked.

/** @import { Redraw } from "./types" */

/** @type {Map<string, Map<string, string> | null>} */
const editions = new Map(); // their pictures by name, as they are written; null while they are on their way
/** @type {Map<string, string>} */
const addresses = new Map(); // of those that are shown

// Has an edition's pictures come. redraw: what to do when they have.
/** @param {string} edition @param {Redraw} redraw */
export async function fetched(edition, redraw) {
  if (editions.has(edition)) return;
  editions.set(edition, null);
  const answer = await fetch(`/editions/${edition}/pictures`).catch(() => null);
  editions.set(edition, new Map(answer?.ok ? Object.entries(await answer.json()) : []));
  redraw();
}

/** @param {{ edition: string }} of */
export const arrived = (of) => Boolean(editions.get(of.edition));

// A picture's address; undefined while it is on its way. colour: one for all of it that is not light, if another is wanted.
/** @param {{ edition: string }} of @param {string} name @param {string} [colour] */
export function addressOf(of, name, colour = "") {
  const svg = editions.get(of.edition)?.get(name);
  if (!svg) return undefined;
  const key = `${of.edition} ${name} ${colour}`;
  let address = addresses.get(key);
  if (!address) {
    address = `data:image/svg+xml,${encodeURIComponent(colour ? recoloured(svg, colour) : svg)}`;
    addresses.set(key, address);
  }
  return address;
}

const LIGHT = 200; // of 255, from which on a colour is left
const SHADE = 0.62; // of what is in the shade

// The first colour that is not light becomes another one; a second one its shade, while a picture of more keeps the rest.
/** @param {string} svg @param {string} colour */
export function recoloured(svg, colour) {
  const parts = (/** @type {string} */ text) => [1, 3, 5].map((n) => Number.parseInt(text.slice(n, n + 2), 16));
  const shade = `#${parts(colour)
    .map((part) =>
      Math.round(part * SHADE)
        .toString(16)
        .padStart(2, "0"),
    )
    .join("")}`;
  const dark = [...new Set(svg.match(/#[0-9a-f]{6}\b/gi))].filter((found) => Math.min(...parts(found)) < LIGHT);
  const instead = [colour, ...(dark.length === 2 ? [shade] : [])];
  return svg.replace(/#[0-9a-f]{6}\b/gi, (found) => instead[dark.indexOf(found)] ?? found);
}
