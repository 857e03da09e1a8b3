// A model as Python packed it (views/engine/packed): length of the header, header in JSON, weights one after another;
// float16 ones as the low bytes of all, then the high bytes of all.

import { plainMultiplier } from "./arithmetic/products.js";
import { simdMultiplier } from "./arithmetic/simd.js";
import { partsOf } from "./bert/parts.js";
import { Tokenizer } from "./text/tokenizer.js";

/** @import { Steps } from "./arithmetic/steps.js" */
/** @import { Bert } from "./bert/encoder.js" */
/** @import { Config } from "./bert/parts.js" */
/** @import { TokenizerFacts } from "./text/tokenizer.js" */

/**
 * What model and tokenizer say about themselves, as Python's Facts.
 * @typedef {object} Facts
 * @property {string} model_name
 * @property {number} num_layers
 * @property {number | null} positions
 * @property {number} vocab_size
 * @property {number[]} special_ids
 * @property {string | null} mask_token
 * @property {number | null} mask_id
 * @property {string | null} unknown_token
 * @property {string | null} cls_token
 * @property {string | null} sep_token
 */

/**
 * @typedef {object} Header
 * @property {Facts} facts
 * @property {Config} config
 * @property {TokenizerFacts} tokenizer
 * @property {number[]} boundary_ids tokens that end a text or fill it up
 * @property {"float16" | "float32"} precision
 * @property {[string, number][]} weights names and how many numbers, in the order in which they follow
 */

/**
 * @typedef {object} Unpacked
 * @property {Header} header
 * @property {Tokenizer} tokenizer
 * @property {Bert} bert
 */

/**
 * @param {Uint8Array | DataView | ArrayBuffer} packed
 * @param {{simd?: boolean}} [options] simd: false for plain JavaScript also where the page could do better
 * @returns {Steps<Unpacked>}
 */
export function* unpackModel(packed, { simd = true } = {}) {
  const bytes = packed instanceof ArrayBuffer ? new Uint8Array(packed) : bytesOf(packed);
  const start = 4 + new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  /** @type {Header} */
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(4, start)));
  const total = header.weights.reduce((sum, [, count]) => sum + count, 0);
  const multiplier = (simd ? simdMultiplier(total, scratchFor(header.config)) : null) ?? plainMultiplier;
  /** @type {Map<string, Float32Array>} */
  const weights = new Map();
  let before = 0;
  for (const [name, count] of header.weights) {
    const room = multiplier.room(count);
    for (let from = 0; from < count; from += AT_ONCE) {
      const part = room.subarray(from, from + AT_ONCE);
      if (header.precision === "float16") {
        const low = start + before + from;
        fillHalves(part, bytes.subarray(low), bytes.subarray(low + total));
      } else {
        const at = start + 4 * (before + from);
        part.set(new Float32Array(bytes.slice(at, at + 4 * part.length).buffer)); // a copy begins at an even place
      }
      yield;
    }
    weights.set(name, room);
    before += count;
  }
  const bert = { config: header.config, parts: partsOf(weights, header.config), multiplier };
  return { header, tokenizer: new Tokenizer(header.tokenizer), bert };
}

/** @param {Uint8Array | DataView} view */
const bytesOf = (view) => new Uint8Array(view.buffer, view.byteOffset, view.byteLength);

/**
 * Numbers for one product of the largest kind: what goes in, twice over for attention, and a step's results.
 * @param {Config} config
 */
function scratchFor({ max_position_embeddings: positions, hidden_size, intermediate_size }) {
  const widest = Math.max(hidden_size, intermediate_size, positions);
  return 2 * (positions + 8) * (widest + 8) + 200_000;
}

/** Numbers of one step. */
const AT_ONCE = 500_000;

/**
 * @param {Float32Array} room
 * @param {Uint8Array} low of float16 numbers as bits, the last eight of the fraction
 * @param {Uint8Array} high sign, exponent, the first two of the fraction
 */
function fillHalves(room, low, high) {
  for (let i = 0; i < room.length; i += 1) {
    room[i] = HALF_VALUES[((high[i] & 0x7f) << 8) | low[i]] * (high[i] & 0x80 ? -1 : 1);
  }
}

/** What the 2¹⁵ float16 numbers without their sign are: five bits of exponent, ten of fraction. */
const HALF_VALUES = Float32Array.from({ length: 0x8000 }, (_, bits) => {
  const [exponent, fraction] = [bits >> 10, bits & 0x3ff];
  return exponent ? (1 + fraction / 1024) * 2 ** (exponent - 15) : fraction * 2 ** -24;
});
