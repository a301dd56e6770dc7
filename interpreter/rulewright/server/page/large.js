// Whether a board fills the window, to be looked at more closely.

/** @typedef {number | string | undefined} Asked */

let large = false;
/** @type {Asked} */
let question; // that is asked now
/** @type {Asked} */
let since; // the one that was asked when it was enlarged

export const isLarge = () => large;

/** @param {boolean} wanted */
export function setLarge(wanted) {
  large = wanted;
  since = question;
}

// What is asked next and answered elsewhere would lie below it.
/** @param {Asked} asked @param {boolean} here */
export function ask(asked, here) {
  question = asked;
  if (asked !== undefined && !here && asked !== since) large = false;
}

// Of a board that is as large as usual, whether a finger cannot tell its spaces apart: it aims through a lens.
const LEAST = 32; // px

const HEX = 0.75; // of its rectangle

/** @param {HTMLElement} space */
export const tooSmall = ({ offsetWidth: wide, offsetHeight: high, classList }) =>
  !large && Math.sqrt(wide * high * (classList.contains("six") ? HEX : 1)) < LEAST;
