// WordPiece: a word as the longest piece that the vocabulary has, then the longest for what is left, and so on.

/**
 * @typedef {object} WordPiece
 * @property {Map<string, number>} vocab
 * @property {string} unk_token
 * @property {string} continuing_subword_prefix "##"
 * @property {number} max_input_chars_per_word
 */

/**
 * The ids of a word's pieces; that of [UNK] for the whole word if any part of it cannot be spelled.
 * @param {string} word
 * @param {WordPiece} pieces
 * @returns {number[]}
 */
export function cutPieces(word, { vocab, unk_token, continuing_subword_prefix, max_input_chars_per_word }) {
  const unknown = [/** @type {number} */ (vocab.get(unk_token))];
  const letters = [...word];
  if (letters.length > max_input_chars_per_word) return unknown;
  const ids = [];
  for (let start = 0; start < letters.length; ) {
    const prefix = start ? continuing_subword_prefix : "";
    let stop = letters.length;
    while (stop > start && !vocab.has(prefix + letters.slice(start, stop).join(""))) stop -= 1;
    if (stop === start) return unknown;
    ids.push(/** @type {number} */ (vocab.get(prefix + letters.slice(start, stop).join(""))));
    start = stop;
  }
  return ids;
}
