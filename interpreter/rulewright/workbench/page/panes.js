// All panes, in the order of their tabs: by name, what makes one, and under which word it is known.

import { BookPane } from "./book_pane.js";
import { Cards } from "./cards.js";
import { Cases } from "./cases.js";
import { Changes } from "./changes.js";
import { Figures } from "./figures.js";
import { newGame } from "./new_game.js";
import { Play } from "./play.js";
import { Share } from "./share.js";
import { Steps } from "./steps.js";
import { SetUp } from "./setup.js";
import { Texts } from "./texts.js";
import { Versions } from "./versions.js";

/** @import { Bench, Child, Redraw } from "./types" */

/** @import { Pane } from "./types" */
/** @type {[string, string, new (bench: Bench, redraw: Redraw) => Pane][]} */
export const PANES = [
  ["play", "play tab", Play],
  ["steps", "steps", Steps],
  ["cases", "cases", Cases],
  ["setup", "setup", SetUp],
  ["figures", "figures tab", Figures],
  ["book", "book", BookPane],
  ["changes", "changes", Changes],
  ["cards", "cards", Cards],
  ["texts", "texts", Texts],
  ["history", "history", Versions],
  ["share", "share tab", Share],
];

// What stands in the head of the workbench, besides: each is drawn with the bench.
/** @type {((bench: Bench, redraw: Redraw) => Child)[]} */
export const HEAD = [newGame];
