// A WebAssembly module written byte by byte: one function over a memory, no tool, nothing to load.
// The format: webassembly.github.io/spec/core/binary/index.html

/** Instructions used here, by their names in the text format; those that start with 0xfd are of SIMD. */
const CODES = {
  loop: [0x03],
  br_if: [0x0d],
  end: [0x0b],
  "local.get": [0x20],
  "local.set": [0x21],
  "local.tee": [0x22],
  "f32.store": [0x38],
  "i32.const": [0x41],
  "i32.lt_u": [0x49],
  "i32.add": [0x6a],
  "i32.mul": [0x6c],
  "f32.add": [0x92],
  "v128.load": [0xfd, 0x00],
  "v128.const": [0xfd, 0x0c],
  "f32x4.extract_lane": [0xfd, 0x1f],
  "f32x4.add": [0xfd, 0xe4, 0x01],
  "f32x4.mul": [0xfd, 0xe6, 0x01],
};

export const I32 = 0x7f;
export const V128 = 0x7b;
const FUNCTION = 0x60;
/** A block that leaves nothing behind. */
const NOTHING = 0x40;

/**
 * A whole number in LEB128: seven bits a byte, the lowest first. (For i32.const, which is signed, below 64.)
 * @param {number} number not negative
 * @returns {number[]}
 */
function leb(number) {
  const bytes = [];
  let rest = number;
  for (; rest > 127; rest >>>= 7) bytes.push((rest & 127) | 128);
  return [...bytes, rest];
}

/**
 * One instruction with what follows it in the code.
 * @param {keyof typeof CODES} name
 * @param {...number} operands
 * @returns {number[]}
 */
export function op(name, ...operands) {
  if (name === "v128.const") return [...CODES[name], ...new Array(16).fill(0)]; // zero is the only one needed
  if (name === "loop") return [...CODES[name], NOTHING];
  return [...CODES[name], ...operands.flatMap(leb)];
}

/**
 * @param {number} id
 * @param {number[]} content
 */
const section = (id, content) => [id, ...leb(content.length), ...content];
/** @param {number[][]} items */
const list = (items) => [...leb(items.length), ...items.flat()];
/** @param {string} text */
const word = (text) => list([...text].map((letter) => [letter.charCodeAt(0)]));

/**
 * A module that imports "page"."memory" and exports one function, "run", of whole numbers, which returns nothing.
 * @param {number} parameters how many
 * @param {[number, number][]} locals count and type
 * @param {number[]} code
 * @returns {Uint8Array<ArrayBuffer>}
 */
export function assemble(parameters, locals, code) {
  const type = [FUNCTION, ...list(new Array(parameters).fill([I32])), 0];
  const memory = [...word("page"), ...word("memory"), 2, 0, 0];
  const variables = list(locals.map(([count, kind]) => [...leb(count), kind]));
  const body = [...variables, ...code, ...op("end")];
  return Uint8Array.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0], // "\0asm", version 1
    ...section(1, list([type])),
    ...section(2, list([memory])),
    ...section(3, list([[0]])),
    ...section(7, list([[...word("run"), 0, 0]])),
    ...section(10, list([[...leb(body.length), ...body]])),
  ]);
}
