// WordPiece: a word as the longest piece that the vocabulary has, then the longest for what is left, and so on.

/**
 * @typedef {object} WordPiece
 * @property {Map<string, number>} vocab
 * @property {string} unk_token
 * @property {string} continuing_subword_prefix "##"
 * @property {number} max_input_chars_per_word
 */

/**
 * How a word was searched.
 * @typedef {object} Search
 * @property {number[]} ids of the pieces that were found
 * @property {[number, number][]} spans start and stop of each, in characters
 * @property {number | null} failed_at from which character on nothing fitted
 * @property {boolean} too_long has more characters than are searched
 */

/**
 * @param {string} word
 * @param {WordPiece} pieces
 * @returns {Search}
 */
export function searchPieces(word, { vocab, continuing_subword_prefix, max_input_chars_per_word }) {
  const letters = [...word];
  /** @type {Search} */
  const search = { ids: [], spans: [], failed_at: null, too_long: letters.length > max_input_chars_per_word };
  if (search.too_long) return search;
  for (let start = 0; start < letters.length; ) {
    const prefix = start ? continuing_subword_prefix : "";
    let stop = letters.length;
    while (stop > start && !vocab.has(prefix + letters.slice(start, stop).join(""))) stop -= 1;
    if (stop === start) return { ...search, failed_at: start };
    search.ids.push(/** @type {number} */ (vocab.get(prefix + letters.slice(start, stop).join(""))));
    search.spans.push([start, stop]);
    start = stop;
  }
  return search;
}

/**
 * The ids that a searched word becomes: that of [UNK] for the whole word if any part of it cannot be spelled.
 * @param {Search} search
 * @param {WordPiece} pieces
 * @returns {number[]}
 */
export const idsOf = ({ ids, failed_at, too_long }, { vocab, unk_token }) =>
  too_long || failed_at !== null ? [/** @type {number} */ (vocab.get(unk_token))] : ids;

/**
 * @param {string} word
 * @param {WordPiece} pieces
 */
export const cutPieces = (word, pieces) => idsOf(searchPieces(word, pieces), pieces);
