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
  const { word_embeddings, position_embeddings, token_type_embeddings, LayerNorm } = embeddings;
  const hidden_size = LayerNorm.weight.length;
  const row = (/** @type {Float32Array} */ table, /** @type {number} */ number) =>
    table.subarray(number * hidden_size, (number + 1) * hidden_size);
  const vectors = new Float32Array(input_ids.length * hidden_size);
  for (let position = 0; position < input_ids.length; position += 1) {
    const vector = row(vectors, position);
    vector.set(row(word_embeddings, input_ids[position]));
    add(vector, row(token_type_embeddings, token_type_ids[position]));
    add(vector, row(position_embeddings, position));
  }
  layerNorm(vectors, LayerNorm);
  return vectors;
}
