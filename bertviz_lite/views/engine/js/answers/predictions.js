// What an LM head says at one position of a pass.

import { leadingIds } from "./rankings.js";
import { readableText } from "./texts.js";

/** @import { PageEngine } from "../client.js" */
/** @import { Pass } from "../engine.js" */

/**
 * @param {Pass} run of a model with an LM head
 * @param {number} position
 * @returns {Float32Array} (vocab_size,)
 */
export function logitsAt({ logits, kinds }, position) {
  if (!logits) throw new TypeError("There is no LM head.");
  const vocab_size = logits.length / kinds.self.query_tokens.tokens.length;
  return logits.subarray(position * vocab_size, (position + 1) * vocab_size);
}

/**
 * ln p of every token of the vocabulary, in float64.
 * @param {Float32Array} logits (vocab_size,)
 * @returns {Float64Array}
 */
export function logProbabilities(logits) {
  const most = logits.reduce((a, b) => Math.max(a, b), -Infinity);
  const sum = logits.reduce((total, logit) => total + Math.exp(logit - most), 0);
  return Float64Array.from(logits, (logit) => logit - most - Math.log(sum));
}

/**
 * The most probable words with their probabilities.
 * @param {PageEngine} engine
 * @param {Float32Array} logits (vocab_size,)
 * @param {number} count
 * @returns {Promise<[string, number][]>}
 */
export async function topWords(engine, logits, count) {
  const ids = leadingIds(logits, count);
  const logs = logProbabilities(logits);
  const names = await engine.names(ids);
  return names.map((name, i) => [readableText(name), Math.exp(logs[ids[i]])]);
}
