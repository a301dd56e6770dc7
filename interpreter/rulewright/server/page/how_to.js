// The button that opens how to play, over the table.

import { needSheet } from "./dom.js";
import { h } from "./preact.js";
import { say } from "./words.js";

/** @import { Redraw } from "./types" */

export const howToSheet = { open: false };

/** @param {Redraw} redraw */
export const howToButton = (redraw) =>
  h(
    "button",
    {
      type: "button",
      class: "book plain",
      key: "how to",
      "aria-haspopup": "dialog",
      onclick: () => {
        howToSheet.open = true;
        needSheet("start");
        redraw();
      },
    },
    say("how to play"),
  );
