// Numbers that travelled as bytes, vectors, and numbers for reading. Pure functions.

/**
 * Numbers that travelled as bytes: little-endian float32.
 * @param {DataView | Uint8Array | ArrayBuffer} bytes as anywidget or the saved page hands them over
 * @returns {Float32Array}
 */
export function decodeFloats(bytes) {
  const buffer = bytes instanceof ArrayBuffer ? bytes : bytes.buffer;
  const start = bytes instanceof ArrayBuffer ? 0 : bytes.byteOffset;
  const size = bytes.byteLength;
  if (size % 4 !== 0) throw new RangeError(`${size} bytes are no whole number of float32 values.`);
  return new Float32Array(buffer.slice(start, start + size));
}

/**
 * The rows of a matrix stored row after row; they share its memory.
 * @param {Float32Array} values
 * @param {number} width numbers in a row
 * @returns {Float32Array[]}
 */
export function rowsOf(values, width) {
  if (width <= 0 || values.length % width !== 0) {
    throw new RangeError(`${values.length} numbers do not make rows of ${width}.`);
  }
  return Array.from({ length: values.length / width }, (_, i) => values.subarray(i * width, (i + 1) * width));
}

/** @typedef {ArrayLike<number>} Vector */

/**
 * @param {Vector} a
 * @param {Vector} b
 * @returns {number}
 */
export function dot(a, b) {
  let sum = 0;
  for (let i = 0; i < a.length; i += 1) sum += a[i] * b[i];
  return sum;
}

/**
 * Euclidean length.
 * @param {Vector} a
 * @returns {number}
 */
export function norm(a) {
  return Math.sqrt(dot(a, a));
}

/**
 * Cosine of the angle between two vectors, from -1 to 1; NaN where one has no length.
 * @param {Vector} a
 * @param {Vector} b
 * @returns {number}
 */
export function cosine(a, b) {
  const lengths = norm(a) * norm(b);
  return lengths > 0 ? Math.min(1, Math.max(-1, dot(a, b) / lengths)) : NaN;
}

/**
 * @param {Vector} a
 * @param {Vector} b
 * @returns {Float64Array}
 */
export function minus(a, b) {
  return Float64Array.from({ length: a.length }, (_, i) => a[i] - b[i]);
}

/**
 * The largest absolute value among vectors.
 * @param {Vector[]} vectors
 * @returns {number}
 */
export function largest(vectors) {
  let most = 0;
  for (const vector of vectors) {
    for (let i = 0; i < vector.length; i += 1) most = Math.max(most, Math.abs(vector[i]));
  }
  return most;
}

/**
 * A number for reading: four digits that matter, a true minus sign, a dash where there is none.
 * @param {number} value
 * @param {boolean} [signed] write a plus sign too
 * @returns {string}
 */
export function formatNumber(value, signed = false) {
  if (!Number.isFinite(value)) return "–";
  const size = Math.abs(value);
  let text = "0";
  if (size >= 1000) text = size.toFixed(0);
  else if (size >= 0.001) text = size.toFixed(Math.max(0, 3 - Math.max(0, Math.floor(Math.log10(size)))));
  else if (size > 0) text = size.toExponential(2).replace("-", "−");
  if (value < 0) return `−${text}`;
  return signed && value > 0 ? `+${text}` : text;
}

/**
 * A share for reading, in every view: what is little is not said to be nothing, nor nearly everything to be
 * everything. `percent` in basics/text.py writes the pictures' shares by the same rule.
 * @param {number} share 1 is everything
 * @param {number} [digits] after the point
 * @returns {string}
 */
export function formatPercent(share, digits = 1) {
  if (!Number.isFinite(share)) return "–";
  const text = Math.abs(100 * share).toFixed(digits);
  const least = 10 ** -digits;
  if (Number(text) === 0 && share !== 0)
    return share > 0 ? `< ${least.toFixed(digits)}\u00a0%` : `> −${least.toFixed(digits)}\u00a0%`;
  // A softmax in single precision ends some rounding errors below 1.
  if (Number(text) === 100 && share > 0 && share < 1 - 1e-6) return `> ${(100 - least).toFixed(digits)}\u00a0%`;
  return `${share < 0 ? "−" : ""}${text}\u00a0%`;
}
