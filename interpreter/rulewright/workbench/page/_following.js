"use strict";
{
  // The book beside its source: it goes where the cursor is, and says where somebody has clicked.
  const ABOVE = 48; // pixels of what is above that are seen, too

  const css = new CSSStyleSheet();
  css.replaceSync(`
    .told-here { --glow: color-mix(in srgb, #e0a030 22%, transparent); }
    .told-here { outline: .5rem solid var(--glow); background: var(--glow); border-radius: .1rem; }
    h2.told-here { background: revert-layer; }
    main [id] { cursor: pointer; }
  `);
  document.adoptedStyleSheets = [css];

  const tell = (/** @type {unknown} */ message) => parent.postMessage(message, "*");
  const main = () => document.querySelector("main");
  // '' is the top of the book.
  const passage = (/** @type {string} */ anchor) =>
    anchor === "" ? document.querySelector("header") : document.getElementById(anchor);

  /** @type {Element[]} */
  let marked = [];
  const mark = (/** @type {string[]} */ anchors) => {
    const found = anchors.map(passage).find(Boolean);
    for (const element of marked) element.classList.remove("told-here");
    marked = [];
    if (!found) return;
    // Of a chapter, what is said of it before its rules.
    const own = found.tagName === "SECTION" ? [...found.querySelectorAll(":scope > .text")] : [found];
    const heading = found.querySelector("h2");
    marked = own.length || !heading ? own : [heading];
    for (const element of marked) element.classList.add("told-here");
    const { top, bottom } = (marked[0] ?? found).getBoundingClientRect();
    const covered = document.querySelector(".bar")?.getBoundingClientRect().bottom ?? 0;
    if (top < covered || Math.min(bottom, top + innerHeight / 2) > innerHeight)
      scrollBy({ top: top - Math.max(0, covered) - ABOVE });
  };

  // What is at the top of what is seen, and how far above it: so a book made anew is shown where the old one was.
  const place = () => {
    const seen = [...(main()?.querySelectorAll("[id]") ?? [])].find(
      (element) => element.getBoundingClientRect().bottom > 0,
    );
    return seen && scrollY > 0
      ? { anchor: seen.id, above: seen.getBoundingClientRect().top }
      : { anchor: "", above: 0 };
  };
  const go = (/** @type {{ anchor: string, above: number }} */ { anchor, above }) => {
    const found = anchor && document.getElementById(anchor);
    if (found) scrollBy({ top: found.getBoundingClientRect().top - above, behavior: "instant" });
  };

  let waiting = false;
  addEventListener(
    "scroll",
    () => {
      if (!waiting)
        requestAnimationFrame(() => {
          waiting = false;
          tell({ place: place() });
        });
      waiting = true;
    },
    { passive: true },
  );

  addEventListener("message", ({ source, data }) => {
    if (source !== parent) return;
    if (data.place) go(data.place);
    if (data.passage) mark(data.passage);
  });

  // The link beside a heading leads to the source, too: by the keyboard there is no other way.
  document.addEventListener(
    "click",
    (event) => {
      const { target } = event;
      if (!(target instanceof Element)) return;
      const link = target.closest("a.here");
      if (link) {
        event.preventDefault();
        event.stopPropagation();
      } else if (target.closest("a, button, summary, input, nav") || !getSelection()?.isCollapsed) return;
      const around = [];
      for (
        let element = /** @type {Element | null | undefined} */ (target.closest("[id]"));
        element;
        element = element.parentElement?.closest("[id]")
      )
        around.push(element.id);
      if (target.closest("header")) around.push("");
      if (around.length) tell({ clicked: around });
    },
    true,
  );

  document.addEventListener("DOMContentLoaded", () => tell({ ready: true }));
}
