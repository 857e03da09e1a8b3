// Self-attention: every head compares queries with keys, and gathers values by the weights that this gives.

import { softmax } from "../arithmetic/functions.js";
import { linear, product } from "../arithmetic/linear.js";

/** @import { Multiplier } from "../arithmetic/products.js" */
/** @import { Steps } from "../arithmetic/steps.js" */
/** @import { Layer } from "./parts.js" */

/**
 * What a layer's attention did, head after head.
 * @typedef {object} Attention
 * @property {Float32Array} queries (num_heads, seq_len, head_size)
 * @property {Float32Array} keys (num_heads, seq_len, head_size)
 * @property {Float32Array} values (num_heads, seq_len, head_size)
 * @property {Float32Array} weights (num_heads, query, key): each row sums to 1
 */

/**
 * @param {Multiplier} multiplier
 * @param {Layer["self"]} self
 * @param {object} what
 * @param {Float32Array} what.hidden (seq_len, hidden_size)
 * @param {number} what.num_heads
 * @param {ReadonlySet<number>} what.off heads that give nothing; their weights are computed all the same
 * @param {(name: string, vectors: Float32Array) => void} watch is shown queries, keys, values: (seq_len, hidden_size)
 * @returns {Steps<{attention: Attention, context: Float32Array}>} context: (seq_len, hidden_size)
 */
export function* attend(multiplier, self, { hidden, num_heads, off }, watch) {
  const hidden_size = self.query.bias.length;
  const head_size = hidden_size / num_heads;
  const seq_len = hidden.length / hidden_size;
  /** @type {Float32Array[]} */
  const vectors = [];
  for (const name of /** @type {const} */ (["query", "key", "value"])) {
    const all = yield* linear(multiplier, hidden, self[name]);
    watch(name, all);
    vectors.push(byHead(all, num_heads, head_size));
  }
  const [queries, keys, values] = vectors;
  const weights = new Float32Array(num_heads * seq_len * seq_len);
  const context = new Float32Array(seq_len * hidden_size);
  for (let head = 0; head < num_heads; head += 1) {
    const of = (/** @type {Float32Array} */ all) => part(all, head, seq_len * head_size);
    const shares = yield* product(multiplier, of(queries), of(keys), head_size);
    for (let i = 0; i < shares.length; i += 1) shares[i] /= Math.sqrt(head_size);
    softmax(shares, seq_len);
    weights.set(shares, head * shares.length);
    yield;
    if (off.has(head)) continue; // its part of the context stays 0
    const gathered = yield* product(multiplier, shares, transposed(of(values), head_size), seq_len);
    for (let query = 0; query < seq_len; query += 1) {
      context.set(part(gathered, query, head_size), query * hidden_size + head * head_size);
    }
  }
  return { attention: { queries, keys, values, weights }, context };
}

/**
 * @param {Float32Array} values
 * @param {number} number
 * @param {number} size
 */
const part = (values, number, size) => values.subarray(number * size, (number + 1) * size);

/**
 * (seq_len, num_heads · head_size) becomes (num_heads, seq_len, head_size).
 * @param {Float32Array} vectors
 * @param {number} num_heads
 * @param {number} head_size
 */
function byHead(vectors, num_heads, head_size) {
  const out = new Float32Array(vectors.length);
  const seq_len = vectors.length / num_heads / head_size;
  for (let position = 0; position < seq_len; position += 1) {
    for (let head = 0; head < num_heads; head += 1) {
      const vector = part(vectors, position * num_heads + head, head_size);
      out.set(vector, (head * seq_len + position) * head_size);
    }
  }
  return out;
}

/**
 * @param {Float32Array} matrix
 * @param {number} width
 */
function transposed(matrix, width) {
  const height = matrix.length / width;
  const out = new Float32Array(matrix.length);
  for (let row = 0; row < height; row += 1) {
    for (let column = 0; column < width; column += 1) out[column * height + row] = matrix[row * width + column];
  }
  return out;
}
