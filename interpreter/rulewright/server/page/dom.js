// Elements from data, and a page that becomes what is wanted: what stays is kept, with its focus and its place.
// Texts become text nodes: nothing that anybody wrote is ever read as markup.

const SVG = "http://www.w3.org/2000/svg";

// Elements are made in a document that nobody sees. Most of them only tell what has changed: no picture is fetched for them.
const draft = document.implementation.createHTMLDocument("");

export const el = (tag, properties, ...children) => build(draft.createElement(tag), properties ?? {}, children);
export const svg = (tag, properties, ...children) => build(draft.createElementNS(SVG, tag), properties ?? {}, children);

// key: by which an element is found again; from: a list of what its inside is made from, which stays as it is while they
// are the same; then a function may stand for the children; style: an object, beside which others may set what they
// measure; on…: a handler; the rest are attributes.
function build(made, { key, from, style = {}, ...rest }, children) {
  const late = typeof children[0] === "function" ? children[0] : null;
  const inside = late ? [] : wanted(children);
  Object.assign(made, { key, from, late, unmade: late !== null || inside.some((child) => child.unmade), named: {}, given: {}, styled: {} });
  for (const [name, value] of Object.entries(rest)) {
    if (value === null || value === undefined || (value === false && name !== "checked")) continue;
    if (name.startsWith("on") || name === "value" || name === "checked") made.given[name] = value;
    else made.setAttribute(name, made.named[name] = value === true ? "" : String(value));
  }
  restyle(made, style);
  made.append(...inside);
  return Object.assign(made, made.given);
}

function wanted(children) {
  return children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false && child !== "");
}

// Makes an element's children what is wanted, changing as little as possible.
export function fill(parent, ...children) {
  const fresh = wanted(children).map((child) => (child instanceof Node ? child : document.createTextNode(child)));
  const before = new Map();
  for (const old of parent.childNodes) {
    const name = nameOf(old);
    if (!before.has(name)) before.set(name, []);
    before.get(name).push(old);
  }
  let place = parent.firstChild;
  for (const child of fresh) {
    const old = before.get(nameOf(child))?.shift();
    const kept = old ? become(old, child) : whole(child);
    if (kept === place) place = place.nextSibling;
    else parent.insertBefore(kept, place);
  }
  for (const left of [...before.values()].flat()) left.remove();
}

function nameOf(node) {
  return `${node.nodeName} ${node.key ?? (node.classList?.[0] || "")}`;
}

// With all that was to be made late.
function whole(node) {
  if (!node.unmade) return node;
  node.unmade = false;
  if (node.late) node.append(...wanted([node.late()]));
  for (const child of node.childNodes) whole(child);
  return node;
}

function become(old, fresh) {
  if (old.nodeType !== Node.ELEMENT_NODE) {
    if (old.data !== fresh.data) old.data = fresh.data;
    return old;
  }
  const { named = {}, given = {}, styled = {}, from } = fresh;
  for (const name of Object.keys(old.named ?? {})) if (!(name in named) && name !== "open") old.removeAttribute(name);
  for (const [name, value] of Object.entries(named)) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  restyle(old, styled);
  if (!from || !alike(old.from, from)) fill(old, ...(fresh.late ? [fresh.late()] : fresh.childNodes));
  for (const name of Object.keys(old.given ?? {})) if (name.startsWith("on") && !(name in given)) old[name] = null;
  for (const [name, value] of Object.entries(given)) if (old[name] !== value) old[name] = value;
  return Object.assign(old, { named, given, from });
}

const alike = (before, after) => before?.length === after.length && after.every((one, place) => one === before[place]);

function restyle(made, styled) {
  const before = made.styled ?? {};
  for (const name of Object.keys(before)) if (!(name in styled)) made.style.removeProperty(name);
  for (const [name, value] of Object.entries(styled)) if (before[name] !== value) made.style.setProperty(name, value);
  made.styled = styled;
}

// What has just happened: a text, or an element.
export function notice(what) {
  document.getElementById("notice").replaceChildren(what);
}
