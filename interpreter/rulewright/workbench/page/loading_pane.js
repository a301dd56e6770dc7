// What panes share that load what they show: when they are opened, and when it has changed while they were seen.

/** @import { Bench, Redraw } from "./types" */

export class LoadingPane {
  /** @param {Bench} bench @param {Redraw} redraw */
  constructor(bench, redraw) {
    this.bench = bench;
    this.redraw = redraw;
    this.seen = false;
    this.loading = false;
    this.again = false;
  }

  // Of each pane: get what it shows.
  async fetch() {}

  shown() {
    this.seen = true;
    this.load();
  }

  hidden() {
    this.seen = false;
  }

  stale() {
    if (this.seen) this.load();
  }

  // Load once at a time; whatever is asked for meanwhile is loaded afterwards.
  async load() {
    if (!this.bench.file) return;
    if (this.loading) {
      this.again = true;
      return;
    }
    this.loading = true;
    this.redraw();
    await this.fetch();
    this.loading = false;
    this.redraw();
    if (this.again) {
      this.again = false;
      this.load();
    }
  }
}
