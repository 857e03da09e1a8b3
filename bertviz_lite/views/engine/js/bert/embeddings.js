// Ids become vectors: word + position + segment, then LayerNorm.

import { add, layerNorm } from "../arithmetic/functions.js";

/** @import { Embeddings } from "./parts.js" */

/**
 * @param {Embeddings} embeddings
 * @param {ArrayLike<number>} input_ids
 * @param {ArrayLike<number>} token_type_ids
 * @returns {Float32Array} (seq_len, hidden_size)
 */
export function embed(embeddings, input_ids, token_type_ids) {
  const { word_embeddings, position_embeddings, token_type_embeddings } = lookUp(embeddings, input_ids, token_type_ids);
  add(word_embeddings, token_type_embeddings);
  add(word_embeddings, position_embeddings);
  layerNorm(word_embeddings, embeddings.LayerNorm);
  return word_embeddings;
}

/**
 * The rows of the three tables, one for each token.
 * @param {Embeddings} embeddings
 * @param {ArrayLike<number>} input_ids
 * @param {ArrayLike<number>} token_type_ids
 * @returns {Record<"word_embeddings" | "position_embeddings" | "token_type_embeddings", Float32Array>} each
 * (seq_len, hidden_size)
 */
export function lookUp(embeddings, input_ids, token_type_ids) {
  const { word_embeddings, position_embeddings, token_type_embeddings, LayerNorm } = embeddings;
  const size = LayerNorm.weight.length;
  const rows = (/** @type {Float32Array} */ table, /** @type {(position: number) => number} */ numberAt) => {
    const vectors = new Float32Array(input_ids.length * size);
    for (let position = 0; position < input_ids.length; position += 1) {
      const number = numberAt(position);
      vectors.set(table.subarray(number * size, (number + 1) * size), position * size);
    }
    return vectors;
  };
  return {
    word_embeddings: rows(word_embeddings, (position) => input_ids[position]),
    position_embeddings: rows(position_embeddings, (position) => position),
    token_type_embeddings: rows(token_type_embeddings, (position) => token_type_ids[position]),
  };
}
