// One pair of tokens: why a query gives a key its weight. Pure functions.

import { dot } from "../../../base/js/numbers.js";

/** @import { Vector } from "../../../base/js/numbers.js" */

/**
 * @typedef {object} Why
 * @property {Float32Array} query (head_size,)
 * @property {Float32Array} key (head_size,)
 * @property {Float64Array} product by component
 * @property {number} sum of the products, q · k
 * @property {number} scaled
 * @property {number} bias
 * @property {Float64Array} scores of the whole row, scaled, with bias
 * @property {Float64Array} weights softmax of the scores
 */

/**
 * @param {Vector} scores
 * @returns {Float64Array} all zero if every score is −∞
 */
export function softmax(scores) {
  let top = -Infinity;
  for (let i = 0; i < scores.length; i += 1) top = Math.max(top, scores[i]);
  const weights = new Float64Array(scores.length);
  if (top === -Infinity) return weights;
  let sum = 0;
  for (let i = 0; i < scores.length; i += 1) {
    weights[i] = Math.exp(scores[i] - top);
    sum += weights[i];
  }
  return weights.map((weight) => weight / sum);
}

/**
 * Why a query gives a key its weight: softmax(scaling · q · kᵀ + bias), step by step, in float64.
 * @param {Float32Array} numbers queries (q × d), keys (k × d), and the bias (q × k) unless it is all zero
 * @param {{queries: number, keys: number, size: number, scaling: number}} shape
 * @param {number} query
 * @param {number} key
 * @returns {Why}
 */
export function explain(numbers, shape, query, key) {
  const { queries, keys, size, scaling } = shape;
  const at = (/** @type {number} */ row) => numbers.subarray(row * size, (row + 1) * size);
  const biases = numbers.subarray((queries + keys) * size);
  const q = at(query);
  const k = at(queries + key);
  const biasOf = (/** @type {number} */ other) => (biases.length > 0 ? biases[query * keys + other] : 0);
  const scores = Float64Array.from(
    { length: keys },
    (_, other) => scaling * dot(q, at(queries + other)) + biasOf(other),
  );
  const product = productOf(numbers, shape, query, key);
  const sum = dot(q, k);
  return { query: q, key: k, product, sum, scaled: scaling * sum, bias: biasOf(key), scores, weights: softmax(scores) };
}

/**
 * Query times key, component by component.
 * @param {Float32Array} numbers as explain takes them
 * @param {{queries: number, size: number}} shape
 * @param {number} query
 * @param {number} key
 * @returns {Float64Array}
 */
export function productOf(numbers, { queries, size }, query, key) {
  const [q, k] = [query * size, (queries + key) * size];
  return Float64Array.from({ length: size }, (_, i) => numbers[q + i] * numbers[k + i]);
}

/**
 * The weights of a query, from queries and keys: what explain works out, without the steps.
 * @param {Float32Array} numbers as explain takes them
 * @param {{queries: number, keys: number, size: number, scaling: number}} shape
 * @param {number} query
 * @returns {Float64Array}
 */
export function rowOfScores(numbers, { queries, keys, size, scaling }, query) {
  const q = numbers.subarray(query * size, (query + 1) * size);
  const biases = numbers.subarray((queries + keys) * size);
  const scores = Float64Array.from({ length: keys }, (_, key) => {
    const start = (queries + key) * size;
    return (
      scaling * dot(q, numbers.subarray(start, start + size)) + (biases.length > 0 ? biases[query * keys + key] : 0)
    );
  });
  return softmax(scores);
}

/**
 * The components that push a product up and down the most.
 * @param {Vector} product
 * @param {number} count of each
 * @returns {{up: number[], down: number[]}} indices, strongest first
 */
export function pushers(product, count) {
  const order = Array.from({ length: product.length }, (_, i) => i).sort((a, b) => product[b] - product[a]);
  return {
    up: order.filter((i) => product[i] > 0).slice(0, count),
    down: order
      .reverse()
      .filter((i) => product[i] < 0)
      .slice(0, count),
  };
}
