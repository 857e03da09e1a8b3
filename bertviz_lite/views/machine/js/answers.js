// What readings.py computes, for a page without Python.

import { packAnswer } from "../../engine/js/answers/packing.js";
import { spellMasks } from "../../engine/js/answers/masks.js";
import { noSuchBlock } from "../../engine/js/answers/question.js";
import { leadingIds, probabilitiesOf } from "../../engine/js/answers/rankings.js";
import { checkRoom, checkText, readableText } from "../../engine/js/answers/texts.js";

/** @import { PageEngine } from "../../engine/js/client.js" */
/** @import { Encoded } from "../../engine/js/encoded.js" */
/** @import { Answer, Question } from "../../engine/js/answers/question.js" */

/** How many of the likeliest words of each token are given. */
const BEST = 5;

const SAME_BIAS = 1e-3;

/** So many tokens are enough to see whether a table is the same. */
const ENOUGH = 16;

/** Arrays by name, each with its shape. @typedef {Record<string, {values: Float32Array, shape: number[]}>} Arrays */

/**
 * @param {PageEngine} engine
 * @param {Question} question about `text` and `text_pair`; or for the block "layer/0"
 * @returns {Promise<Answer>}
 */
export async function answer(engine, { type, name, values }) {
  const text = spellMasks(values.text, engine.facts.mask_token);
  const text_pair = spellMasks(values.text_pair ?? "", engine.facts.mask_token);
  const encoded = await encode(engine, text, text_pair);
  if (type !== "block") return { text, text_pair, _found: await readOutside(engine, encoded, { text, text_pair }) };
  const [kind, number] = (name ?? "").split("/");
  const isLayer = kind === "layer" && /^\d+$/.test(number ?? "") && Number(number) < engine.facts.num_layers;
  if (!isLayer) throw noSuchBlock("Machine", name);
  return readInside(engine, encoded, { text, text_pair, layer: Number(number) });
}

/**
 * @param {PageEngine} engine
 * @param {string} text
 * @param {string} text_pair
 */
async function encode(engine, text, text_pair) {
  checkText("text", text);
  if (text_pair !== "") checkText("text_pair", text_pair);
  const encoded = await engine.encode(text, text_pair === "" ? null : text_pair);
  checkRoom(engine, encoded, text_pair === "" ? "text" : "a pair");
  return encoded;
}

/**
 * @param {PageEngine} engine
 * @param {Encoded} encoded
 * @param {{text: string, text_pair: string}} texts
 */
async function readOutside(engine, encoded, texts) {
  const { tokens, words } = encoded;
  const seq_len = tokens.tokens.length;
  const steps = await engine.readSteps(encoded);
  const inside = await engine.readSteps(encoded, 0);
  const pass = await engine.run(encoded);
  const num_heads = pass.kinds.self.attentions[0].length / seq_len / seq_len;
  const hidden_size = steps.embeddings.length / seq_len;
  const facts = {
    ...texts,
    tokens: tokens.tokens.map(readableText),
    input_ids: tokens.input_ids,
    segments: tokens.segments,
    special: tokens.special,
    words: words.map(({ text, start, stop, segment }) => [text, start, stop, segment]),
    sizes: {
      seq_len,
      hidden_size,
      intermediate_size: inside.up.length / seq_len,
      num_heads,
      head_size: hidden_size / num_heads,
      vocab_size: engine.facts.vocab_size,
    },
    best: /** @type {string[][]} */ ([]),
    is_tied: /** @type {boolean | null} */ (null),
  };
  const arrays = shaped(steps, seq_len);
  if (pass.logits !== null && steps.transform) {
    const { ids, shares } = await bestWords(pass.logits, seq_len);
    for (const row of ids) facts.best.push((await engine.names(row)).map(readableText));
    facts.sizes.vocab_size = pass.logits.length / seq_len;
    facts.is_tied = isTied(pass.logits, steps, tokens.input_ids);
    arrays.best = { values: shares, shape: [seq_len, shares.length / seq_len] };
  }
  return pack(facts, arrays);
}

/**
 * @param {PageEngine} engine
 * @param {Encoded} encoded
 * @param {{text: string, text_pair: string, layer: number}} facts
 */
async function readInside(engine, encoded, facts) {
  const seq_len = encoded.tokens.tokens.length;
  const arrays = shaped(await engine.readSteps(encoded, facts.layer), seq_len);
  const weights = (await engine.run(encoded)).kinds.self.attentions[facts.layer];
  arrays.weights = { values: weights, shape: [weights.length / seq_len / seq_len, seq_len, seq_len] };
  return pack(facts, arrays);
}

/**
 * @param {Record<string, Float32Array>} steps
 * @param {number} seq_len
 * @returns {Arrays}
 */
function shaped(steps, seq_len) {
  const isOne = (/** @type {string} */ name) => name === "pooler_output" || name === "seq_relationship_logits";
  return Object.fromEntries(
    Object.entries(steps).map(([name, values]) => [
      name,
      { values, shape: isOne(name) ? [values.length] : [seq_len, values.length / seq_len] },
    ]),
  );
}

/**
 * @param {Record<string, unknown>} facts
 * @param {Arrays} arrays
 */
function pack(facts, arrays) {
  const names = Object.keys(arrays).sort();
  const numbers = new Float32Array(names.reduce((sum, name) => sum + arrays[name].values.length, 0));
  let start = 0;
  for (const name of names) {
    numbers.set(arrays[name].values, start);
    start += arrays[name].values.length;
  }
  return packAnswer({ ...facts, arrays: names.map((name) => [name, ...arrays[name].shape]) }, numbers);
}

/**
 * Ids and probabilities of the likeliest words of each token.
 * @param {Float32Array} logits (seq_len, vocab_size)
 * @param {number} seq_len
 */
async function bestWords(logits, seq_len) {
  const vocab_size = logits.length / seq_len;
  /** @type {number[][]} */
  const ids = [];
  const shares = [];
  for (let position = 0; position < seq_len; position += 1) {
    if (position % 8 === 7) await new Promise((done) => setTimeout(done)); // so that the page is not held
    const row = logits.subarray(position * vocab_size, (position + 1) * vocab_size);
    const all = probabilitiesOf(row);
    const best = leadingIds(row, BEST);
    ids.push(best);
    shares.push(...best.map((id) => all[id]));
  }
  return { ids, shares: Float32Array.from(shares) };
}

/**
 * Whether the decoder's table is that of the word embeddings, seen from the numbers: what is left of a logit without
 * its dot product is then the word's bias, the same at every token.
 * @param {Float32Array} logits
 * @param {Record<string, Float32Array>} steps
 * @param {number[]} input_ids
 */
function isTied(logits, { transform, word_embeddings }, input_ids) {
  const size = transform.length / input_ids.length;
  const vocab_size = logits.length / input_ids.length;
  let spread = 0;
  for (const [row, id] of input_ids.slice(0, ENOUGH).entries()) {
    let [least, most] = [Infinity, -Infinity];
    for (let position = 0; position < Math.min(ENOUGH, input_ids.length); position += 1) {
      let rest = logits[position * vocab_size + id];
      for (let i = 0; i < size; i += 1) rest -= transform[position * size + i] * word_embeddings[row * size + i];
      [least, most] = [Math.min(least, rest), Math.max(most, rest)];
    }
    spread = Math.max(spread, most - least);
  }
  const largest = logits.reduce((most, logit) => Math.max(most, Math.abs(logit)), 0);
  return spread < SAME_BIAS * (1 + largest);
}
