// Parts of the stage that may have to be scrolled: where there is more is marked, and the keyboard gets there.

// What is larger by a rounded pixel is not scrolled.
/** @param {HTMLElement} element */
export function scrollable(element) {
  const across = element.scrollWidth > element.clientWidth + 1;
  const down = element.scrollHeight > element.clientHeight + 1 && !element.matches(".in-row");
  element.style.overflow = across || down ? "" : "hidden";
  if (!across && !down) {
    element.removeAttribute("tabindex");
    delete element.dataset.more;
    return;
  }
  if (!element.querySelector('button:enabled:not([tabindex="-1"])')) element.tabIndex = 0;
  mark(element);
  element.onscroll = () => mark(element);
}

/** @param {HTMLElement} element */
function mark(element) {
  const across = element.scrollWidth > element.clientWidth + 1;
  const at = Math.abs(across ? element.scrollLeft : element.scrollTop); // below 0 where one reads from the right
  const end = across ? element.scrollWidth - element.clientWidth : element.scrollHeight - element.clientHeight;
  const sides = [at > 1 && "before", at < end - 1 && "after"].filter(Boolean);
  element.dataset.more = [across ? "across" : "down", ...sides].join(" ");
}
