// How vectors are drawn: stacked shares, bars, scales. Pure functions.

import { formatNumber, largest } from "../../base/js/numbers.js";
import { SHARED } from "./anatomy.js";
import { say } from "../language/say.js";

/** @import { Vector } from "../../base/js/numbers.js" */

/**
 * Stack shares from zero: positive ones upwards, negative ones downwards.
 * @param {Record<string, number>} shares
 * @returns {{name: string, from: number, to: number}[]} with from < to
 */
export function stack(shares) {
  let top = 0;
  let bottom = 0;
  return SHARED.map((name) => {
    const share = shares[name];
    if (share >= 0) {
      top += share;
      return { name, from: top - share, to: top };
    }
    bottom += share;
    return { name, from: bottom, to: bottom - share };
  });
}

/**
 * Bars for an SVG of width vector.length and height 2 around zero: one bar a component, the largest reaching 1.
 * @param {Vector} vector
 * @param {number} limit the value that reaches the edge
 * @returns {string} path data; empty bars are left out
 */
export function barPath(vector, limit) {
  const parts = [];
  for (let i = 0; i < vector.length; i += 1) {
    const height = limit > 0 ? vector[i] / limit : 0;
    if (Math.abs(height) > 1e-4) parts.push(`M${i} 0V${(-height).toFixed(4)}h1V0z`);
  }
  return parts.join("");
}

/**
 * Which component lies under the pointer.
 * @param {number} x from the left edge of the strip
 * @param {number} width of the strip
 * @param {number} size number of components
 * @returns {number}
 */
export function componentAt(x, width, size) {
  return Math.min(size - 1, Math.max(0, Math.floor((x / width) * size)));
}

/**
 * Each row's limit, the value that fills its height. The parts and their sum always share one.
 * @param {Record<string, Vector>} rows
 * @param {boolean} isShared whether bias and result share it too
 * @returns {Record<string, number>}
 */
export function limits(rows, isShared) {
  const before = largest([rows.token, rows.position, rows.segment, rows.sum]);
  const after = largest([rows.bias, rows.result]);
  const [upper, lower] = isShared ? [Math.max(before, after), Math.max(before, after)] : [before, after];
  return { token: upper, position: upper, segment: upper, sum: upper, bias: lower, result: lower };
}

/**
 * How the scale of bias and result compares with that of the rows above them.
 * @param {Record<string, number>} limit as limits() gives it
 * @returns {string}
 */
export function scaleNote(limit) {
  const times = limit.result / limit.sum;
  if (times === 1) return say("same_scale");
  const drawn = { limit: formatNumber(limit.result), times: times.toFixed(1) };
  return say(Number.isFinite(times) ? "coarser" : "drawn_to", drawn);
}
