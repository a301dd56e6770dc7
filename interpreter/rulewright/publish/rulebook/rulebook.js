"use strict";
{
  const root = document.documentElement;
  const KEPT = "rulewright scheme";
  const WIDE = matchMedia("(min-width: 68rem)");
  const SHORTEST = 2; // letters that are looked for

  /** @template T @param {T | null | undefined} part @returns {T} */
  const required = (part) => {
    if (part == null) throw new Error("a part of the book is missing");
    return part;
  };

  /** @template {string} S @param {S} selector */
  const find = (selector) => required(document.querySelector(selector));

  // ── light and dark: before anything is seen ──

  const sheet = /** @type {HTMLStyleElement} */ (find("#_dark"));
  const asSystem = sheet.media;
  const system = matchMedia("(prefers-color-scheme: dark)");

  /** What the reader chose before, "" for nothing; a page from a file may not be allowed to ask. */
  const chosen = () => {
    try {
      return localStorage.getItem(KEPT) ?? "";
    } catch {
      return "";
    }
  };

  /** @param {string} scheme */
  const choose = (scheme) => {
    try {
      localStorage.setItem(KEPT, scheme);
    } catch {
      // it holds until the page is closed
    }
  };

  let scheme = chosen();
  const isDark = () => (scheme ? scheme === "dark" : system.matches);
  const paint = () => {
    sheet.media = { dark: "screen", light: "not all" }[/** @type {"dark" | "light"} */ (scheme)] ?? asSystem;
    document.querySelector(".scheme")?.setAttribute("aria-pressed", String(isDark()));
  };
  root.classList.add("js");
  paint();

  // ── words, without accents and capitals; each letter stays one, so that places are the same ──

  /** @param {string} text */
  const plain = (text) => text.replace(/[\u0080-\uffff]/g, (letter) => letter.normalize("NFD")[0]).toLowerCase();

  /** @param {Node} element */
  const textsOf = (element) => document.createTreeWalker(element, NodeFilter.SHOW_TEXT);

  /** @template {keyof HTMLElementTagNameMap} N @param {N} name @param {string} [text] @param {...Node} inside */
  const el = (name, text, ...inside) => {
    const made = document.createElement(name);
    if (text) made.textContent = text;
    made.append(...inside);
    return made;
  };

  const begin = () => {
    const main = find("main");
    const nav = find("nav");
    const bar = find(".bar");
    const where = find(".where");
    const field = /** @type {HTMLInputElement} */ (find(".find input"));
    const list = find(".found");
    const status = find(".count-found");
    const toast = find(".toast");
    const chapters = [...nav.querySelectorAll(".chapters a")];
    const sections = [...main.querySelectorAll("section")];
    for (const hidden of document.querySelectorAll(".tools, .seek")) hidden.hidden = false;
    paint();
    system.addEventListener("change", paint);

    // ── the drawer of a small screen ──

    const isOpen = () => root.classList.contains("open");
    /** @param {HTMLElement} focus */
    const open = (focus) => {
      root.classList.toggle("open", !WIDE.matches);
      main.inert = !WIDE.matches;
      focus.focus();
    };
    const close = () => {
      if (!isOpen()) return;
      root.classList.remove("open");
      main.inert = false;
      find(".menu").focus({ preventScroll: true });
    };
    WIDE.addEventListener("change", close);
    find(".menu").addEventListener("click", (event) => {
      event.preventDefault();
      open(find(".close"));
    });
    find(".seek").addEventListener("click", () => open(field));
    find(".close").addEventListener("click", close);
    document.addEventListener("click", (event) => {
      const target = /** @type {Element} */ (event.target);
      if (!nav.contains(target) && !bar.contains(target)) close();
    });

    // ── where one is ──

    let waiting = false;
    const look = () => {
      waiting = false;
      const number = sections.findLastIndex((section) => section.getBoundingClientRect().top < innerHeight / 4);
      chapters.forEach((link, at) => {
        if (at === number) link.setAttribute("aria-current", "location");
        else link.removeAttribute("aria-current");
      });
      where.textContent = chapters[number]?.textContent ?? "";
      const link = chapters[number];
      if (link && WIDE.matches && document.activeElement !== field && !field.value) {
        const [box, all] = [link.getBoundingClientRect(), nav.getBoundingClientRect()];
        if (box.top < all.top || box.bottom > all.bottom) nav.scrollTop += box.top - all.top - all.height / 2;
      }
    };
    addEventListener(
      "scroll",
      () => {
        if (!waiting) requestAnimationFrame(look);
        waiting = true;
      },
      { passive: true },
    );
    look();

    // ── a link to each place, beside its heading ──

    for (const place of main.querySelectorAll("[id]")) {
      const heading = place.querySelector("h2, h3, h4");
      if (!heading || heading.closest("[id]") !== place) continue;
      const link = el("a", "#");
      link.className = "here";
      link.href = `#${place.id}`;
      link.setAttribute("aria-label", `# ${heading.textContent.trim()}`);
      place.append(link);
    }

    // ── links into what is folded, and links to take away ──

    /** @param {string} hash */
    const reveal = (hash) => {
      const target = document.getElementById(decodeURIComponent(hash.slice(1)));
      const folded = target?.closest("details") ?? target?.querySelector(":scope > details");
      if (folded instanceof HTMLDetailsElement) folded.open = true;
      return target;
    };
    const arrive = () => location.hash && reveal(location.hash)?.scrollIntoView();
    addEventListener("hashchange", arrive);
    arrive();
    document.addEventListener("click", (event) => {
      const target = /** @type {Element} */ (event.target);
      const link = /** @type {HTMLAnchorElement | null} */ (target.closest('a[href^="#"]:not(.menu)'));
      if (!link) return;
      reveal(link.hash);
      close();
      if (link.matches(".here")) {
        navigator.clipboard?.writeText(link.href).then(
          () => {
            toast.textContent = required(toast.dataset.copied);
            setTimeout(() => (toast.textContent = ""), 2500);
          },
          () => {},
        );
      }
    });

    // ── the switches ──

    find(".scheme").addEventListener("click", () => {
      scheme = isDark() ? "light" : "dark";
      choose(scheme);
      paint();
    });
    const unfold = find(".unfold");
    unfold.addEventListener("click", () => {
      const all = unfold.getAttribute("aria-pressed") !== "true";
      unfold.setAttribute("aria-pressed", String(all));
      for (const folded of main.querySelectorAll("details")) folded.open = all;
    });

    // ── the search ──

    const forget = () => {
      for (const mark of main.querySelectorAll("mark")) {
        const parent = required(mark.parentNode);
        mark.replaceWith(...mark.childNodes);
        parent.normalize();
      }
    };

    /** All places of the book that have a heading, each with its texts. */
    const places = () => {
      /** @type {Map<Element, Text[]>} */
      const found = new Map();
      const walker = textsOf(main);
      while (walker.nextNode()) {
        const node = /** @type {Text} */ (walker.currentNode);
        const parent = required(node.parentElement);
        const owner = parent.closest("[id]");
        if (parent.closest(".here") || !node.data.trim() || !owner) continue;
        const texts = found.get(owner);
        if (texts) texts.push(node);
        else found.set(owner, [node]);
      }
      return found;
    };

    /**
     * Where words stand in a text: starts and ends that do not overlap.
     * @param {string} text @param {string[]} words
     */
    const hits = (text, words) => {
      /** @type {[number, number][]} */
      const all = [];
      for (const word of words) {
        for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length))
          all.push([at, at + word.length]);
      }
      all.sort((one, other) => one[0] - other[0]);
      /** @type {[number, number][]} */
      const apart = [];
      for (const [start, end] of all) {
        const last = apart.at(-1);
        if (last && start <= last[1]) last[1] = Math.max(last[1], end);
        else apart.push([start, end]);
      }
      return apart;
    };

    /** @param {Text} node @param {string[]} words */
    const marked = (node, words) => {
      for (const [start, end] of hits(plain(node.data), words).reverse()) {
        const hit = node.splitText(start);
        hit.splitText(end - start);
        const mark = el("mark");
        hit.replaceWith(mark);
        mark.append(hit);
      }
    };

    /** @param {Element} owner @param {Element} heading @param {Text[]} nodes @param {string[]} words */
    const result = (owner, heading, nodes, words) => {
      const title = heading.textContent.trim().replace(/\s+/g, " ");
      const told = nodes.filter((node) => !heading.contains(node)).map((node) => node.data.trim());
      const text = told.join(" ").replace(/\s+/g, " ");
      const [first] = hits(plain(text), words);
      const from = Math.max(0, text.lastIndexOf(" ", (first?.[0] ?? 0) - 30));
      const shown = el(
        "span",
        `${from ? "…" : ""}${text.slice(from, from + 110)}${text.length > from + 110 ? "…" : ""}`,
      );
      const name = el("b", title);
      for (const line of [shown, name]) {
        if (line.firstChild) marked(/** @type {Text} */ (line.firstChild), words);
      }
      const link = el("a", "", name, shown);
      link.href = `#${owner.id}`;
      const item = el("li", "", link);
      item.className = required(owner.closest("section")).className;
      return { item, first: words.every((word) => plain(title).includes(word)) };
    };

    const seek = () => {
      forget();
      const words = plain(field.value).split(/\s+/).filter(Boolean);
      const wanted = words.join("").length >= SHORTEST;
      const results = [];
      if (wanted) {
        for (const [owner, nodes] of places()) {
          const text = plain(nodes.map((node) => node.data).join(" "));
          const heading = owner.querySelector("h2, h3, h4");
          if (!heading || !words.every((word) => text.includes(word))) continue;
          results.push(result(owner, heading, nodes, words));
          for (const node of nodes) marked(node, words);
        }
      }
      results.sort((one, other) => Number(other.first) - Number(one.first));
      list.replaceChildren(...results.map(({ item }) => item));
      const told = results.length ? `${status.dataset.found} ${results.length}` : required(status.dataset.none);
      status.textContent = wanted ? told : "";
      nav.classList.toggle("sought", wanted);
    };
    field.addEventListener("input", seek);
    field.addEventListener("keydown", (event) => {
      if (event.key === "Enter") list.querySelector("a")?.click();
    });
    document.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && document.activeElement === field && field.value) {
        field.value = "";
        seek();
        event.preventDefault();
      } else if (event.key === "Escape") {
        close();
      } else if (
        event.key === "/" &&
        document.activeElement !== field &&
        !event.ctrlKey &&
        !event.metaKey &&
        !event.altKey
      ) {
        event.preventDefault();
        open(field);
        field.select();
      }
    });
  };

  document.addEventListener("DOMContentLoaded", begin);
}
