// What stands along an axis: tokens or whole words, written for reading. Pure functions.

// What draws nothing or turns others round. Joiners stay: emoji and some scripts are written with them.
const MARKS = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/gu;

const JOINERS = /^[\u200c\u200d\ufe00-\ufe0f]+$/u;

/** @param {string} letter a character that draws nothing, or moves others */
function mark(letter) {
  const code = letter.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === 0x7f ? "␡" : `⟨${code.toString(16).toUpperCase().padStart(4, "0")}⟩`;
}

/**
 * A token for reading: what is invisible made visible, what is long cut. Never markup: it goes into text nodes and
 * canvases.
 * @param {string} token
 * @param {number} [most] characters
 * @returns {string}
 */
export function readable(token, most = 24) {
  const letters = [...token.slice(0, 2 * most + 2)];
  const cut = letters.length > most || token.length > 2 * most + 2;
  const text = (cut ? [...letters.slice(0, most - 1), "…"] : letters).join("").replace(MARKS, mark);
  if (text === "" || JOINERS.test(text)) return "∅";
  return text.trim() === text ? text : text.replace(/^\s+|\s+$/gu, (blanks) => "␣".repeat(blanks.length));
}

/**
 * A word from its pieces, without the marks by which tokenizers say that a piece goes on or begins a word.
 * @param {string[]} pieces
 * @returns {string}
 */
export function wordOf(pieces) {
  if (pieces.length === 1) return pieces[0].replace(/^[Ġ▁](?=.)/u, "");
  return pieces.map((piece) => piece.replace(/^(##|[Ġ▁])/u, "").replace(/<\/w>$|@@$/u, "")).join("");
}

/**
 * @typedef {object} TokenList one axis, as Python sends it
 * @property {string[]} tokens
 * @property {number[]} segments
 * @property {number[]} special
 * @property {number[]} padding
 * @property {number[]} words
 */

/**
 * @typedef {object} Axis what stands along one side: pieces, or words
 * @property {number} size
 * @property {string[]} labels for reading
 * @property {string[]} tokens as they are
 * @property {number[]} starts where each begins among the pieces; one more than size
 * @property {boolean[]} special
 * @property {boolean[]} padding
 * @property {number[]} segments
 * @property {boolean} merged whether any of them has more than one piece
 */

/**
 * One axis. As words, neighbouring pieces of one word are one; special tokens and padding stay alone.
 * @param {TokenList} list
 * @param {boolean} words
 * @returns {Axis}
 */
export function makeAxis(list, words) {
  const { tokens } = list;
  /** @type {number[]} */
  const starts = [];
  for (let i = 0; i < tokens.length; i += 1) {
    const word = list.words[i];
    const same = words && i > 0 && word >= 0 && word === list.words[i - 1];
    if (!same) starts.push(i);
  }
  const names = starts.map((start, g) =>
    words && list.words[start] >= 0 ? wordOf(tokens.slice(start, starts[g + 1])) : tokens[start],
  );
  return {
    size: starts.length,
    labels: names.map((name) => readable(name)),
    tokens: names,
    starts: [...starts, tokens.length],
    special: starts.map((i) => Boolean(list.special[i])),
    padding: starts.map((i) => Boolean(list.padding[i])),
    segments: starts.map((i) => list.segments[i]),
    merged: starts.length < tokens.length,
  };
}

/**
 * @param {Axis} axis
 * @param {number} piece
 * @returns {number} the index on the axis that a piece belongs to
 */
export function groupOf(axis, piece) {
  let group = Math.min(piece, axis.size - 1);
  while (axis.starts[group] > piece) group -= 1;
  return group;
}

/** Of how many pieces a word is. @param {Axis} axis @param {number} i */
export function pieceCount(axis, i) {
  return axis.starts[i + 1] - axis.starts[i];
}

/** The first token that is not special, where keys begin. @param {Axis} axis */
export function firstToken(axis) {
  return Math.max(0, axis.special.indexOf(false));
}
