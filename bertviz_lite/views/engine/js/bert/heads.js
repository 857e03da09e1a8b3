// What is read off the encoder's vectors: a word for every place, a verdict on a pair, a class.

import { layerNorm, tanh } from "../arithmetic/functions.js";
import { linear } from "../arithmetic/linear.js";
import { activation } from "./encoder.js";

/** @import { Steps } from "../arithmetic/steps.js" */
/** @import { Bert } from "./encoder.js" */

/**
 * The LM head: logits of all words for each vector. Of a lower layer's vectors it is the lens.
 * @param {Bert} bert
 * @param {Float32Array} hidden (rows, hidden_size)
 * @returns {Steps<Float32Array>} prediction_logits, (rows, vocab_size)
 */
export function* predictWords(bert, hidden) {
  const { config, parts, multiplier } = bert;
  if (!parts.predictions) throw new TypeError(`${config.model_name} has no LM head.`);
  return yield* linear(multiplier, yield* transform(bert, hidden), parts.predictions.decoder);
}

/**
 * The first part of the LM head: linear, activation, LayerNorm.
 * @param {Bert} bert
 * @param {Float32Array} hidden (rows, hidden_size)
 * @returns {Steps<Float32Array>} vectors of the same shape, in the form in which the decoder's table writes words
 */
export function* transform({ config, parts, multiplier }, hidden) {
  if (!parts.predictions) throw new TypeError(`${config.model_name} has no LM head.`);
  const { transform: dense, LayerNorm } = parts.predictions;
  const vectors = yield* linear(multiplier, hidden, dense);
  activation(config)(vectors);
  layerNorm(vectors, LayerNorm);
  return vectors;
}

/**
 * The pooler: a vector for the whole text, made of that of [CLS].
 * @param {Bert} bert
 * @param {Float32Array} last_hidden_state (seq_len, hidden_size)
 * @returns {Steps<Float32Array | null>} pooler_output, (hidden_size,); null for a model without it
 */
export function* pool({ config, parts, multiplier }, last_hidden_state) {
  if (!parts.pooler) return null;
  const pooler_output = yield* linear(multiplier, last_hidden_state.subarray(0, config.hidden_size), parts.pooler);
  tanh(pooler_output);
  return pooler_output;
}

/**
 * The NSP head: a logit for "B continues A", and one for "it does not".
 * @param {Bert} bert
 * @param {Float32Array} last_hidden_state
 * @returns {Steps<Float32Array>} seq_relationship_logits, (2,)
 */
export function* judge(bert, last_hidden_state) {
  const { config, parts, multiplier } = bert;
  const pooler_output = yield* pool(bert, last_hidden_state);
  if (!parts.seq_relationship || !pooler_output) throw new TypeError(`${config.model_name} has no NSP head.`);
  return yield* linear(multiplier, pooler_output, parts.seq_relationship);
}

/**
 * A classification head: of the text where the model has a pooler, else of each token.
 * @param {Bert} bert
 * @param {Float32Array} last_hidden_state
 * @returns {Steps<Float32Array>} logits, (1, labels) or (seq_len, labels)
 */
export function* classify(bert, last_hidden_state) {
  const { config, parts, multiplier } = bert;
  if (!parts.classifier) throw new TypeError(`${config.model_name} has no classification head.`);
  return yield* linear(multiplier, (yield* pool(bert, last_hidden_state)) ?? last_hidden_state, parts.classifier);
}
