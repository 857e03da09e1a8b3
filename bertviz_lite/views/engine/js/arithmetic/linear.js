// A linear layer in steps: x · weightᵀ + bias, as torch.nn.Linear.

/** @import { Multiplier, Shape } from "./products.js" */
/** @import { Steps } from "./steps.js" */

/** Multiplications of one step: a millisecond or less on a laptop. */
const MOST = 2_000_000;

/**
 * @typedef {object} Linear
 * @property {Float32Array} weight (outputs, inputs)
 * @property {Float32Array} bias (outputs,)
 */

/**
 * x · matrixᵀ, as (rows, outputs).
 * @param {Multiplier} multiplier
 * @param {Float32Array} x (rows, inputs)
 * @param {Float32Array} matrix (outputs, inputs)
 * @param {number} inputs
 * @returns {Steps<Float32Array>}
 */
export function* product(multiplier, x, matrix, inputs) {
  /** @type {Shape} */
  const shape = { rows: x.length / inputs, inputs, outputs: matrix.length / inputs };
  const out = new Float32Array(shape.rows * shape.outputs);
  const span = 12 * Math.ceil(MOST / (12 * shape.rows * inputs));
  for (let first = 0; first < shape.outputs; first += span) {
    multiplier.multiply(x, matrix, out, shape, [first, Math.min(first + span, shape.outputs)]);
    yield;
  }
  return out;
}

/**
 * @param {Multiplier} multiplier
 * @param {Float32Array} x (rows, inputs)
 * @param {Linear} layer
 * @returns {Steps<Float32Array>} (rows, outputs)
 */
export function* linear(multiplier, x, { weight, bias }) {
  const out = yield* product(multiplier, x, weight, weight.length / bias.length);
  for (let start = 0; start < out.length; start += bias.length) {
    for (let i = 0; i < bias.length; i += 1) out[start + i] += bias[i];
  }
  return out;
}
