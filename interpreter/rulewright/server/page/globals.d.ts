// What selectors find in these pages are elements of HTML, unless they name another one.

type Found<S extends string> = S extends keyof HTMLElementTagNameMap ? HTMLElementTagNameMap[S] : HTMLElement;

interface ParentNode {
  querySelector<S extends string>(selectors: S): Found<S> | null;
  querySelectorAll<S extends string>(selectors: S): NodeListOf<Found<S>>;
}

interface Element {
  closest<S extends string>(selectors: S): Found<S> | null;
  cloneNode(deep?: boolean): HTMLElement;
}

interface Window {
  dialled?: import("./dialling.js").Dialled;
}
