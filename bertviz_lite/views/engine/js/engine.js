// The engine of a page: what Python's Engine can do (views/engine/interface.py), without Python. Its methods are steps,
// so that whoever calls chooses between "at once" (a worker) and "little by little" (the page's own thread).

import { classify, judge, pool, predictWords, transform } from "./bert/heads.js";
import { lookUp } from "./bert/embeddings.js";
import { encodeIds } from "./bert/encoder.js";
import { editTokens, encodeTexts, namesOf } from "./encoded.js";
import { checkFits, checkHeads } from "./limits.js";
import { unpackModel } from "./packed.js";
import { Refusal } from "./refusals.js";
import { cutTexts } from "./text/cuts.js";

/** @import { Steps } from "./arithmetic/steps.js" */
/** @import { Encoded, Tokens } from "./encoded.js" */
/** @import { Facts, Unpacked } from "./packed.js" */
/** @import { TextCut } from "./text/cuts.js" */

/**
 * Why a layer's weights are what they are: softmax(scaling · queries · keysᵀ).
 * @typedef {object} Scores
 * @property {Float32Array} queries (num_heads, seq_len, head_size)
 * @property {Float32Array} keys (num_heads, seq_len, head_size)
 * @property {number} scaling
 * @property {null} bias
 */

/**
 * @typedef {object} Maps
 * @property {Float32Array[]} attentions of each layer, (num_heads, query, key)
 * @property {Tokens} query_tokens
 * @property {Tokens} key_tokens
 * @property {Scores[]} scores of each layer
 */

/**
 * What one forward pass gave, as Python's Pass and Capture.
 * @typedef {object} Pass
 * @property {{self: Maps}} kinds
 * @property {string} model_name
 * @property {Float32Array | null} logits (seq_len, vocab_size); null without an LM head
 * @property {Float32Array[]} hidden_states after the embeddings and after every layer, (seq_len, hidden_size)
 * @property {Float32Array[]} values of each layer, (num_heads, seq_len, head_size)
 * @property {Float32Array | null} pooler_output (hidden_size,)
 */

export class BertEngine {
  /** @param {Unpacked} model */
  constructor(model) {
    this.model = model;
    /** @type {Facts} */
    this.facts = model.header.facts;
  }

  /**
   * @param {Uint8Array | DataView | ArrayBuffer} packed a model and its tokenizer
   * @param {{simd?: boolean}} [options]
   * @returns {Steps<BertEngine>}
   */
  static *open(packed, options) {
    return new BertEngine(yield* unpackModel(packed, options));
  }

  /**
   * Tokens by id, as the vocabulary writes them.
   * @param {number[]} input_ids
   * @returns {Steps<string[]>}
   */
  *names(input_ids) {
    return namesOf(this.model, input_ids);
  }

  /**
   * @param {string} token written exactly so in the vocabulary
   * @returns {Steps<number | null>}
   */
  *idOf(token) {
    return this.model.tokenizer.idOf(token);
  }

  /**
   * @param {string} text
   * @returns {Steps<string[]>} its tokens, without special ones around it
   */
  *tokenize(text) {
    return namesOf(this.model, this.model.tokenizer.cut(text).ids);
  }

  /**
   * How a text is cut: words, the search for each, tokens, what was normalised. It may be empty.
   * @param {string} text
   * @param {string | null} [text_pair]
   * @returns {Steps<TextCut>}
   */
  *cut(text, text_pair = null) {
    return cutTexts(this.model.tokenizer, text, text_pair);
  }

  /**
   * @param {string} text
   * @param {string | null} [text_pair]
   * @returns {Steps<Encoded>} it may be too long for the model
   */
  *encode(text, text_pair = null) {
    return encodeTexts(this.model, text, text_pair);
  }

  /**
   * One forward pass: attention, and what the LM head predicts.
   * @param {Encoded} encoded
   * @param {Record<number, string>} [edits] position → the token that replaces what is there
   * @param {[number, number][]} [heads_off] pairs (layer, head) that contribute nothing
   * @returns {Steps<Pass>}
   */
  *run(encoded, edits = {}, heads_off = []) {
    const { bert, header } = this.model;
    const tokens = editTokens(this.model, encoded.tokens, edits);
    checkHeads(this.model, heads_off);
    const { hidden_states, attentions } = yield* this.passOver(tokens, heads_off);
    const last_hidden_state = hidden_states[hidden_states.length - 1];
    const scaling = 1 / Math.sqrt(header.config.hidden_size / header.config.num_attention_heads);
    return {
      kinds: {
        self: {
          attentions: attentions.map(({ weights }) => weights),
          query_tokens: tokens,
          key_tokens: tokens,
          scores: attentions.map(({ queries, keys }) => ({ queries, keys, scaling, bias: null })),
        },
      },
      model_name: header.config.model_name,
      logits: bert.parts.predictions ? yield* predictWords(bert, last_hidden_state) : null,
      hidden_states,
      values: attentions.map(({ values }) => values),
      pooler_output: yield* pool(bert, last_hidden_state),
    };
  }

