// Words and masks of a sentence, as far as the page must know them. Pure functions.

/**
 * Words, punctuation marks and masks of a text, as BERT's tokenizer cuts a text before it cuts words into pieces.
 * @param {string} text
 * @param {string} mask such as "[MASK]"
 * @returns {{text: string, start: number, end: number, isMask: boolean}[]}
 */
export function wordsOf(text, mask) {
  const words = [];
  const pieces = text.split(mask);
  let start = 0;
  for (const [number, piece] of pieces.entries()) {
    for (const match of piece.matchAll(/\p{Script=Han}|(?:(?!\p{Script=Han})[\p{L}\p{M}\p{N}])+|[^\s]/gu)) {
      const at = start + match.index;
      words.push({ text: match[0], start: at, end: at + match[0].length, isMask: false });
    }
    start += piece.length;
    if (number < pieces.length - 1) words.push({ text: mask, start, end: start + mask.length, isMask: true });
    start += mask.length;
  }
  return words;
}

/** A punctuation mark as an answer is quoted: “. 99.1 %” would be read as a number. @param {string} word */
export const quoted = (word) => (/^[^\p{L}\p{M}\p{N}]+$/u.test(word) ? `“${word}”` : word);

/** Marks that end a sentence. */
const ENDS = [".", "!", "?", "。", "！", "？"];

/**
 * Where the mask is the last thing of a text and an end mark is expected there, the sentence lacks its end.
 * @param {string} text
 * @param {string} mask
 * @param {string} guess what is likeliest at the last mask
 * @returns {string | null} the text with that mark at its end
 */
export const endedWith = (text, mask, guess) =>
  text.trimEnd().endsWith(mask) && ENDS.includes(guess) ? text.trimEnd() + guess : null;

/**
 * Put a mask into a text: in place of what is selected, or of the word that the caret stands in, else at the caret.
 * @param {string} text
 * @param {number} start of the selection
 * @param {number} end
 * @param {string} mask
 * @returns {{text: string, caret: number}}
 */
export function insertMask(text, start, end, mask) {
  if (start === end) {
    const word = wordsOf(text, mask).find((each) => each.start < start && start < each.end);
    if (word?.isMask) return { text, caret: word.end };
    if (word) [start, end] = [word.start, word.end];
  }
  const before = text.slice(0, start);
  const after = text.slice(end);
  const left = /\S$/u.test(before) ? " " : "";
  const right = /^[\p{L}\p{N}[]/u.test(after) ? " " : "";
  return { text: before + left + mask + right + after, caret: (before + left + mask).length };
}
