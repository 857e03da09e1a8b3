// Texts as Python checks and shows them (views/engine/texts.py, views/base/asking.py, basics/text.py).

import { Refusal, clip } from "../refusals.js";

/** @import { PageEngine } from "../client.js" */
/** @import { Encoded } from "../encoded.js" */

const MOST_LETTERS = 20_000;

/** What Python takes for space, which is a little more and a little less than JavaScript does. */
const SPACE = /[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/;

/**
 * The words of a text, as Python's `split()` gives them.
 * @param {string} text
 */
export const splitText = (text) => text.split(SPACE).filter(Boolean);

/**
 * A text that a tokenizer should be given.
 * @param {string} name what a reader calls it
 * @param {string} text
 */
export function checkText(name, text) {
  if (splitText(text).length === 0) throw new Refusal(`${name} is empty: type a sentence.`);
  const count = [...text].length;
  if (count > MOST_LETTERS) {
    throw new Refusal(
      `${name} has ${count.toLocaleString("en")} characters, at most ${MOST_LETTERS.toLocaleString("en")} are read: ` +
        "shorten it.",
    );
  }
  if (/\p{Cs}/u.test(text)) {
    throw new Refusal(`${name} holds half a character, which no tokenizer reads: write it again.`);
  }
}

/**
 * @param {PageEngine} engine
 * @param {Encoded} encoded
 * @param {string} name
 */
export function checkRoom({ facts }, encoded, name) {
  const count = encoded.tokens.tokens.length;
  if (facts.positions === null || count <= facts.positions) return;
  throw new Refusal(
    `${name} of ${count} tokens, [CLS] and [SEP] included: this model has ${facts.positions} positions, ` +
      `so shorten by ${count - facts.positions}.`,
  );
}

/**
 * Refuse a word that the vocabulary cannot spell, which would be read as [UNK].
 * @param {PageEngine} engine
 * @param {string} text
 */
export async function checkNoUnknown(engine, text) {
  const unknown = engine.facts.unknown_token;
  if (unknown === null) return;
  const isUnknown = (/** @type {string} */ token) => token === unknown;
  const tokens = await engine.tokenize(text);
  if (tokens.filter(isUnknown).length <= text.split(unknown).length - 1) return;
  let culprit = text;
  for (const word of splitText(text)) {
    if (word.includes(unknown) || !(await engine.tokenize(word)).some(isUnknown)) continue;
    culprit = word;
    break;
  }
  throw new Refusal(
    `“${clip(culprit, 30)}” cannot be spelled with this vocabulary, so the model reads ${unknown}: ` +
      "use another word.",
  );
}

/**
 * The words that the model reads as several word pieces, each once.
 * @param {Encoded} encoded
 */
export const wordsInPieces = ({ words }) => [
  ...new Set(words.filter(({ start, stop }) => stop - start > 1).map(({ text }) => readableText(text))),
];

/** Control characters that turn the letters around them. */
const TURNING = /[\u202a-\u202e\u2066-\u2069]/;

/**
 * A text with every control character as its picture, and what cannot be written as �.
 * @param {string} text
 */
export const readableText = (text) =>
  [...text]
    .map((letter) => {
      const code = /** @type {number} */ (letter.codePointAt(0));
      if (code < 0x20) return String.fromCodePoint(0x2400 + code);
      if (code === 0x7f) return "\u2421";
      return /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u.test(letter) || TURNING.test(letter) ? "\ufffd" : letter;
    })
    .join("");
