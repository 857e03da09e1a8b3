// The encoder: layer after layer, attention, then for each token by itself up, bend, down; each adds to its input.

import { add, gelu, geluTanh, layerNorm } from "../arithmetic/functions.js";
import { linear } from "../arithmetic/linear.js";
import { attend } from "./attention.js";
import { embed } from "./embeddings.js";

/** @import { Multiplier } from "../arithmetic/products.js" */
/** @import { Steps } from "../arithmetic/steps.js" */
/** @import { Attention } from "./attention.js" */
/** @import { Config, Layer, Parts } from "./parts.js" */

/**
 * A model that can be run.
 * @typedef {object} Bert
 * @property {Config} config
 * @property {Parts} parts
 * @property {Multiplier} multiplier
 */

/**
 * What goes into the encoder: one text, nothing padded.
 * @typedef {object} Inputs
 * @property {number[]} input_ids
 * @property {number[]} token_type_ids
 * @property {[number, number][]} [heads_off] pairs (layer, head) that give nothing
 */

/**
 * @typedef {object} Encoding
 * @property {Float32Array[]} hidden_states after the embeddings and after every layer, (seq_len, hidden_size)
 * @property {Attention[]} attentions of every layer
 */

/**
 * The function between the two linear layers of a feed-forward part, and in the LM head.
 * @param {Config} config
 */
export const activation = ({ hidden_act }) => (hidden_act === "gelu" ? gelu : geluTanh);

/**
 * @param {Bert} bert
 * @param {Inputs} inputs
 * @returns {Steps<Encoding>}
 */
export function* encodeIds({ config, parts, multiplier }, { input_ids, token_type_ids, heads_off = [] }) {
  const hidden_states = [embed(parts.embeddings, input_ids, token_type_ids)];
  const attentions = [];
  for (const [number, layer] of parts.layers.entries()) {
    const off = new Set(heads_off.filter(([where]) => where === number).map(([, head]) => head));
    const hidden = hidden_states[number];
    const { attention, context } = yield* attend(multiplier, layer.self, hidden, config.num_attention_heads, off);
    const attended = yield* addAndNormalise(multiplier, layer.attention_output, context, hidden);
    hidden_states.push(yield* feedForward(multiplier, layer, attended, activation(config)));
    attentions.push(attention);
  }
  return { hidden_states, attentions };
}

/**
 * @param {Multiplier} multiplier
 * @param {Layer} layer
 * @param {Float32Array} attended
 * @param {(values: Float32Array) => void} bend
 * @returns {Steps<Float32Array>}
 */
function* feedForward(multiplier, layer, attended, bend) {
  const wide = yield* linear(multiplier, attended, layer.intermediate);
  bend(wide);
  yield;
  return yield* addAndNormalise(multiplier, layer.output, wide, attended);
}

/**
 * A linear layer whose result is added to what came before; then LayerNorm.
 * @param {Multiplier} multiplier
 * @param {Layer["output"]} output
 * @param {Float32Array} vectors
 * @param {Float32Array} before
 * @returns {Steps<Float32Array>}
 */
function* addAndNormalise(multiplier, { dense, LayerNorm }, vectors, before) {
  const sum = yield* linear(multiplier, vectors, dense);
  add(sum, before);
  layerNorm(sum, LayerNorm);
  return sum;
}
