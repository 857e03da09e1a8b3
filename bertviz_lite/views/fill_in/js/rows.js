// The words of every [MASK]: read from what Python sent, listed, and written for reading. Pure functions.

import { say } from "../language/say.js";

/**
 * @typedef {object} Row one word at one [MASK]
 * @property {string} word
 * @property {Float32Array} shares its probability after the embeddings and after every layer
 * @property {Float32Array} ranks 1 is the most probable word of the vocabulary
 */

/**
 * The words of every [MASK], from the numbers that Python sent.
 * @param {{facts: any, numbers: Float32Array}} found
 * @returns {Row[][]} for each [MASK], in Python's order
 */
export function readRows({ facts, numbers }) {
  const { layers } = facts;
  let start = 0;
  return facts.masks.map((/** @type {{words: string[]}} */ { words }) => {
    const at = (/** @type {number} */ row) => numbers.subarray(start + row * layers, start + (row + 1) * layers);
    const rows = words.map((word, i) => ({ word, shares: at(i), ranks: at(words.length + i) }));
    start += 2 * words.length * layers;
    return rows;
  });
}

/**
 * The rows that are listed: the k most probable words at a layer, then those that are followed.
 * @param {Row[]} rows
 * @param {number} layer
 * @param {number} k
 * @param {string[]} follow
 * @returns {Row[]}
 */
export function listed(rows, layer, k, follow) {
  const best = [...rows].sort((a, b) => b.shares[layer] - a.shares[layer]).slice(0, k);
  const rest = follow.map((word) => rows.find((row) => row.word === word));
  return [
    ...best,
    ...rest.filter((row) => row !== undefined && !best.includes(row)).map((row) => /** @type {Row} */ (row)),
  ];
}

/**
 * A probability for a table: with digits enough to compare the small ones.
 * @param {number} share
 * @returns {string}
 */
export function formatExact(share) {
  return share > 0 && share < 0.001 ? share.toExponential(2).replace("-", "−") : share.toFixed(4);
}

// The model's own names of its layers begin at 0, so after one layer it's read after layer 0: the count stands beside.
/** @param {number} passed layers so far @param {number} all */
export const placeName = (passed, all) =>
  passed === 0 ? say("no_layers") : say("some_layers", { layer: passed - 1, passed, all });

/** @param {number} passed layers so far */
export const columnName = (passed) => (passed === 0 ? say("embeddings") : say("after_layer", { layer: passed - 1 }));

/** What stands below the axis. @param {number} passed layers so far */
export const tickName = (passed) => (passed === 0 ? say("input") : String(passed - 1));

/**
 * All numbers, to take away.
 * @param {Row[][]} rows of every mask
 * @returns {(string | number)[][]}
 */
export const numbersOf = (rows) => [
  ["mask", "word", "layers_passed", "probability", "rank"],
  ...rows.flatMap((words, mask) =>
    words.flatMap(({ word, shares, ranks }) =>
      Array.from(shares, (share, at) => [mask, word, at, Number(share.toPrecision(7)), ranks[at]]),
    ),
  ),
];
