// An input embedding taken apart: its vectors, and the share of each part in the result. Pure functions.

import { decodeFloats, dot, rowsOf } from "../../base/js/numbers.js";

/** @import { Vector } from "../../base/js/numbers.js" */

/** @typedef {"token" | "position" | "segment"} PartName */

/** The three vectors that are added. @type {PartName[]} */
export const PARTS = ["token", "position", "segment"];

/** The six rows of the picture, top to bottom. */
export const ROWS = ["token", "position", "segment", "sum", "bias", "result"];

/** @type {Record<string, string>} */
const SIGNS = { token: "", position: "+", segment: "+", sum: "=", bias: "", result: "→" };

/** Below LayerNorm the rows add up only as it scales them. @type {Record<string, string>} */
const SCALED_SIGNS = { ...SIGNS, bias: "+", result: "=" };

/**
 * The sign before a row's name.
 * @param {string} name
 * @param {boolean} scaled whether the rows are shown as LayerNorm scales them
 */
export const signOf = (name, scaled) => (scaled ? SCALED_SIGNS : SIGNS)[name];

/** What the result is made of. */
export const SHARED = ["token", "position", "segment", "bias"];

/**
 * @typedef {object} LayerNorm
 * @property {Vector} gain
 * @property {Vector} bias
 * @property {number} eps
 */

/**
 * @typedef {object} Anatomy
 * @property {Record<string, Vector>} vectors the six rows as they are; parts that are off are shown, but not in the sum
 * @property {Record<string, Vector>} scaled the six rows as they arrive in the result: a part, centred, over the
 * standard deviation, times gain; their sum and the bias add up to the result
 * @property {Record<string, number>} shares of token, position, segment and bias in the result, together 1
 * @property {number} std what LayerNorm divides by
 */

/**
 * Take one input embedding apart.
 *
 * The share of a part is the projection of its contribution c on the result r: (c · r) / (r · r). A part that is off
 * contributes nothing.
 * @param {Record<PartName, Vector>} parts
 * @param {string[]} on names of the parts that are added
 * @param {LayerNorm} layerNorm
 * @returns {Anatomy}
 */
export function anatomy(parts, on, layerNorm) {
  const { gain, bias, eps } = layerNorm;
  const size = gain.length;
  const sum = new Float64Array(size);
  for (const name of PARTS) {
    if (on.includes(name)) for (let i = 0; i < size; i += 1) sum[i] += parts[name][i];
  }
  const mean = average(sum);
  let variance = 0;
  for (let i = 0; i < size; i += 1) variance += (sum[i] - mean) ** 2;
  const std = Math.sqrt(variance / size + eps);
  /** @type {Record<string, Vector>} */
  const scaled = { bias };
  for (const name of [...PARTS, "sum"]) {
    const vector = name === "sum" ? sum : parts[/** @type {PartName} */ (name)];
    const off = name !== "sum" && !on.includes(name);
    const centre = average(vector);
    scaled[name] = Float64Array.from({ length: size }, (_, i) => (off ? 0 : (gain[i] * (vector[i] - centre)) / std));
  }
  const result = Float64Array.from({ length: size }, (_, i) => scaled.sum[i] + bias[i]);
  scaled.result = result;
  const whole = dot(result, result);
  const shares = Object.fromEntries(SHARED.map((name) => [name, whole > 0 ? dot(scaled[name], result) / whole : 0]));
  return { vectors: { ...parts, sum, bias, result }, scaled, shares, std };
}

/**
 * @param {Vector} vector
 * @returns {number}
 */
export function average(vector) {
  let sum = 0;
  for (let i = 0; i < vector.length; i += 1) sum += vector[i];
  return sum / vector.length;
}

/**
 * The data behind the view, from the bytes that Python sent.
 * @param {any} model
 */
export function readModel(model) {
  const size = model.get("_hidden_size");
  const tables = Object.fromEntries(
    PARTS.map((name) => [name, rowsOf(decodeFloats(model.get(`_${name}_rows`)), size)]),
  );
  const [gain, bias] = rowsOf(decodeFloats(model.get("_layer_norm")), size);
  /** @type {Record<string, number[]>} */
  const index = model.get("_row_of");
  return {
    size,
    /** @type {string[]} */
    tokens: model.get("_tokens"),
    /** @type {Record<string, number[]>} */
    ids: model.get("_ids"),
    layerNorm: { gain, bias, eps: model.get("_eps") },
    /** @param {number} i */
    parts: (i) =>
      /** @type {Record<PartName, Vector>} */ (
        /** @type {unknown} */ (Object.fromEntries(PARTS.map((name) => [name, tables[name][index[name][i]]])))
      ),
  };
}
