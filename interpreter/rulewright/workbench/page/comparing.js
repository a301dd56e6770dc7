// Two texts with what is different between them, over the page, and what can be done about it.

import { fill } from "./dom.js";
import { Component, h } from "./preact.js";
import { say } from "./words.js";

// title: what is compared; draw(box): shows it, and gives what takes it away again; choices: {name, main, act}.
export function compare(title, draw, choices) {
  const dialog = document.createElement("dialog");
  dialog.className = "panel comparing";
  const button = ({ name, main, act }) => h("button", { type: "button", class: main ? "main" : "", onclick: () => { dialog.close(); act?.(); } }, name);
  fill(dialog, h("h2", {}, title), h("div", { class: "compared" }), h("div", { class: "row" }, choices.map(button), button({ name: say("compare close") })));
  document.body.append(dialog);
  const end = draw(dialog.querySelector(".compared"));
  dialog.addEventListener("close", () => { end(); dialog.remove(); });
  dialog.showModal();
}

// A box of the page in which `show` shows two texts once; what it gives takes them away again.
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
