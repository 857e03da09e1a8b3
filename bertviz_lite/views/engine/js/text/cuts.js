// How one or two texts are cut: words as they are typed, the search that cut each, tokens, and what was normalised.

import { isSpace } from "./character_sets.js";
import { normalForm } from "./normalizer.js";
import { idsOf, searchPieces } from "./word_piece.js";

/** @import { Tokenizer } from "./tokenizer.js" */

/**
 * @typedef {object} CutWord
 * @property {string} text as it was searched
 * @property {string} typed
 * @property {number} segment
 * @property {[number, number]} tokens its first token and the one after its last
 * @property {boolean} searched false if the tokenizer took it out whole
 * @property {[number, number][]} spans of the pieces that were found, in characters
 * @property {number | null} failed_at
 * @property {boolean} too_long
 */

/**
 * @typedef {object} CutToken
 * @property {string} text
 * @property {number} id
 * @property {number} segment
 * @property {number | null} word
 */

/**
 * A character that normalisation does not leave as it is.
 * @typedef {object} CutChange
 * @property {number} segment
 * @property {number} at counted in characters
 * @property {string} character
 * @property {string} becomes
 */

/** @typedef {{texts: string[], words: CutWord[], tokens: CutToken[], changes: CutChange[]}} TextCut */

/**
 * @param {Tokenizer} tokenizer
 * @param {string} text may be empty
 * @param {string | null} text_pair
 * @returns {TextCut}
 */
export function cutTexts(tokenizer, text, text_pair) {
  const texts = text_pair === null ? [text] : [text, text_pair];
  const { input_ids, token_type_ids, places, words, word_ids } = tokenizer.encode(text, text_pair);
  const tokens = input_ids.map((id, place) => {
    const name = tokenizer.names.get(id) ?? `[id ${id}]`;
    return { text: name, id, segment: token_type_ids[place], word: /** @type {number | null} */ (null) };
  });
  /** @type {CutWord[]} */
  const cut = [];
  let last = "";
  for (const [place, { text: of, index }] of places.entries()) {
    const now = of === null ? "" : `${of}/${word_ids[of][index]}`;
    if (of !== null && now !== last) {
      const { start, stop } = words[of][word_ids[of][index]];
      cut.push(cutWord(tokenizer, typedFrom(tokenizer, texts[of], start, stop), token_type_ids[place], place));
    }
    last = now;
    if (of === null) continue;
    tokens[place].word = cut.length - 1;
    cut[cut.length - 1].tokens[1] = place + 1;
  }
  return {
    texts,
    words: cut.map((word) => asTaken(tokenizer, word, input_ids)),
    tokens,
    changes: changesOf(tokenizer, texts),
  };
}

/**
 * The characters of a word, with those behind it that normalisation drops, such as accents.
 * @param {Tokenizer} tokenizer
 * @param {string} text
 * @param {number} start
 * @param {number} stop
 */
function typedFrom({ facts }, text, start, stop) {
  let end = stop;
  for (const letter of text.slice(stop)) {
    if (normalForm(letter, facts.normalizer) !== "") break;
    end += letter.length;
  }
  return text.slice(start, end);
}

/**
 * @param {Tokenizer} tokenizer
 * @param {string} typed
 * @param {number} segment
 * @param {number} place of its first token
 * @returns {CutWord}
 */
function cutWord({ facts, pieces }, typed, segment, place) {
  const letters = [...typed].flatMap((letter) => [...normalForm(letter, facts.normalizer)]);
  while (letters.length > 0 && isSpace(letters[0])) letters.shift();
  while (letters.length > 0 && isSpace(letters[letters.length - 1])) letters.pop();
  const text = letters.join("");
  const { spans, failed_at, too_long } = searchPieces(text, pieces);
  return { text, typed, segment, tokens: [place, place + 1], searched: true, spans, failed_at, too_long };
}

/**
 * A word as the tokenizer took it: a special token that is written in the text is not searched.
 * @param {Tokenizer} tokenizer
 * @param {CutWord} word
 * @param {number[]} input_ids
 * @returns {CutWord}
 */
function asTaken({ pieces }, word, input_ids) {
  const searched = idsOf(searchPieces(word.text, pieces), pieces);
  if (String(searched) === String(input_ids.slice(...word.tokens))) return word;
  return { ...word, text: word.typed, searched: false, spans: [], failed_at: null, too_long: false };
}

/**
 * @param {Tokenizer} tokenizer
 * @param {string[]} texts
 * @returns {CutChange[]}
 */
const changesOf = ({ facts }, texts) =>
  texts.flatMap((text, segment) =>
    [...text].flatMap((character, at) => {
      const becomes = normalForm(character, facts.normalizer);
      return becomes === character ? [] : [{ segment, at, character, becomes }];
    }),
  );
