// One pass as the explorer's page sees it: what it says about itself, and its numbers by name. As Python's side.py.

import { runGently } from "../../../engine/js/arithmetic/steps.js";
import { readableText } from "../../../engine/js/answers/texts.js";
import { encodeRows } from "./encoding.js";
import { summarise } from "./summary.js";

/** @import { Pass } from "../../../engine/js/engine.js" */
/** @import { Tokens } from "../../../engine/js/encoded.js" */
/** @import { Summary } from "./summary.js" */

export class AnsweredSide {
  /** @param {Pass} run */
  constructor(run) {
    this.run = run;
    this.maps = run.kinds.self;
    this.size = this.maps.query_tokens.tokens.length;
    this.heads = this.maps.attentions[0].length / this.size ** 2;
    /** @type {Promise<Summary> | null} */
    this.summary = null;
  }

  /** All heads at a glance. @returns {Promise<Summary>} */
  summarised() {
    this.summary ??= runGently(summarise(this.maps.attentions, this.maps.query_tokens.special));
    return this.summary;
  }

  /** What the page must know before it asks for blocks. @param {string} name */
  async meta(name) {
    const { attentions, query_tokens, scores } = this.maps;
    const { thumb } = await this.summarised();
    const shape = {
      layers: attentions.length,
      heads: this.heads,
      queries: axisFacts(query_tokens),
      keys: null,
      why: true,
      head_size: scores[0].queries.length / this.heads / this.size,
      scaling: scores.map(({ scaling }) => scaling),
      thumb,
    };
    return { name, model: readableText(this.run.model_name), kinds: { self: shape } };
  }

  /**
   * @param {string} name
   * @param {number[]} numbers
   * @returns {Promise<Uint8Array | Float32Array | null>} null if there is no such block
   */
  async block(name, numbers) {
    const { maps, size } = this;
    const [layer, head, query] = numbers;
    const isThere = layer < maps.attentions.length && (numbers.length === 1 || head < this.heads);
    if (numbers.length === 0) {
      const { thumbs, mean, max, stats } = await this.summarised();
      return { thumbs, mean, max, stats }[name] ?? null;
    }
    if (!isThere) return null;
    const kind = `${name}/${numbers.length}`;
    if (kind === "layer/1") return encodeRows(maps.attentions[layer], size);
    if (kind === "rollout/1") return (await this.summarised()).rollout[layer];
    const start = (head * size + query) * size;
    if (kind === "exact/3") return query < size ? maps.attentions[layer].slice(start, start + size) : null;
    return kind === "why/2" ? this.why(layer, head) : null;
  }

  /**
   * The queries of a head, then its keys: (seq_len, head_size) each.
   * @param {number} layer
   * @param {number} head
   */
  why(layer, head) {
    const { queries, keys } = this.maps.scores[layer];
    const count = queries.length / this.heads;
    const vectors = new Float32Array(2 * count);
    vectors.set(queries.subarray(head * count, (head + 1) * count));
    vectors.set(keys.subarray(head * count, (head + 1) * count), count);
    return vectors;
  }
}

/** @param {Tokens} tokens */
const axisFacts = ({ tokens, segments, special, attention_mask, words }) => ({
  tokens: tokens.map(readableText),
  segments,
  special: special.map(Number),
  padding: attention_mask.map((isRead) => Number(!isRead)),
  words,
});
