// Two texts with what is different between them, over the page, and what can be done about it.

import { fill } from "./dom.js";
import { Component, h } from "./preact.js";
import { say } from "./words.js";

/** @typedef {{ name: string, main?: boolean, act?: () => void }} Action */

// title: what is compared; draw(box): shows it, and gives what takes it away again; choices: {name, main, act}.
/** @param {string} title @param {(box: HTMLElement) => () => void} draw @param {Action[]} choices */
export function compare(title, draw, choices) {
  const dialog = document.createElement("dialog");
  dialog.className = "panel comparing";
  const button = (/** @type {Action} */ { name, main, act }) =>
    h(
      "button",
      {
        type: "button",
        class: main ? "main" : "",
        onclick: () => {
          dialog.close();
          act?.();
        },
      },
      name,
    );
  fill(
    dialog,
    h("h2", {}, title),
    h("div", { class: "compared" }),
    h("div", { class: "row" }, choices.map(button), button({ name: say("compare close"), main: false })),
  );
  document.body.append(dialog);
  const end = draw(/** @type {HTMLElement} */ (dialog.querySelector(".compared")));
  dialog.addEventListener("close", () => {
    end();
    dialog.remove();
  });
  dialog.showModal();
}

// A box of the page in which `show` shows two texts once; what it gives takes them away again.
/** @extends {Component<{ show: (box: HTMLElement) => () => void }>} */
export class Beside extends Component {
  componentDidMount() {
    this.end = this.props.show(this.base);
  }

  componentWillUnmount() {
    this.end?.();
  }

  shouldComponentUpdate() {
    return false;
  }

  render() {
    return h("div", { class: "compared" });
  }
}
