// All panes, in the order of their tabs: by name, what makes one, and under which word it is known.

import { Versions } from "./versions.js";

export const PANES = [
  ["history", "history", Versions],
];

// What stands in the head of the workbench, besides: each is drawn with the bench.
export const HEAD = [];
