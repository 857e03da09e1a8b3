// The functions of BERT that are no matrix products: GELU, tanh, softmax, LayerNorm. All work in place.

// erf(x) = x · P(x²) / Q(x²) between -4 and 4, beyond which it is ±1 in float32; by Eigen's "generic_fast_erf".
const P = [
  -1.60960333262415e-2, -2.95459980854025e-3, -7.34990630326855e-4, -5.69250639462346e-5, -2.10102402082508e-6,
  2.77068142495902e-8, -2.72614225801306e-10,
];
const Q = [
  -1.42647390514189e-2, -7.37332916720468e-3, -1.68282697438203e-3, -2.13374055278905e-4, -1.45660718464996e-5,
];

/**
 * The error function, as accurate as float32.
 * @param {number} x
 * @returns {number}
 */
export function erf(x) {
  const bounded = Math.max(-4, Math.min(4, x));
  const square = bounded * bounded;
  let above = P[6];
  for (let i = 5; i >= 0; i -= 1) above = above * square + P[i];
  let below = Q[4];
  for (let i = 3; i >= 0; i -= 1) below = below * square + Q[i];
  return (bounded * above) / below;
}

/**
 * GELU, x · Φ(x) with the normal distribution's Φ, as `hidden_act="gelu"`.
 * @param {Float32Array} values
 */
export function gelu(values) {
  for (let i = 0; i < values.length; i += 1) values[i] *= 0.5 * (1 + erf(values[i] * Math.SQRT1_2));
}

/**
 * GELU with a tanh in place of erf, as `hidden_act="gelu_new"`.
 * @param {Float32Array} values
 */
export function geluTanh(values) {
  const factor = Math.sqrt(2 / Math.PI);
  for (let i = 0; i < values.length; i += 1) {
    const x = values[i];
    values[i] = 0.5 * x * (1 + Math.tanh(factor * (x + 0.044715 * x * x * x)));
  }
}

/** @param {Float32Array} values */
export function tanh(values) {
  for (let i = 0; i < values.length; i += 1) values[i] = Math.tanh(values[i]);
}

/**
 * Scores become shares of 1, row by row.
 * @param {Float32Array} scores
 * @param {number} width numbers in a row
 */
export function softmax(scores, width) {
  for (let start = 0; start < scores.length; start += width) {
    const row = scores.subarray(start, start + width);
    let most = -Infinity;
    for (let i = 0; i < width; i += 1) most = Math.max(most, row[i]);
    let sum = 0;
    for (let i = 0; i < width; i += 1) sum += row[i] = Math.exp(row[i] - most);
    for (let i = 0; i < width; i += 1) row[i] /= sum;
  }
}

/**
 * A learned scale and shift.
 * @typedef {object} LayerNorm
 * @property {Float32Array} weight
 * @property {Float32Array} bias
 * @property {number} eps
 */

/**
 * Every vector gets mean 0 and variance 1, then a learned scale and shift.
 * @param {Float32Array} vectors
 * @param {LayerNorm} learned
 */
export function layerNorm(vectors, { weight, bias, eps }) {
  const size = weight.length;
  for (let start = 0; start < vectors.length; start += size) {
    const vector = vectors.subarray(start, start + size);
    let mean = 0;
    for (let i = 0; i < size; i += 1) mean += vector[i];
    mean /= size;
    let variance = 0;
    for (let i = 0; i < size; i += 1) variance += (vector[i] - mean) ** 2;
    const scale = 1 / Math.sqrt(variance / size + eps);
    for (let i = 0; i < size; i += 1) vector[i] = (vector[i] - mean) * scale * weight[i] + bias[i];
  }
}

/**
 * @param {Float32Array} values
 * @param {Float32Array} more as many
 */
export function add(values, more) {
  for (let i = 0; i < values.length; i += 1) values[i] += more[i];
}
