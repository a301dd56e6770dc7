// The order in which a reader holds their cards, once they have moved one with the pointer: kept while most of them stay.

/** @type {Map<string, string[]>} */
const orders = new Map(); // by the key of a zone

// What a reader has made of it, which is another list after each move; or nothing.
/** @param {string} zone */
export const orderOf = (zone) => orders.get(zone);

// Cards in a reader's order. What has come since then lies behind its neighbour of the usual order.
/** @template {{ name: string }} T @param {string} zone @param {T[]} usual @returns {T[]} */
export function inOwnOrder(zone, usual) {
  const names = orders.get(zone);
  if (!names) return usual;
  const own = names.flatMap((name) => usual.find((one) => one.name === name) ?? []);
  if (own.length * 2 < usual.length) {
    orders.delete(zone); // another hand
    return usual;
  }
  usual.forEach((one, n) => {
    if (!own.includes(one)) own.splice(n ? own.indexOf(usual[n - 1]) + 1 : 0, 0, one);
  });
  return own;
}

// Gives an order of one's own up.
/** @param {string} zone */
export const forgetOrder = (zone) => orders.delete(zone);

// Moves a card to where another one lies, which makes room.
/** @param {string} zone @param {string[]} names as they lie @param {number} from @param {number} to */
export function reorder(zone, names, from, to) {
  const order = names.toSpliced(from, 1);
  order.splice(to, 0, names[from]);
  orders.set(zone, order);
}
