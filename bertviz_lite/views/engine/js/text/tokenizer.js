// The tokenizer of a BERT: text → words → word pieces → ids with special tokens around them.

import { cutWords } from "./words.js";
import { cutPieces } from "./word_piece.js";
import { fillTemplate, keptLengths } from "./template.js";

/** @import { Normalizer } from "./normalizer.js" */
/** @import { Placed, Slot } from "./template.js" */
/** @import { Word } from "./words.js" */

/**
 * What a page holds of a tokenizer.
 * @typedef {object} TokenizerFacts
 * @property {string[]} vocab by id
 * @property {[string, number][]} added tokens that are taken whole where they are written in a text
 * @property {string} unk_token
 * @property {string} continuing_subword_prefix
 * @property {number} max_input_chars_per_word
 * @property {Normalizer} normalizer
 * @property {Slot[]} single
 * @property {Slot[]} pair
 */

/**
 * @typedef {object} TokenIds
 * @property {number[]} input_ids
 * @property {number[]} token_type_ids
 * @property {Placed[]} places which text each token is of
 * @property {Word[][]} words of each text
 * @property {number[][]} word_ids for each text the number of the word that each of its tokens belongs to
 */

export class Tokenizer {
  /** @param {TokenizerFacts} facts */
  constructor(facts) {
    this.facts = facts;
    this.added = new Map(facts.added);
    this.pieces = { ...facts, vocab: new Map(facts.vocab.map((token, id) => [token, id])) };
    /** @type {Map<number, string>} */
    this.names = new Map([
      ...facts.vocab.entries(),
      ...facts.added.map(([token, id]) => /** @type {const} */ ([id, token])),
    ]);
  }

  /**
   * The id of a token that is written exactly so, or null.
   * @param {string} token
   * @returns {number | null}
   */
  idOf(token) {
    return this.added.get(token) ?? this.pieces.vocab.get(token) ?? null;
  }

  /**
   * @param {string} text
   * @returns {{ids: number[], words: Word[], word_ids: number[]}}
   */
  cut(text) {
    const words = cutWords(text, this.facts.normalizer, this.added);
    const cuts = words.map(({ word, id }) => (id === null ? cutPieces(word, this.pieces) : [id]));
    return { ids: cuts.flat(), words, word_ids: cuts.flatMap((ids, number) => ids.map(() => number)) };
  }

  /**
   * @param {string} text
   * @param {string | null} [text_pair]
   * @param {number} [max_length] how many tokens there may be, special ones included
   * @returns {TokenIds}
   */
  encode(text, text_pair = null, max_length = Infinity) {
    const template = text_pair === null ? this.facts.single : this.facts.pair;
    const cuts = (text_pair === null ? [text] : [text, text_pair]).map((part) => this.cut(part));
    const around = template.filter((slot) => slot.text === undefined).length;
    const kept = keptLengths(
      cuts.map(({ ids }) => ids.length),
      max_length - around,
    );
    const places = fillTemplate(
      template,
      cuts.map(({ ids }, number) => ids.slice(0, kept[number])),
    );
    return {
      input_ids: places.map(({ id }) => id),
      token_type_ids: places.map(({ type_id }) => type_id),
      places,
      words: cuts.map(({ words }) => words),
      word_ids: cuts.map(({ word_ids }) => word_ids),
    };
  }
}
