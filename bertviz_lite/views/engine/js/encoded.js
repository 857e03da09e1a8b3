// A text as the model reads it: tokens with their segments, words and special places, as Python's Encoded and Tokens.

import { Refusal, quotedToken } from "./refusals.js";

/** @import { Unpacked } from "./packed.js" */
/** @import { TokenIds } from "./text/tokenizer.js" */

/**
 * @typedef {object} Tokens
 * @property {string[]} tokens
 * @property {number[]} input_ids
 * @property {number[]} segments 0 for text A, 1 for text B
 * @property {boolean[]} special put around the text, as [CLS]; [MASK] is not
 * @property {boolean[]} attention_mask nothing is padded here: all true
 * @property {number[]} words the word that a token belongs to, from 0; -1 for special tokens
 */

/**
 * @typedef {object} TextWord
 * @property {string} text as it is written
 * @property {number} start its word pieces are the tokens start … stop - 1
 * @property {number} stop
 * @property {number} segment
 */

/**
 * @typedef {object} Encoded
 * @property {Tokens} tokens
 * @property {TextWord[]} words
 */

/**
 * @param {Unpacked} model
 * @param {string} text
 * @param {string | null} text_pair
 * @returns {Encoded}
 */
export function encodeTexts(model, text, text_pair) {
  checkText("text", text);
  if (text_pair !== null) checkText("text_pair", text_pair);
  const read = model.tokenizer.encode(text, text_pair);
  const special = read.places.map(({ text: of, id }) => of === null || model.header.boundary_ids.includes(id));
  if (special.every(Boolean)) {
    throw new Refusal("text is as good as empty: the tokenizer gives nothing but special tokens.");
  }
  const { input_ids } = read;
  const segments = read.token_type_ids.map((type) => Math.min(type, 1));
  const rule = read.places.map(({ text: of, index }) => (of === null ? -1 : read.word_ids[of][index]));
  const tokens = {
    tokens: namesOf(model, input_ids),
    input_ids,
    segments,
    special,
    attention_mask: input_ids.map(() => true),
    words: wordNumbers(special, segments, rule),
  };
  return { tokens, words: textWords(read, text_pair === null ? [text] : [text, text_pair]) };
}

/**
 * Tokens by id; a model may have more ids than its tokenizer has tokens.
 * @param {Unpacked} model
 * @param {number[]} input_ids
 */
export const namesOf = ({ tokenizer }, input_ids) =>
  input_ids.map((number) => tokenizer.names.get(number) ?? `[id ${number}]`);

/**
 * Other tokens in some places; words stay as they are, but for places that were or become special.
 * @param {Unpacked} model
 * @param {Tokens} tokens
 * @param {Record<number, string>} edits position → token
 * @returns {Tokens}
 */
export function editTokens(model, tokens, edits) {
  const [input_ids, special] = [[...tokens.input_ids], [...tokens.special]];
  for (const [key, token] of Object.entries(edits)) {
    const position = Number(key);
    if (!Number.isInteger(position) || position < 0 || position >= input_ids.length) {
      throw new Refusal(
        `edits: position ${key} does not exist: there are ${input_ids.length} tokens, ` +
          `numbered 0 to ${input_ids.length - 1}.`,
      );
    }
    input_ids[position] = tokenId(model, token);
    special[position] = model.header.boundary_ids.includes(input_ids[position]);
  }
  const words = wordNumbers(special, tokens.segments, tokens.words);
  return { ...tokens, tokens: namesOf(model, input_ids), input_ids, special, words };
}

/**
 * The id of one token, as it stands or as the tokenizer reads it ("Dog" may be "dog").
 * @param {Unpacked} model
 * @param {string} token
 */
function tokenId(model, token) {
  const { unk_token } = model.tokenizer.facts;
  const unknown = model.tokenizer.idOf(unk_token);
  const whole = model.tokenizer.idOf(token);
  if (whole !== null && (whole !== unknown || token === unk_token)) return whole;
  const { ids } = model.tokenizer.cut(token);
  if (ids.every((id) => id === unknown)) {
    throw new Refusal(`${quotedToken(token)} is not in the vocabulary, nor are parts of it. Give another.`);
  }
  if (ids.length === 1) return ids[0];
  const parts = namesOf(model, ids.slice(0, 8)).map(quotedToken).join(", ");
  throw new Refusal(
    `${quotedToken(token)} is not one token of the vocabulary: it falls into ${parts}${ids.length > 8 ? ", …" : ""}. ` +
      "Give one of these, or another word.",
  );
}

/**
 * Words counted through: one begins after a special token, in another text, and where the tokenizer begins one.
 * @param {boolean[]} special
 * @param {number[]} segments
 * @param {number[]} rule for each token the number of its word, in whatever count
 */
function wordNumbers(special, segments, rule) {
  let number = -1;
  return rule.map((word, position) => {
    if (special[position]) return -1;
    const before = position - 1;
    const goesOn = before >= 0 && !special[before] && segments[before] === segments[position] && rule[before] === word;
    number += goesOn ? 0 : 1;
    return number;
  });
}

/**
 * @param {TokenIds} read
 * @param {string[]} texts
 * @returns {TextWord[]}
 */
function textWords({ places, words, word_ids }, texts) {
  /** @type {TextWord[]} */
  const found = [];
  let last = "";
  for (const [position, { text, index }] of places.entries()) {
    const now = text === null ? "" : `${text}/${word_ids[text][index]}`;
    if (text !== null && now === last) {
      found[found.length - 1].stop = position + 1;
    } else if (text !== null) {
      const { start, stop } = words[text][word_ids[text][index]];
      found.push({ text: texts[text].slice(start, stop), start: position, stop: position + 1, segment: text });
    }
    last = now;
  }
  return found;
}

/**
 * @param {string} name
 * @param {string} text
 */
function checkText(name, text) {
  if (
    !text
      .replace(/[\x1c-\x1f\x85]/g, " ")
      .replaceAll("\ufeff", "x")
      .trim()
  ) {
    throw new Refusal(`${name} is empty: there is nothing to attend to.`);
  }
  const half = [...text].findIndex((letter) => /^[\ud800-\udfff]$/.test(letter));
  if (half >= 0) {
    throw new Refusal(`${name} holds half a character (a lone surrogate) at position ${half}: take it out.`);
  }
}
