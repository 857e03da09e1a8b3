// Attention weights as the codes that are drawn, as Python's weights.py makes them, step by step in float32.

import { WEIGHTS } from "../weights/codes.js";

const { fround } = Math;
const ROW_SUM_OFF = 0.02;
const MOST_MOVED = fround(0.2);

/** 255 · √w. @param {number} weight from 0 to 1 */
const rootOf = (weight) => fround(255 * fround(Math.sqrt(weight)));

/**
 * The 8-bit square-root codes of weights: round(255 · √w), halves to the even number.
 * @param {ArrayLike<number>} weights
 * @returns {Uint8Array}
 */
export function encodeWeights(weights) {
  const codes = new Uint8Array(weights.length);
  for (let i = 0; i < weights.length; i += 1) {
    const root = rootOf(Math.min(1, Math.max(0, weights[i])));
    const near = Math.round(root);
    codes[i] = near - root === 0.5 && near % 2 === 1 ? near - 1 : near;
  }
  return codes;
}

/**
 * The same, where no row is drawn with a sum far from its own: of one that is off, some small weights are rounded the
 * other way.
 * @param {Float32Array} weights row after row
 * @param {number} width of a row
 * @returns {Uint8Array}
 */
export function encodeRows(weights, width) {
  const codes = encodeWeights(weights);
  for (let start = 0; start < codes.length; start += width) {
    const row = codes.subarray(start, start + width);
    const exact = weights.subarray(start, start + width);
    const error = sumError(row, exact);
    if (Math.abs(error) > ROW_SUM_OFF) roundBack(row, exact, error);
  }
  return codes;
}

/**
 * How much more a row sums to as it is drawn.
 * @param {Uint8Array} codes
 * @param {Float32Array} weights
 */
export function sumError(codes, weights) {
  let error = 0;
  for (let i = 0; i < codes.length; i += 1) error += WEIGHTS[codes[i]] - weights[i];
  return error;
}

/**
 * Move some codes of a row one step against the error of its sum, those first that are nearly half a step off.
 * @param {Uint8Array} codes
 * @param {Float32Array} weights
 * @param {number} error
 */
function roundBack(codes, weights, error) {
  const step = error > 0 ? -1 : 1;
  const moved = (/** @type {number} */ i) => Math.min(255, Math.max(0, codes[i] + step));
  /** @type {{i: number, off: number}[]} */
  const may = [];
  for (let i = 0; i < codes.length; i += 1) {
    const root = rootOf(weights[i]);
    // What was rounded the right way already is left alone.
    if (!(weights[i] < MOST_MOVED) || (error > 0 ? codes[i] <= root : codes[i] >= root)) continue;
    // Among equals not all at the left.
    may.push({ i, off: Math.abs(fround(moved(i) - root)) + 1e-3 * ((i * 0.618034) % 1) });
  }
  may.sort((a, b) => a.off - b.off);
  let gained = 0;
  for (const { i } of may) {
    gained = fround(gained + fround(Math.abs(fround(WEIGHTS[codes[i]] - WEIGHTS[moved(i)]))));
    if (gained > Math.abs(error)) break;
    codes[i] = moved(i);
  }
}
