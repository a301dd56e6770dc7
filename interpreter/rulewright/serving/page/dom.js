// Elements from data. Texts become text nodes: nothing that anybody wrote is ever read as markup.

export function el(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (name === "value") made.value = value;
    else made.setAttribute(name, value === true ? "" : value);
  }
  add(made, children);
  return made;
}

function add(parent, children) {
  for (const child of children.flat(Infinity)) {
    if (child !== null && child !== undefined && child !== false && child !== "") parent.append(child);
  }
}

// Puts new children into an element. What had the focus has it again, if it is still there.
export function fill(parent, ...children) {
  const focused = parent.contains(document.activeElement) ? document.activeElement.dataset.focus : undefined;
  parent.replaceChildren();
  add(parent, children);
  if (focused !== undefined) {
    for (const found of parent.querySelectorAll("[data-focus]")) {
      if (found.dataset.focus === focused) found.focus({ preventScroll: true });
    }
  }
}

export function notice(text) {
  document.getElementById("notice").textContent = text;
}
