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
 * @property {(layer: number) => Watch} [watchOf] who is shown the steps inside a layer
 */

/**
 * Is shown what a layer computes, step by step: (seq_len, …), to be copied, since the next step may write over it.
 * @callback Watch
 * @param {string} name as Python's read_steps names it
 * @param {Float32Array} vectors
 */

/** @type {Watch} */
const unseen = () => {};

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
export function* encodeIds({ config, parts, multiplier }, inputs) {
  const { input_ids, token_type_ids, heads_off = [], watchOf = () => unseen } = inputs;
  const hidden_states = [embed(parts.embeddings, input_ids, token_type_ids)];
  const attentions = [];
  for (const [number, layer] of parts.layers.entries()) {
    const off = new Set(heads_off.filter(([where]) => where === number).map(([, head]) => head));
    const hidden = hidden_states[number];
    const watch = watchOf(number);
    watch("input", hidden);
    const { attention, context } = yield* attend(
      multiplier,
      layer.self,
      { hidden, num_heads: config.num_attention_heads, off },
      watch,
    );
    watch("context", context);
    const attended = yield* addAndNormalise(multiplier, layer.attention_output, {
      vectors: context,
      before: hidden,
      see: (projected) => watch("projected", projected),
    });
    watch("attended", attended);
    const output = yield* feedForward(multiplier, layer, { attended, bend: activation(config) }, watch);
    watch("output", output);
    hidden_states.push(output);
    attentions.push(attention);
  }
  return { hidden_states, attentions };
}

/**
 * @param {Multiplier} multiplier
 * @param {Layer} layer
 * @param {{attended: Float32Array, bend: (values: Float32Array) => void}} what
 * @param {Watch} watch
 * @returns {Steps<Float32Array>}
 */
function* feedForward(multiplier, layer, { attended, bend }, watch) {
  const wide = yield* linear(multiplier, attended, layer.intermediate);
  watch("up", wide);
  bend(wide);
  watch("activated", wide);
  yield;
  const see = (/** @type {Float32Array} */ down) => watch("down", down);
  return yield* addAndNormalise(multiplier, layer.output, { vectors: wide, before: attended, see });
}

/**
 * A linear layer whose result is added to what came before; then LayerNorm.
 * @param {Multiplier} multiplier
 * @param {Layer["output"]} output
 * @param {{vectors: Float32Array, before: Float32Array, see: (added: Float32Array) => void}} what
 * @returns {Steps<Float32Array>}
 */
function* addAndNormalise(multiplier, { dense, LayerNorm }, { vectors, before, see }) {
  const sum = yield* linear(multiplier, vectors, dense);
  see(sum);
  add(sum, before);
  layerNorm(sum, LayerNorm);
  return sum;
}
