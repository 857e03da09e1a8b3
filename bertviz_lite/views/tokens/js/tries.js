// The looks into the vocabulary that cut a word, and what came of them, in words. Pure functions.

import { say } from "../language/say.js";

/**
 * @typedef {object} Word
 * @property {string} text as it was searched
 * @property {string} typed as it stands in the text
 * @property {number} segment
 * @property {[number, number]} tokens its first token and the one after its last
 * @property {boolean} searched false if the tokenizer took it out whole
 * @property {[number, number][]} spans start and stop of each piece that was found, in characters
 * @property {number | null} failed_at from where on nothing fitted
 * @property {boolean} too_long
 */

/**
 * @typedef {object} Token
 * @property {string} text
 * @property {number} id
 * @property {number} segment
 * @property {number | null} word
 */

/** @typedef {{start: number, stop: number, found: boolean}} Try one look into the vocabulary */

/**
 * Every look into the vocabulary that cut a word, in order: the longest candidate first, then one character less.
 * @param {Pick<Word, "text" | "spans" | "failed_at">} word
 * @returns {Try[]}
 */
export function triesOf(word) {
  const size = [...word.text].length;
  /** @type {Try[]} */
  const tries = [];
  for (const [start, end] of word.spans) {
    for (let stop = size; stop >= end; stop -= 1) tries.push({ start, stop, found: stop === end });
  }
  if (word.failed_at !== null) {
    for (let stop = size; stop > word.failed_at; stop -= 1) tries.push({ start: word.failed_at, stop, found: false });
  }
  return tries;
}

/**
 * A part of a word, by characters: those beyond 16 bits are one, as in Python.
 * @param {string} text
 * @param {number} start
 * @param {number} [stop]
 */
export function slice(text, start, stop) {
  return [...text].slice(start, stop).join("");
}

/**
 * A part of a word as the vocabulary writes it.
 * @param {string} text
 * @param {Try} look
 * @param {string} prefix of pieces that go on with a word
 */
export function pieceOf(text, look, prefix) {
  return (look.start > 0 ? prefix : "") + slice(text, look.start, look.stop);
}

/**
 * Text that can be seen: control characters as their pictures, a mark that would sit on nothing on a dotted circle.
 * @param {string} text
 */
export function visible(text) {
  const shown = text
    .replace(/[\u0000-\u001f]/g, (letter) => String.fromCharCode(0x2400 + letter.charCodeAt(0)))
    .replace(/[\u202a-\u202e\u2066-\u2069]/g, "\ufffd");
  return /^\p{M}/u.test(shown) ? `\u25cc${shown}` : shown;
}

/**
 * What became of a word, in a sentence.
 * @param {Word} word
 * @param {string[]} pieces its tokens
 * @param {number} looks
 */
export function outcome(word, pieces, looks) {
  if (!word.searched) return say("outcome_special");
  if (word.too_long) return say("outcome_long", { count: [...word.text].length, token: pieces[0] });
  if (word.failed_at !== null) {
    const rest = visible(slice(word.text, word.failed_at));
    return say("outcome_failed", { rest, token: pieces[0] });
  }
  return say("outcome", { count: pieces.length, looks });
}
