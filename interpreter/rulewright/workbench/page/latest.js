// Requests of which only the latest counts: an earlier answer that comes after a later one is dropped.

export class Latest {
  constructor() {
    this.number = 0;
  }

  // What has been asked before no longer counts.
  drop() {
    this.number += 1;
  }

  // The answer, or undefined where something has been asked since.
  /** @template T @param {Promise<T>} request @returns {Promise<T | undefined>} */
  async of(request) {
    const number = ++this.number;
    const answer = await request;
    return number === this.number ? answer : undefined;
  }
}
