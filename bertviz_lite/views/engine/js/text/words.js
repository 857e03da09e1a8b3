// A text cut into words: at white space, around punctuation, and around tokens such as "[MASK]" that are written in it.

import { isPunctuation, isSpace } from "./character_sets.js";
import { normalize } from "./normalizer.js";

/** @import { Letter, Normalizer } from "./normalizer.js" */

/**
 * A word, normalised, and where in the text it stands; a token written in the text is one with its id.
 * @typedef {object} Word
 * @property {string} word
 * @property {number} start
 * @property {number} stop
 * @property {number | null} id
 */

/**
 * @param {string} text
 * @param {Normalizer} rules
 * @param {Map<string, number>} added tokens that are taken whole where they are written in a text
 * @returns {Word[]}
 */
export function cutWords(text, rules, added) {
  const words = [];
  let start = 0;
  for (const found of text.matchAll(patternOf([...added.keys()]))) {
    words.push(...plainWords(normalize(text.slice(start, found.index), start, rules)));
    const [word] = found;
    start = found.index + word.length;
    words.push({ word, start: found.index, stop: start, id: added.get(word) ?? null });
  }
  return [...words, ...plainWords(normalize(text.slice(start), start, rules))];
}

/**
 * Any of some strings, the longest that fits.
 * @param {string[]} strings
 */
function patternOf(strings) {
  const longestFirst = [...strings].sort((a, b) => b.length - a.length);
  const parts = longestFirst.map((string) => string.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  return new RegExp(parts.join("|") || "(?!)", "gu");
}

/**
 * @param {Letter[]} letters
 * @returns {Word[]}
 */
function plainWords(letters) {
  /** @type {Word[]} */
  const words = [];
  let inside = false;
  for (const { letter, start, stop } of letters) {
    const alone = isPunctuation(letter);
    if (isSpace(letter)) {
      inside = false;
    } else if (inside && !alone) {
      const word = words[words.length - 1];
      word.word += letter;
      word.stop = stop;
    } else {
      words.push({ word: letter, start, stop, id: null });
      inside = !alone;
    }
  }
  return words;
}
