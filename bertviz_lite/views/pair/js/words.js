// The words of both texts and what each adds to the answer. Pure functions.

import { say } from "../language/say.js";

/** Names of the two texts, by segment. */
export const PARTS = ["A", "B"];

/** What a word adds to; `adds` has a column for each. */
export const MEASURES = ["probability", "log-odds"];

/** What it is counted in. @param {number} column of `adds` */
export const unitOf = (column) => (column === 0 ? say("points") : say("measure_log_odds"));

/** Probabilities from which to which the answer is undecided, as in verdicts.py. */
const UNDECIDED = [0.3, 0.7];

/**
 * The answer: a probability near a half is none.
 * @param {number} probability that B continues A
 * @returns {"yes" | "no" | "undecided"}
 */
export function answerTo(probability) {
  if (probability >= UNDECIDED[0] && probability <= UNDECIDED[1]) return "undecided";
  return probability > 0.5 ? "yes" : "no";
}

/** What an answer is called. @param {"yes" | "no" | "undecided"} answer */
export function answerName(answer) {
  if (answer === "undecided") return say("verdict_undecided");
  return say(answer === "yes" ? "verdict_yes" : "verdict_no");
}

/**
 * @typedef {object} PairWord
 * @property {string} text
 * @property {number} segment 0 is A, 1 is B
 * @property {number} pieces
 * @property {boolean} isMask whether it is hidden already
 * @property {number} probability of "B continues A" once the word is hidden
 * @property {number} logOdds the same as log-odds
 * @property {[number, number]} adds by how much either falls when the word is hidden
 */

/**
 * @param {{facts: any, numbers: Float32Array}} found
 * @returns {PairWord[]}
 */
export function readWords({ facts, numbers }) {
  const size = facts.words.length;
  return facts.words.map(
    (/** @type {[string, number, number, number]} */ [text, segment, pieces, isMask], /** @type {number} */ i) => ({
      text,
      segment,
      pieces,
      isMask: isMask === 1,
      probability: numbers[i],
      logOdds: numbers[size + i],
      adds: [facts.probability - numbers[i], facts.log_odds - numbers[size + i]],
    }),
  );
}

/**
 * Where words stand in their text. They come in its order, so each is looked for behind the one before.
 * @param {string} text
 * @param {string[]} words
 * @returns {{start: number, end: number}[]}
 */
export function findWords(text, words) {
  let from = 0;
  return words.map((word) => {
    const start = text.indexOf(word, from);
    from = start + word.length;
    return { start, end: from };
  });
}

/**
 * A text with one word hidden: as many masks as it had pieces, so that all else keeps its place.
 * @param {string} text
 * @param {{start: number, end: number}} place
 * @param {number} pieces
 * @param {string} mask
 * @returns {string}
 */
export function hideWord(text, { start, end }, pieces, mask) {
  return text.slice(0, start) + Array(pieces).fill(mask).join(" ") + text.slice(end);
}

/**
 * Words in the order of what they carry, the most first.
 * @param {PairWord[]} words
 * @param {number} column of `adds`
 * @returns {number[]} their numbers
 */
export function byStrength(words, column) {
  return words.map((_, i) => i).sort((a, b) => Math.abs(words[b].adds[column]) - Math.abs(words[a].adds[column]));
}

/**
 * What a word adds, with its sign: in points of probability, or in log-odds.
 * @param {number} value
 * @param {number} column of `adds`
 * @returns {string}
 */
export function formatAdds(value, column) {
  const size = Math.abs(value) * (column === 0 ? 100 : 1);
  const text = size.toFixed(column === 0 && size >= 1 ? 1 : 2);
  return Number(text) === 0 ? text : `${value < 0 ? "−" : "+"}${text}`;
}

/**
 * All numbers, to take away: the pair as it is, then each word.
 * @param {PairWord[]} words
 * @param {{probability: number, log_odds: number}} facts
 * @returns {(string | number)[][]}
 */
export function numbersOf(words, facts) {
  const short = (/** @type {number} */ number) => Number(number.toPrecision(7));
  return [
    ["hidden_word", "text", "probability", "log_odds", "adds_probability", "adds_log_odds"],
    ["", "", short(facts.probability), short(facts.log_odds), 0, 0],
    ...words.map(({ text, segment, probability, logOdds, adds }) => [
      ...[text, PARTS[segment]],
      ...[probability, logOdds, ...adds].map(short),
    ]),
  ];
}
