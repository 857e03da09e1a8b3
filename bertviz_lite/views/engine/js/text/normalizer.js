// What happens to a text before it is cut into words: clean, set Chinese characters apart, strip accents, lower case.
// Left out: the order of several marks on one letter (they are stripped, or stay as they are written).

import { isChinese, isControl, isMark, isSpace, isYoung } from "./character_sets.js";

/**
 * As in tokenizer.json's "BertNormalizer".
 * @typedef {object} Normalizer
 * @property {boolean} clean_text
 * @property {boolean} handle_chinese_chars
 * @property {boolean} strip_accents
 * @property {boolean} lowercase
 */

/**
 * A character of the normalised text, and where in the text it comes from.
 * @typedef {object} Letter
 * @property {string} letter
 * @property {number} start
 * @property {number} stop
 */

/**
 * @param {string} text
 * @param {number} offset where the text starts in a longer one
 * @param {Normalizer} rules
 * @returns {Letter[]}
 */
export function normalize(text, offset, rules) {
  /** @type {Letter[]} */
  const letters = [];
  let start = offset;
  for (const letter of text) {
    const stop = start + letter.length;
    for (const written of normalForm(letter, rules)) letters.push({ letter: written, start, stop });
    start = stop;
  }
  return letters;
}

/**
 * What one character becomes: nothing, itself, or several.
 * @param {string} letter
 * @param {Normalizer} rules
 */
export function normalForm(letter, { clean_text, handle_chinese_chars, strip_accents, lowercase }) {
  if (clean_text && isControl(letter)) return "";
  if (clean_text && isSpace(letter)) return " ";
  let form = letter;
  if (strip_accents && letter > "\x7f") form = withoutMarks(letter);
  if (lowercase) form = [...form].map((part) => part.toLowerCase()).join("");
  return handle_chinese_chars && isChinese(letter) ? ` ${form} ` : form;
}

/** @param {string} letter */
function withoutMarks(letter) {
  const parts = isYoung(letter) ? letter : letter.normalize("NFD");
  return [...parts].filter((part) => !isMark(part)).join("");
}