  /**
   * What the LM head makes of every layer's vectors at some positions.
   * @param {Encoded} encoded
   * @param {number[]} positions
   * @returns {Steps<Float32Array>} logits, (layers + 1, positions, vocab_size): first after the embeddings
   */
  *readLayers({ tokens }, positions) {
    const { bert, header } = this.model;
    const { model_name, hidden_size, vocab_size } = header.config;
    if (!bert.parts.predictions) {
      throw new Refusal(
        `${model_name} has no LM head of BERT to read the layers with: ` +
          "give a BertForPreTraining or a BertForMaskedLM, as load() does.",
      );
    }
    const { hidden_states } = yield* this.passOver(tokens);
    const logits = new Float32Array(hidden_states.length * positions.length * vocab_size);
    for (const [layer, hidden] of hidden_states.entries()) {
      const chosen = new Float32Array(positions.length * hidden_size);
      for (const [row, position] of positions.entries()) {
        chosen.set(hidden.subarray(position * hidden_size, (position + 1) * hidden_size), row * hidden_size);
      }
      logits.set(yield* predictWords(bert, chosen), layer * positions.length * vocab_size);
    }
    return logits;
  }

  /**
   * The NSP head's log-odds that the second text continues the first.
   * @param {Encoded} encoded
   * @param {number[][]} [hidden] for each answer the positions that are replaced by [MASK]
   * @returns {Steps<Float64Array>}
   */
  *judgePair({ tokens }, hidden = [[]]) {
    const { bert, header } = this.model;
    if (!bert.parts.seq_relationship) {
      throw new Refusal(
        `${header.config.model_name} has no next-sentence head: give a BertForPreTraining or a ` +
          "BertForNextSentencePrediction.",
      );
    }
    const odds = new Float64Array(hidden.length);
    for (const [number, positions] of hidden.entries()) {
      const input_ids = [...tokens.input_ids];
      for (const position of positions) input_ids[position] = /** @type {number} */ (this.facts.mask_id);
      const { hidden_states } = yield* this.passOver({ ...tokens, input_ids });
      const [continues, doesNot] = yield* judge(bert, hidden_states[hidden_states.length - 1]);
      odds[number] = continues - doesNot;
    }
    return odds;
  }

  /**
   * What a classification head says: of the text, or of each token.
   * @param {Encoded} encoded
   * @returns {Steps<{labels: string[], logits: Float32Array}>} logits: (1, labels) or (seq_len, labels)
   */
  *classify({ tokens }) {
    const { bert, header } = this.model;
    if (!bert.parts.classifier) throw new Refusal(`${header.config.model_name} has no classification head.`);
    const { hidden_states } = yield* this.passOver(tokens);
    const logits = yield* classify(bert, hidden_states[hidden_states.length - 1]);
    return { labels: header.config.labels, logits };
  }

  /**
   * The vectors on the way from ids to heads, by the names of Python's read_steps.
   * @param {Encoded} encoded
   * @param {number | null} [layer] that is looked into; null for what lies before the first and after the last
   * @returns {Steps<Record<string, Float32Array>>}
   */
  *readSteps({ tokens }, layer = null) {
    const { bert } = this.model;
    /** @type {Record<string, Float32Array>} */
    const steps = {};
    if (layer !== null) {
      checkHeads(this.model, [[layer, 0]]);
      const keep = (/** @type {string} */ name, /** @type {Float32Array} */ vectors) => (steps[name] = vectors.slice());
      yield* this.passOver(tokens, [], (number) => (number === layer ? keep : () => {}));
      return steps;
    }
    const { hidden_states } = yield* this.passOver(tokens);
    const [last_hidden_state] = hidden_states.slice(-1);
    Object.assign(steps, lookUp(bert.parts.embeddings, tokens.input_ids, tokens.segments));
    steps.embeddings = hidden_states[0];
    if (bert.parts.predictions) steps.transform = yield* transform(bert, last_hidden_state);
    const pooler_output = yield* pool(bert, last_hidden_state);
    if (pooler_output) steps.pooler_output = pooler_output;
    if (bert.parts.seq_relationship) steps.seq_relationship_logits = yield* judge(bert, last_hidden_state);
    return steps;
  }

  /**
   * @param {Tokens} tokens
   * @param {[number, number][]} [heads_off]
   * @param {import("./bert/encoder.js").Inputs["watchOf"]} [watchOf]
   */
  *passOver(tokens, heads_off = [], watchOf = undefined) {
    checkFits(this.model, tokens);
    const { input_ids, segments } = tokens;
    return yield* encodeIds(this.model.bert, { input_ids, token_type_ids: segments, heads_off, watchOf });
  }
}
