// All heads at a glance: small pictures, numbers about each head, aggregates over heads and layers, rollout. As
// Python's summarise, in steps.

import { WEIGHTS } from "../weights/codes.js";
import { encodeRows, encodeWeights, sumError } from "./encoding.js";

/** @import { Steps } from "../../../engine/js/arithmetic/steps.js" */

/** Rows and columns of a small picture, at most. */
const THUMB = 24;

/**
 * @typedef {object} Summary
 * @property {[number, number]} thumb rows and columns of a small picture
 * @property {Uint8Array} thumbs (layers, heads, rows, columns)
 * @property {Float32Array} stats (layers, heads, 4): entropy in bits, mean distance in tokens, share on special tokens,
 *   largest error of a row's sum as drawn
 * @property {Uint8Array} mean (seq_len, seq_len) over all layers and heads
 * @property {Uint8Array} max (seq_len, seq_len)
 * @property {Uint8Array[]} rollout (seq_len, seq_len) up to each layer
 * @property {number} error the largest difference between a weight and what is drawn for it
 */

/**
 * Go through the layers once.
 * @param {Float32Array[]} attentions of each layer, (num_heads, seq_len, seq_len)
 * @param {boolean[]} special
 * @returns {Steps<Summary>}
 */
export function* summarise(attentions, special) {
  const size = special.length;
  const area = size * size;
  const heads = attentions[0].length / area;
  const side = Math.min(THUMB, size);
  const summary = {
    thumb: /** @type {[number, number]} */ ([side, side]),
    thumbs: new Uint8Array(attentions.length * heads * side * side),
    stats: new Float32Array(attentions.length * heads * 4),
    rollout: /** @type {Uint8Array[]} */ ([]),
    error: 0,
  };
  const [total, most] = [new Float32Array(area), new Float32Array(area)];
  /** @type {Float32Array | null} */
  let below = null;
  for (const [layer, weights] of attentions.entries()) {
    const average = new Float32Array(area);
    for (let head = 0; head < heads; head += 1) {
      const map = weights.subarray(head * area, (head + 1) * area);
      const codes = encodeRows(map, size);
      const number = layer * heads + head;
      summary.thumbs.set(pool(codes, size, side), number * side * side);
      summary.stats.set(aboutHead(map, codes, special), number * 4);
      for (let i = 0; i < area; i += 1) {
        average[i] += map[i] / heads;
        most[i] = Math.max(most[i], map[i]);
        summary.error = Math.max(summary.error, Math.abs(WEIGHTS[codes[i]] - map[i]));
      }
      yield;
    }
    for (let i = 0; i < area; i += 1) total[i] += average[i] / attentions.length;
    below = yield* rollOut(average, below, size);
    summary.rollout.push(encodeRows(below, size));
  }
  return { ...summary, mean: encodeRows(total, size), max: encodeWeights(most) };
}

/**
 * The largest value of each block of a square: row r stands for the rows from r · size / side on.
 * @param {Uint8Array} values
 * @param {number} size
 * @param {number} side
 */
function pool(values, size, side) {
  const pooled = new Uint8Array(side * side);
  const block = Array.from({ length: size }, (_, i) => Math.ceil(((i + 1) * side) / size) - 1);
  for (let row = 0; row < size; row += 1) {
    for (let column = 0; column < size; column += 1) {
      const at = block[row] * side + block[column];
      pooled[at] = Math.max(pooled[at], values[row * size + column]);
    }
  }
  return pooled;
}

/**
 * The four numbers about a head.
 * @param {Float32Array} map
 * @param {Uint8Array} codes
 * @param {boolean[]} special
 */
function aboutHead(map, codes, special) {
  const size = special.length;
  let [entropy, distance, resting, rowError] = [0, 0, 0, 0];
  for (let query = 0; query < size; query += 1) {
    const row = map.subarray(query * size, (query + 1) * size);
    for (let key = 0; key < size; key += 1) {
      entropy -= row[key] * Math.log2(Math.max(row[key], 1e-30));
      distance += row[key] * Math.abs(query - key);
      if (special[key]) resting += row[key];
    }
    rowError = Math.max(rowError, Math.abs(sumError(codes.subarray(query * size, (query + 1) * size), row)));
  }
  return [entropy / size, distance / size, resting / size, rowError];
}

/**
 * Attention rollout up to a layer: (½ weights + ½ identity) · what is below, rows summing to one.
 * @param {Float32Array} average of the layer's heads
 * @param {Float32Array | null} below null at the first layer
 * @param {number} size
 * @returns {Steps<Float32Array>}
 */
function* rollOut(average, below, size) {
  const rolled = new Float32Array(size * size);
  for (let row = 0; row < size; row += 1) {
    const mixed = average.slice(row * size, (row + 1) * size).map((weight) => 0.5 * weight);
    mixed[row] += 0.5;
    const sum = mixed.reduce((a, b) => a + b, 0);
    const out = new Float64Array(size);
    for (let middle = 0; middle < size; middle += 1) {
      const share = mixed[middle] / sum;
      if (!below) out[middle] = share;
      else for (let key = 0; key < size; key += 1) out[key] += share * below[middle * size + key];
    }
    rolled.set(out, row * size);
    if (row % 16 === 15) yield;
  }
  return rolled;
}
