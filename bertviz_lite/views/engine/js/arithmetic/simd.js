// The same products four numbers at a time, by WebAssembly's SIMD, where the page may use it: about three times as
// fast as plain JavaScript. The code that runs is written below, instruction by instruction.

import { I32, V128, assemble, op } from "./assembler.js";
import { plainMultiplier } from "./products.js";

/** @import { Multiplier, Shape } from "./products.js" */

const [ROWS, OUTPUTS] = [4, 3];
const PAGE = 65_536;

// Parameters: addresses and distances in bytes. The rows of x are filled up with zeros to `inputs` bytes, a multiple
// of 16; what stands behind a row of the matrix is multiplied with these zeros.
const [X, W, W_STEP, OUT, OUT_STEP, ROW_COUNT, OUTPUT_COUNT, INPUTS] = [0, 1, 2, 3, 4, 5, 6, 7];
const [ROW, OUTPUT, I] = [8, 9, 10];
const X_AT = 11;
const W_AT = X_AT + ROWS;
const SUM = W_AT + OUTPUTS;
const W_NOW = SUM + ROWS * OUTPUTS;
const X_NOW = W_NOW + OUTPUTS;

/**
 * for (variable = 0; variable < limit; variable += step) body
 * @param {number} variable
 * @param {number} limit
 * @param {number} step
 * @param {number[]} body
 */
const count = (variable, limit, step, body) => [
  ...op("i32.const", 0),
  ...op("local.set", variable),
  ...op("loop"),
  ...body,
  ...op("local.get", variable),
  ...op("i32.const", step),
  ...op("i32.add"),
  ...op("local.tee", variable),
  ...op("local.get", limit),
  ...op("i32.lt_u"),
  ...op("br_if", 0),
  ...op("end"),
];

/**
 * target = base + (index + more) · step
 * @param {number} target
 * @param {number} base
 * @param {number} index
 * @param {number} more
 * @param {number} step
 */
const address = (target, base, index, more, step) => [
  ...op("local.get", base),
  ...op("local.get", index),
  ...op("i32.const", more),
  ...op("i32.add"),
  ...op("local.get", step),
  ...op("i32.mul"),
  ...op("i32.add"),
  ...op("local.set", target),
];

/**
 * target = the four numbers at base + I
 * @param {number} target
 * @param {number} base
 */
const load = (target, base) => [
  ...op("local.get", base),
  ...op("local.get", I),
  ...op("i32.add"),
  ...op("v128.load", 2, 0),
  ...op("local.set", target),
];

/** @param {number} length */
const upTo = (length) => [...Array(length).keys()];

/** Four rows times three outputs, for all of both. */
function code() {
  const clear = upTo(ROWS * OUTPUTS).flatMap((k) => [...op("v128.const"), ...op("local.set", SUM + k)]);
  const addUp = [
    ...upTo(OUTPUTS).flatMap((o) => load(W_NOW + o, W_AT + o)),
    ...upTo(ROWS).flatMap((r) => [
      ...load(X_NOW, X_AT + r),
      ...upTo(OUTPUTS).flatMap((o) => [
        ...op("local.get", X_NOW),
        ...op("local.get", W_NOW + o),
        ...op("f32x4.mul"),
        ...op("local.get", SUM + r * OUTPUTS + o),
        ...op("f32x4.add"),
        ...op("local.set", SUM + r * OUTPUTS + o),
      ]),
    ]),
  ];
  const write = upTo(ROWS).flatMap((r) => [
    ...address(X_AT, OUT, ROW, r, OUT_STEP),
    ...upTo(OUTPUTS).flatMap((o) => [
      ...op("local.get", X_AT),
      ...op("local.get", OUTPUT),
      ...op("i32.const", 2 + 2), // times four bytes
      ...op("i32.mul"),
      ...op("i32.add"),
      ...upTo(4).flatMap((lane) => [
        ...op("local.get", SUM + r * OUTPUTS + o),
        ...op("f32x4.extract_lane", lane),
        ...(lane ? op("f32.add") : []),
      ]),
      ...op("f32.store", 2, 4 * o),
    ]),
  ]);
  const tile = [
    ...upTo(ROWS).flatMap((r) => address(X_AT + r, X, ROW, r, INPUTS)),
    ...upTo(OUTPUTS).flatMap((o) => address(W_AT + o, W, OUTPUT, o, W_STEP)),
    ...clear,
    ...count(I, INPUTS, 16, addUp),
    ...write,
  ];
  return count(ROW, ROW_COUNT, ROWS, count(OUTPUT, OUTPUT_COUNT, OUTPUTS, tile));
}

/**
 * Sizes in floats of what a product needs beside weights that stay: x filled up, a matrix that was just made, results.
 * @param {Shape} shape
 * @param {number} span outputs at a time
 */
const rooms = ({ rows, inputs, outputs }, span) => ({
  x: (rows + ROWS - 1) * (inputs + 3),
  matrix: (outputs + OUTPUTS) * inputs,
  out: (rows + ROWS - 1) * (span + OUTPUTS - 1),
});

/**
 * A multiplier by WebAssembly, or null where the page has none or may not use it.
 * @param {number} weights how many floats are to stay in its memory
 * @param {number} scratch how many floats it may use besides; larger products are made in plain JavaScript
 * @returns {Multiplier | null}
 */
export function simdMultiplier(weights, scratch) {
  /** @type {WebAssembly.Memory} */
  let memory;
  /** @type {(...numbers: number[]) => void} */
  let run;
  try {
    memory = new WebAssembly.Memory({ initial: Math.ceil((4 * (weights + scratch)) / PAGE) });
    const integers = I - ROW + 1 + ROWS + OUTPUTS;
    /** @type {[number, number][]} */
    const locals = [
      [integers, I32],
      [ROWS * OUTPUTS + OUTPUTS + 1, V128],
    ];
    const compiled = new WebAssembly.Module(assemble(8, locals, code()));
    run = /** @type {any} */ (new WebAssembly.Instance(compiled, { page: { memory } }).exports).run;
  } catch {
    return null;
  }
  const free = new Float32Array(memory.buffer, 0, scratch);
  let used = scratch;
  return {
    name: "WebAssembly SIMD",
    room(numbers) {
      used += numbers;
      return new Float32Array(memory.buffer, 4 * (used - numbers), numbers);
    },
    multiply(x, matrix, out, shape, [first, stop]) {
      const { rows, inputs, outputs } = shape;
      const stays = matrix.buffer === memory.buffer;
      const need = rooms(shape, stop - first);
      if (need.x + need.out + (stays ? 0 : need.matrix) > scratch) {
        plainMultiplier.multiply(x, matrix, out, shape, [first, stop]);
        return;
      }
      const width = Math.ceil(inputs / 4) * 4;
      const step = Math.ceil((stop - first) / OUTPUTS) * OUTPUTS;
      for (let row = 0; row < rows; row += 1) {
        free.set(x.subarray(row * inputs, (row + 1) * inputs), row * width);
        free.fill(0, row * width + inputs, (row + 1) * width);
      }
      if (!stays) free.set(matrix, need.x + need.out);
      const from = (stays ? matrix.byteOffset : 4 * (need.x + need.out)) + 4 * first * inputs;
      run(0, from, 4 * inputs, 4 * need.x, 4 * step, rows, stop - first, 4 * width);
      for (let row = 0; row < rows; row += 1) {
        const at = need.x + row * step;
        out.set(free.subarray(at, at + stop - first), row * outputs + first);
      }
    },
  };
}
