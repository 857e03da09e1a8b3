// Weights as bytes: codes, what they stand for, and how far that may be from the truth. Pure functions.

/** The weight behind each code: (code / 255)². */
export const WEIGHTS = Float32Array.from({ length: 256 }, (_, code) => (code / 255) ** 2);

/**
 * The code of a weight: round(255 · √w). Long rows keep their small weights, which a linear code would round to zero.
 * @param {number} weight from 0 to 1; what lies outside is brought to the end
 * @returns {number} from 0 to 255
 */
export function codeOf(weight) {
  return Math.round(255 * Math.sqrt(Math.min(1, Math.max(0, weight))));
}

/**
 * How far the true weight may be from the one that a code stands for: a step of the square root, since small weights
 * of a row are rounded either way so that their sum stays right (see encode_rows), and never more than 0.004.
 * @param {number} weight as decoded
 * @returns {number}
 */
export function errorOf(weight) {
  return Math.min(0.004, (2 * 255 * Math.sqrt(weight) + 1) / 65025);
}

/**
 * The bytes of a block.
 * @param {DataView} block
 * @returns {Uint8Array} shares the block's memory
 */
export function decodeCodes(block) {
  return new Uint8Array(block.buffer, block.byteOffset, block.byteLength);
}

/** The error of a sum over pieces, at most. @param {number} weight @param {number} count of pieces */
export function drawnError(weight, count) {
  return count * errorOf(weight / count);
}

/**
 * A weight as drawn or, with four digits, as it is.
 * @param {number} weight @param {boolean} [exact] @param {boolean} [signed]
 */
export function formatWeight(weight, exact = false, signed = false) {
  if (!Number.isFinite(weight)) return "–";
  const digits = exact ? 4 : 3;
  const size = Math.abs(weight);
  const sign = weight < 0 ? "−" : signed && weight > 0 ? "+" : "";
  if (size === 0) return "0";
  return size < 0.5 / 10 ** digits ? `${sign}<0.${"1".padStart(digits, "0")}` : `${sign}${size.toFixed(digits)}`;
}

/** An error, rounded up: ±0.004. @param {number} error */
export function formatError(error) {
  const unit = error >= 0.001 ? 1000 : 10000;
  return `±${Math.ceil(error * unit - 1e-9) / unit}`;
}

/** A weight as drawn, with its error. @param {number} weight @param {number} count of pieces */
export function drawnWeight(weight, count) {
  const error = drawnError(weight, count);
  if (weight === 0 && error < 5e-5) return "<0.0001"; // says more than 0 ±0.0001
  return `${formatWeight(weight, error < 5e-4)} ${formatError(error)}`;
}
