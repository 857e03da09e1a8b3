// The parts of a BERT, named as transformers names them, over the weights by their names in a state dict.

/** @import { LayerNorm } from "../arithmetic/functions.js" */
/** @import { Linear } from "../arithmetic/linear.js" */

/**
 * What transformers' config says and the arithmetic needs.
 * @typedef {object} Config
 * @property {string} model_name the class, as "BertForPreTraining"
 * @property {number} vocab_size rows of the word embeddings
 * @property {number} hidden_size
 * @property {number} num_hidden_layers
 * @property {number} num_attention_heads
 * @property {number} intermediate_size
 * @property {string} hidden_act "gelu" or one of the names of the formula with tanh
 * @property {number} max_position_embeddings
 * @property {number} type_vocab_size
 * @property {number} layer_norm_eps
 * @property {string[]} labels of a classification head, by number
 */

/**
 * @typedef {object} Embeddings
 * @property {Float32Array} word_embeddings (vocab_size, hidden_size)
 * @property {Float32Array} position_embeddings (max_position_embeddings, hidden_size)
 * @property {Float32Array} token_type_embeddings (type_vocab_size, hidden_size)
 * @property {LayerNorm} LayerNorm
 */

/**
 * @typedef {object} Layer
 * @property {{query: Linear, key: Linear, value: Linear}} self
 * @property {{dense: Linear, LayerNorm: LayerNorm}} attention_output
 * @property {Linear} intermediate
 * @property {{dense: Linear, LayerNorm: LayerNorm}} output
 */

/**
 * @typedef {object} Parts
 * @property {Embeddings} embeddings
 * @property {Layer[]} layers
 * @property {Linear | null} pooler
 * @property {{transform: Linear, LayerNorm: LayerNorm, decoder: Linear} | null} predictions the LM head
 * @property {Linear | null} seq_relationship the NSP head
 * @property {Linear | null} classifier of a text or of each token
 */

/**
 * @param {Map<string, Float32Array>} weights
 * @param {Config} config
 * @returns {Parts}
 */
export function partsOf(weights, config) {
  const get = (/** @type {string} */ name) => /** @type {Float32Array} */ (weights.get(name));
  const linearAt = (/** @type {string} */ name) => ({ weight: get(`${name}.weight`), bias: get(`${name}.bias`) });
  const normAt = (/** @type {string} */ name) => ({ ...linearAt(name), eps: config.layer_norm_eps });
  const ifThere = (/** @type {string} */ name) => (weights.has(`${name}.weight`) ? linearAt(name) : null);
  const outputAt = (/** @type {string} */ name) => ({
    dense: linearAt(`${name}.dense`),
    LayerNorm: normAt(`${name}.LayerNorm`),
  });
  const layerAt = (/** @type {string} */ name) => ({
    self: {
      query: linearAt(`${name}.attention.self.query`),
      key: linearAt(`${name}.attention.self.key`),
      value: linearAt(`${name}.attention.self.value`),
    },
    attention_output: outputAt(`${name}.attention.output`),
    intermediate: linearAt(`${name}.intermediate.dense`),
    output: outputAt(`${name}.output`),
  });
  const transform = ifThere("cls.predictions.transform.dense");
  // Tied: the LM head compares with the very vectors that the words came in with.
  const tied = get("embeddings.word_embeddings.weight");
  return {
    embeddings: {
      word_embeddings: tied,
      position_embeddings: get("embeddings.position_embeddings.weight"),
      token_type_embeddings: get("embeddings.token_type_embeddings.weight"),
      LayerNorm: normAt("embeddings.LayerNorm"),
    },
    layers: Array.from({ length: config.num_hidden_layers }, (_, layer) => layerAt(`encoder.layer.${layer}`)),
    pooler: ifThere("pooler.dense"),
    predictions: transform && {
      transform,
      LayerNorm: normAt("cls.predictions.transform.LayerNorm"),
      decoder: {
        weight: weights.get("cls.predictions.decoder.weight") ?? tied,
        bias: get("cls.predictions.decoder.bias"),
      },
    },
    seq_relationship: ifThere("cls.seq_relationship"),
    classifier: ifThere("classifier"),
  };
}
