// All panes, in the order of their tabs: by name, what makes one, and under which word it is known.

import { BookPane } from "./book_pane.js";
import { Cards } from "./cards.js";
import { Changes } from "./changes.js";
import { Figures } from "./figures.js";
import { Steps } from "./steps.js";
import { Versions } from "./versions.js";

export const PANES = [
  ["steps", "steps", Steps],
  ["figures", "figures", Figures],
  ["book", "book", BookPane],
  ["changes", "changes", Changes],
  ["cards", "cards", Cards],
  ["history", "history", Versions],
];

// What stands in the head of the workbench, besides: each is drawn with the bench.
export const HEAD = [];
