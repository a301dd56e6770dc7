// YAML as long as it is no deeper than rule files may be: beyond that a parser takes minutes, or all of the stack.

import { yamlLanguage } from "@codemirror/lang-yaml";
import { Language, LanguageSupport } from "@codemirror/language";
import { NodeType, Parser, Tree } from "@lezer/common";

/** @import { Input, TreeFragment } from "@lezer/common" */

// Rule files have 40 levels at most.
const DEEPEST = 60;
const MOST_BLANKS = 200;
const NOTHING = NodeType.define({ id: 0, name: "TooDeep", top: true });

// Whether brackets, items or lines stand too deep, roughly: a line that begins at the edge begins anew.
/** @param {string} text */
export function tooDeep(text) {
  let [depth, inside, blanks] = [0, 0, 0];
  let start = true;
  for (let at = 0; at < text.length; at++) {
    const sign = text.charCodeAt(at);
    if (sign === 10) {
      [inside, blanks] = [0, 0];
      start = true;
      continue;
    }
    if (start) {
      if (sign === 32) {
        if (++blanks > MOST_BLANKS) return true;
        continue;
      }
      if ((sign === 45 || sign === 58 || sign === 63) && text.charCodeAt(at + 1) === 32) {
        // - : ?
        if (++inside > DEEPEST) return true;
        continue;
      }
      start = false;
      if (!blanks && !inside && sign !== 91 && sign !== 93 && sign !== 123 && sign !== 125) depth = 0;
    }
    if (sign === 44) inside = 0;
    else if ((sign === 58 || sign === 63) && text.charCodeAt(at + 1) === 32 && ++inside > DEEPEST) return true;
    if (sign === 91 || sign === 123) {
      inside = 0;
      if (++depth > DEEPEST) return true;
    } else if ((sign === 93 || sign === 125) && depth) depth--;
  }
  return false;
}

class Bounded extends Parser {
  /** @param {Input} input @param {readonly TreeFragment[]} fragments @param {readonly { from: number, to: number }[]} ranges */
  createParse(input, fragments, ranges) {
    if (!tooDeep(input.read(0, input.length))) return yamlLanguage.parser.startParse(input, fragments, ranges);
    const { to } = ranges[ranges.length - 1];
    return {
      parsedPos: to,
      stoppedAt: null,
      stopAt: () => {},
      advance: () => new Tree(NOTHING, [], [], to - ranges[0].from),
    };
  }
}

export const boundedYaml = () => new LanguageSupport(new Language(yamlLanguage.data, new Bounded(), [], "yaml"));
