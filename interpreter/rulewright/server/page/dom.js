// Elements from data, and a page that becomes what is wanted: what stays is kept, with its focus and its place.
// Texts become text nodes: nothing that anybody wrote is ever read as markup.

const SVG = "http://www.w3.org/2000/svg";

export const el = (tag, properties, ...children) => build(document.createElement(tag), properties, children);
export const svg = (tag, properties, ...children) => build(document.createElementNS(SVG, tag), properties, children);

// key: by which an element is found again; fixed: its inside never changes; style: an object, beside which others may set
// what they measure; on…: a handler; the rest are attributes.
function build(made, properties, children) {
  made.given = {};
  made.styled = {};
  for (const [name, value] of Object.entries(properties ?? {})) {
    if (value === null || value === undefined || (value === false && name !== "checked")) continue;
    if (name === "key" || name === "fixed") made[name] = value;
    else if (name === "style") restyle(made, value);
    else if (name.startsWith("on") || name === "value" || name === "checked") made.given[name] = value;
    else made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...wanted(children));
  Object.assign(made, made.given);
  return made;
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
    const kept = old ? become(old, child) : child;
    if (kept === place) place = place.nextSibling;
    else parent.insertBefore(kept, place);
  }
  for (const left of [...before.values()].flat()) left.remove();
}

function nameOf(node) {
  return `${node.nodeName} ${node.key ?? (node.classList?.[0] || "")}`;
}

function become(old, fresh) {
  if (old.nodeType !== Node.ELEMENT_NODE) {
    if (old.data !== fresh.data) old.data = fresh.data;
    return old;
  }
  for (const { name } of [...old.attributes]) {
    if (!fresh.hasAttribute(name) && name !== "open" && name !== "style") old.removeAttribute(name);
  }
  for (const { name, value } of fresh.attributes) {
    if (name !== "style" && old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
  restyle(old, fresh.styled ?? {});
  if (!fresh.fixed) fill(old, ...fresh.childNodes);
  const { given = {} } = fresh;
  for (const name of Object.keys(old.given ?? {})) if (name.startsWith("on") && !(name in given)) old[name] = null;
  for (const [name, value] of Object.entries(given)) if (old[name] !== value) old[name] = value;
  old.given = given;
  return old;
}

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
