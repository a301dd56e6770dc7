// An edition's pictures, which come all at once: each stands at an address that this page alone knows.

/** @import { Redraw } from "./types" */

/** @type {Map<string, Map<string, string> | null>} */
const editions = new Map(); // their addresses by name; null while they are on their way

// Has an edition's pictures come. redraw: what to do when they have.
/** @param {string} edition @param {Redraw} redraw */
export async function fetched(edition, redraw) {
  if (editions.has(edition)) return;
  editions.set(edition, null);
  const answer = await fetch(`/editions/${edition}/pictures`).catch(() => null);
  const drawn = answer?.ok ? Object.entries(await answer.json()) : [];
  editions.set(
    edition,
    new Map(drawn.map(([name, svg]) => [name, URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }))])),
  );
  redraw();
}

/** @param {{ edition: string }} of */
export const arrived = (of) => Boolean(editions.get(of.edition));

// A picture's address; undefined while it is on its way.
/** @param {{ edition: string }} of @param {string} name */
export const addressOf = (of, name) => editions.get(of.edition)?.get(name);
