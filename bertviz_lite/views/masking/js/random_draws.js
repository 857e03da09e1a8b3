// The random draws of every seed for a text, as draws.py has torch make them.

import { TorchRandom } from "./random.js";

/** @import { Facts } from "../../engine/js/packed.js" */

/** Seeds whose draws a page has, numbered from 0. */
const SEEDS = 100;

/**
 * The traits that hold the draws: which choose a token, which replace it, and by what.
 * @param {number} count of tokens
 * @param {Facts} facts
 */
export function drawTraits(count, { vocab_size, special_ids }) {
  const specials = [...new Set(special_ids)].sort((a, b) => a - b);
  /** @type {Record<"choose" | "replace" | "random_ids", number[]>} */
  const { choose, replace, random_ids } = { choose: [], replace: [], random_ids: [] };
  for (let seed = 0; seed < SEEDS; seed += 1) {
    const random = new TorchRandom(seed);
    choose.push(...random.rand(count));
    replace.push(...random.rand(count));
    random_ids.push(...random.randint(vocab_size - specials.length, count).map((n) => ordinaryId(n, specials)));
  }
  const ids = [...new Set(random_ids)].sort((a, b) => a - b);
  const place = new Map(ids.map((id, i) => [id, i]));
  return {
    _luck: floatBytes(choose),
    _fate: floatBytes(replace),
    _drawn: floatBytes(random_ids.map((id) => /** @type {number} */ (place.get(id)))),
    _drawn_ids: ids,
  };
}

/**
 * The ordinary id with a number: special ones are not counted.
 * @param {number} number
 * @param {number[]} specials rising
 */
const ordinaryId = (number, specials) => specials.reduce((id, special) => (special <= id ? id + 1 : id), number);

/** @param {number[]} numbers */
const floatBytes = (numbers) => new DataView(Float32Array.from(numbers).buffer);
