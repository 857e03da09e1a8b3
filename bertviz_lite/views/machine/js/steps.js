// The vectors on a text's way, by name; what a box is made of; how sizes are written. Pure functions.

import { say } from "../language/say.js";

/**
 * An array as it travelled, row after row.
 * @typedef {object} Numbers
 * @property {Float32Array} values
 * @property {number[]} shape
 */

/** @typedef {Record<string, Numbers>} Arrays */

/**
 * A box of the map, as boxes.py describes it.
 * @typedef {object} Box
 * @property {string} id
 * @property {string} name
 * @property {string} group
 * @property {string} chapter
 * @property {string[]} axes
 * @property {string} step
 * @property {string} before
 * @property {string} what
 * @property {string} formula
 * @property {string} module
 * @property {string} hint
 * @property {string} title
 */

/** @typedef {{id: string, name: string, opens: string}} Group */

/**
 * The arrays of an answer, which names them in its facts.
 * @param {{facts: any, numbers: Float32Array}} answer
 * @returns {Arrays}
 */
export function readArrays({ facts, numbers }) {
  /** @type {Arrays} */
  const arrays = {};
  let start = 0;
  for (const [name, ...shape] of facts.arrays) {
    const size = shape.reduce((/** @type {number} */ product, /** @type {number} */ side) => product * side, 1);
    arrays[name] = { values: numbers.subarray(start, start + size), shape };
    start += size;
  }
  return arrays;
}

/**
 * Rows of an array of one or two axes.
 * @param {Numbers} numbers
 * @returns {Float32Array[]}
 */
export function rowsIn({ values, shape }) {
  const width = shape[shape.length - 1];
  return Array.from({ length: values.length / width }, (_, i) => values.subarray(i * width, (i + 1) * width));
}

/**
 * @param {Numbers[]} parts of the same shape
 * @returns {Numbers} their sum
 */
export function sumOf(parts) {
  const values = parts[0].values.slice();
  for (const { values: more } of parts.slice(1)) for (let i = 0; i < values.length; i += 1) values[i] += more[i];
  return { values, shape: parts[0].shape };
}

/**
 * The value that has the full colour: all but one number in a hundred are smaller, so that a few large ones do not
 * leave the rest white.
 * @param {ArrayLike<number>[]} vectors
 * @returns {number}
 */
export function fullColour(vectors) {
  const sizes = Float32Array.from(vectors.flatMap((vector) => Array.from(vector, Math.abs))).sort();
  return sizes.length === 0 ? 1 : sizes[Math.floor(0.99 * (sizes.length - 1))] || sizes[sizes.length - 1] || 1;
}

/** What the boxes are made of that have several inputs: of one token, row by row. @type {Record<string, string[]>} */
const MADE_OF = {
  sum: ["word", "position", "segment"],
  norm: ["sum"],
  query: ["input"],
  key: ["input"],
  value: ["input"],
  projected: ["context"],
  attended: ["input", "projected"],
  up: ["attended"],
  activated: ["up"],
  down: ["activated"],
  output: ["attended", "down"],
  transform: ["last"],
  pooler: ["last"],
};

/** What an input is called beside a result, where that is not its own name. @returns {Record<string, string>} */
const called = () => ({ input: "x", last: say("last_output"), word: say("token"), projected: say("projection") });

/**
 * What goes into a box, by name, to be shown above its result.
 * @param {string} id
 * @returns {{id: string, name: string}[]}
 */
export const inputsOf = (id) => (MADE_OF[id] ?? []).map((part) => ({ id: part, name: called()[part] ?? part }));

/**
 * The axes of a box with their sizes: "seq_len 12", "hidden_size 128".
 * @param {Box} box
 * @param {Record<string, number>} sizes
 * @returns {{name: string, size: number}[]}
 */
export function axesOf({ axes }, sizes) {
  const sizeOf = (/** @type {string} */ axis) =>
    axis === "query" || axis === "key" ? sizes.seq_len : (sizes[axis] ?? Number(axis));
  return axes.map((axis) => ({ name: /^\d+$/.test(axis) ? say("answers") : axis, size: sizeOf(axis) }));
}

/**
 * A shape for reading aloud and for narrow places: "12 × 128".
 * @param {{size: number}[]} axes
 */
export const sizesText = (axes) => axes.map(({ size }) => size.toLocaleString("en")).join(" × ");

/**
 * A shape with the names of its axes: "seq_len 12 × hidden_size 128".
 * @param {{name: string, size: number}[]} axes
 */
export const shapeText = (axes) => axes.map(({ name, size }) => `${name} ${size.toLocaleString("en")}`).join(" × ");

/**
 * Where words stand in their texts: they are looked for one after another.
 * @param {{text: string, segment: number}[]} words
 * @param {string[]} texts
 * @returns {({start: number, end: number} | null)[]}
 */
export function findWords(words, texts) {
  const from = [0, 0];
  return words.map(({ text, segment }) => {
    const start = text === "" ? -1 : (texts[segment] ?? "").indexOf(text, from[segment]);
    if (start < 0) return null;
    from[segment] = start + text.length;
    return { start, end: from[segment] };
  });
}

/**
 * The texts with the word hidden that a token belongs to.
 * @param {any} facts
 * @param {number} token
 * @param {string} mask
 * @returns {string[] | null} null if the token is no part of a word, or hidden already
 */
export function hideWord(facts, token, mask) {
  /** @type {{text: string, start: number, stop: number, segment: number}[]} */
  const words = facts.words.map((/** @type {[string, number, number, number]} */ word) => ({
    text: word[0],
    start: word[1],
    stop: word[2],
    segment: word[3],
  }));
  const texts = [facts.text, facts.text_pair];
  const number = words.findIndex(({ start, stop }) => start <= token && token < stop);
  const place = number < 0 || words[number].text === mask ? null : findWords(words, texts)[number];
  if (!place) return null;
  const { segment } = words[number];
  texts[segment] = texts[segment].slice(0, place.start) + mask + texts[segment].slice(place.end);
  return texts;
}

/**
 * The tokens that a head reads most from, for one query.
 * @param {ArrayLike<number>} weights of the query, one for each key
 * @param {number} count
 * @returns {number[]} keys, the heaviest first
 */
export const heaviest = (weights, count) =>
  Array.from(weights, (_, key) => key)
    .sort((a, b) => weights[b] - weights[a] || a - b)
    .slice(0, count);

/**
 * Softmax of two logits: the probability of the first.
 * @param {ArrayLike<number>} logits
 */
export const firstOfTwo = (logits) => 1 / (1 + Math.exp(logits[1] - logits[0]));

/**
 * A number with four digits, however small it is.
 * @param {number} value
 */
export function exactText(value) {
  const size = Math.abs(value);
  const text = size === 0 || size >= 0.001 ? String(Number(size.toPrecision(4))) : size.toExponential(3);
  return (value < 0 ? "−" : "") + text.replace("-", "−");
}

/**
 * One number of a vector, for the read-out.
 * @param {object} what
 * @param {string} what.name
 * @param {number} what.component
 * @param {number} what.value
 * @param {number | null} what.headSize of vectors that are split among heads
 */
export function numberText({ name, component, value, headSize }) {
  const read = { name, component, value: exactText(value) };
  if (headSize === null) return say("number_read", read);
  return say("number_read_head", { ...read, head: Math.floor(component / headSize), own: component % headSize });
}
