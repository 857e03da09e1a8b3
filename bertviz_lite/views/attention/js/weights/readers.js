// Readers: the weights of one query, of a head or of several, of tokens or of words. Pure functions.

import { WEIGHTS } from "./codes.js";

/** @import { Vector } from "../../../base/js/numbers.js" */
/** @import { Axis } from "./axis.js" */

/** @typedef {(query: number, out: Float32Array) => void} Reader writes the weights of one query into out */

/**
 * One head of a layer's codes (heads × queries × keys), or a block with a single map (head 0).
 * @param {Uint8Array} codes
 * @param {number} queries
 * @param {number} keys
 * @param {number} [head]
 * @returns {Reader}
 */
export function headReader(codes, queries, keys, head = 0) {
  return (query, out) => {
    const start = (head * queries + query) * keys;
    for (let key = 0; key < keys; key += 1) out[key] = WEIGHTS[codes[start + key]];
  };
}

/**
 * Mean or largest weight over the heads of a layer.
 * @param {Uint8Array} codes heads × queries × keys
 * @param {number} queries
 * @param {number} keys
 * @param {"mean" | "max"} how
 * @returns {Reader}
 */
export function headsReader(codes, queries, keys, how) {
  const size = queries * keys;
  const heads = codes.length / size;
  return (query, out) => {
    out.fill(0);
    for (let head = 0; head < heads; head += 1) {
      const start = head * size + query * keys;
      for (let key = 0; key < keys; key += 1) {
        const weight = WEIGHTS[codes[start + key]];
        if (how === "mean") out[key] += weight / heads;
        else if (weight > out[key]) out[key] = weight;
      }
    }
  };
}

/**
 * Merge pieces to words: the mean over the pieces of a query, the sum over the pieces of a key. A row that sums to one
 * still does.
 * @param {Reader} read of pieces
 * @param {Axis} rows
 * @param {Axis} columns
 * @returns {Reader} of words
 */
export function mergedReader(read, rows, columns) {
  if (!rows.merged && !columns.merged) return read;
  const pieces = new Float32Array(columns.starts[columns.size]);
  return (row, out) => {
    out.fill(0);
    const [from, to] = [rows.starts[row], rows.starts[row + 1]];
    for (let query = from; query < to; query += 1) {
      read(query, pieces);
      for (let column = 0; column < columns.size; column += 1) {
        let sum = 0;
        for (let key = columns.starts[column]; key < columns.starts[column + 1]; key += 1) sum += pieces[key];
        out[column] += sum / (to - from);
      }
    }
  };
}

/**
 * Entropy of a row in bits: 0 for one key, log2(n) for n equal ones. The row is taken as shares of its sum.
 * @param {Vector} row
 * @returns {number} NaN for an empty row
 */
export function entropy(row) {
  let [sum, logs] = [0, 0];
  for (let i = 0; i < row.length; i += 1) {
    if (!(row[i] > 0)) continue;
    sum += row[i];
    logs += row[i] * Math.log2(row[i]);
  }
  return sum > 0 ? Math.max(0, Math.log2(sum) - logs / sum) : NaN;
}
