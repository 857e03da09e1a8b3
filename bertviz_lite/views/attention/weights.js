// The attention explorer's arithmetic: weights as bytes, words, filters, why, colours, keys. Pure functions, no page.
// One module with common.js and view.js, see views/base/view.py.

import { dot } from "../base/js/numbers.js";

/** @import { Vector } from "../base/js/numbers.js" */

// ------------------------------------------------------------------------------------------------ weights as bytes

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
 * How far the true weight may be from the one that a code stands for: a step of the square root, since small weights of a row are
 * rounded either way so that their sum stays right (see encode_rows), and never more than 0.004.
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

// ------------------------------------------------------------------------------------------------ tokens and words

// What draws nothing or turns others round. Joiners stay: emoji and some scripts are written with them.
const MARKS = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/gu;
const JOINERS = /^[\u200c\u200d\ufe00-\ufe0f]+$/u;

/** @param {string} letter a character that draws nothing, or moves others */
function mark(letter) {
  const code = letter.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === 0x7f ? "␡" : `⟨${code.toString(16).toUpperCase().padStart(4, "0")}⟩`;
}

/**
 * A token for reading: what is invisible made visible, what is long cut. Never markup: it goes into text nodes and canvases.
 * @param {string} token
 * @param {number} [most] characters
 * @returns {string}
 */
export function readable(token, most = 24) {
  const letters = [...token.slice(0, 2 * most + 2)];
  const cut = letters.length > most || token.length > 2 * most + 2;
  const text = (cut ? [...letters.slice(0, most - 1), "…"] : letters).join("").replace(MARKS, mark);
  if (text === "" || JOINERS.test(text)) return "∅";
  return text.trim() === text ? text : text.replace(/^\s+|\s+$/gu, (blanks) => "␣".repeat(blanks.length));
}

/**
 * A word from its pieces, without the marks by which tokenizers say that a piece goes on or begins a word.
 * @param {string[]} pieces
 * @returns {string}
 */
export function wordOf(pieces) {
  if (pieces.length === 1) return pieces[0].replace(/^[Ġ▁](?=.)/u, "");
  return pieces.map((piece) => piece.replace(/^(##|[Ġ▁])/u, "").replace(/<\/w>$|@@$/u, "")).join("");
}

/**
 * @typedef {object} TokenList one axis, as Python sends it
 * @property {string[]} tokens
 * @property {number[]} segments
 * @property {number[]} special
 * @property {number[]} padding
 * @property {number[]} words
 */

/**
 * @typedef {object} Axis what stands along one side: pieces, or words
 * @property {number} size
 * @property {string[]} labels for reading
 * @property {string[]} tokens as they are
 * @property {number[]} starts where each begins among the pieces; one more than size
 * @property {boolean[]} special
 * @property {boolean[]} padding
 * @property {number[]} segments
 * @property {boolean} merged whether any of them has more than one piece
 */

/**
 * One axis. As words, neighbouring pieces of one word are one; special tokens and padding stay alone.
 * @param {TokenList} list
 * @param {boolean} words
 * @returns {Axis}
 */
export function makeAxis(list, words) {
  const { tokens } = list;
  /** @type {number[]} */
  const starts = [];
  for (let i = 0; i < tokens.length; i += 1) {
    const word = list.words[i];
    const same = words && i > 0 && word >= 0 && word === list.words[i - 1];
    if (!same) starts.push(i);
  }
  const names = starts.map((start, g) =>
    words && list.words[start] >= 0 ? wordOf(tokens.slice(start, starts[g + 1])) : tokens[start],
  );
  return {
    size: starts.length,
    labels: names.map((name) => readable(name)),
    tokens: names,
    starts: [...starts, tokens.length],
    special: starts.map((i) => Boolean(list.special[i])),
    padding: starts.map((i) => Boolean(list.padding[i])),
    segments: starts.map((i) => list.segments[i]),
    merged: starts.length < tokens.length,
  };
}

/**
 * @param {Axis} axis
 * @param {number} piece
 * @returns {number} the index on the axis that a piece belongs to
 */
export function groupOf(axis, piece) {
  let group = Math.min(piece, axis.size - 1);
  while (axis.starts[group] > piece) group -= 1;
  return group;
}

// ---------------------------------------------------------------------------------------------------- rows of weights

/** @typedef {(query: number, out: Float32Array) => void} Reader writes the weights of one query into out */

/**
 * One head of a layer's codes (heads × queries × keys), or a block with a single map (head 0).
 * @param {Uint8Array} codes
 * @param {number} queries
 * @param {number} keys
 * @param {number} [head]
 * @returns {Reader}
 */
export function headReader(codes, queries, keys, head = 0) {
  return (query, out) => {
    const start = (head * queries + query) * keys;
    for (let key = 0; key < keys; key += 1) out[key] = WEIGHTS[codes[start + key]];
  };
}

/**
 * Mean or largest weight over the heads of a layer.
 * @param {Uint8Array} codes heads × queries × keys
 * @param {number} queries
 * @param {number} keys
 * @param {"mean" | "max"} how
 * @returns {Reader}
 */
export function headsReader(codes, queries, keys, how) {
  const size = queries * keys;
  const heads = codes.length / size;
  return (query, out) => {
    out.fill(0);
    for (let head = 0; head < heads; head += 1) {
      const start = head * size + query * keys;
      for (let key = 0; key < keys; key += 1) {
        const weight = WEIGHTS[codes[start + key]];
        if (how === "mean") out[key] += weight / heads;
        else if (weight > out[key]) out[key] = weight;
      }
    }
  };
}

/**
 * Merge pieces to words: the mean over the pieces of a query, the sum over the pieces of a key. A row that sums to one
 * still does.
 * @param {Reader} read of pieces
 * @param {Axis} rows
 * @param {Axis} columns
 * @returns {Reader} of words
 */
export function mergedReader(read, rows, columns) {
  if (!rows.merged && !columns.merged) return read;
  const pieces = new Float32Array(columns.starts[columns.size]);
  return (row, out) => {
    out.fill(0);
    const [from, to] = [rows.starts[row], rows.starts[row + 1]];
    for (let query = from; query < to; query += 1) {
      read(query, pieces);
      for (let column = 0; column < columns.size; column += 1) {
        let sum = 0;
        for (let key = columns.starts[column]; key < columns.starts[column + 1]; key += 1) sum += pieces[key];
        out[column] += sum / (to - from);
      }
    }
  };
}

/**
 * @typedef {object} Filter
 * @property {string} direction "all", "A→A", "A→B", "B→A" or "B→B"
 * @property {boolean} hideSpecial
 * @property {boolean} renormalise
 * @property {number} threshold
 * @property {number} mass
 */

/**
 * @typedef {object} Shares where the weight of one row went
 * @property {number} total of the whole row
 * @property {number} special on special tokens that are hidden
 * @property {number} direction on the segment that is not asked for
 * @property {number} small below the threshold, or beyond the share of mass
 * @property {boolean} hidden whether the row itself is hidden
 */

/**
 * Whether a filter takes a token away: a special one, or one of the segment that is not asked for.
 * @param {Axis} axis
 * @param {number} i
 * @param {Filter} filter
 * @param {"query" | "key"} as
 */
export function isHidden(axis, i, { direction, hideSpecial }, as) {
  const asked = direction === "all" ? null : "AB".indexOf(direction.split("→")[as === "query" ? 0 : 1]);
  return (hideSpecial && axis.special[i]) || (asked !== null && axis.segments[i] !== asked);
}

/** Whether a filter leaves everything as it is. @param {Filter} filter */
export function isOpen(filter) {
  return (
    filter.direction === "all" &&
    !filter.hideSpecial &&
    !filter.renormalise &&
    filter.threshold <= 0 &&
    filter.mass >= 1
  );
}

/**
 * Hide what a filter hides, in place. Special tokens and the other direction become NaN (not there), small weights 0 (there,
 * not drawn). With `renormalise` the rest is divided by its sum *before* threshold and mass are asked, so that they are
 * about the numbers that are shown.
 * @param {Float32Array} row weights of one query
 * @param {number} query its index on `rows`
 * @param {Axis} rows
 * @param {Axis} columns
 * @param {Filter} filter
 * @returns {Shares}
 */
export function filterRow(row, query, rows, columns, filter) {
  const shares = { total: 0, special: 0, direction: 0, small: 0, hidden: isHidden(rows, query, filter, "query") };
  const to = filter.direction === "all" ? -1 : "AB".indexOf(filter.direction.split("→")[1]);
  let left = 0;
  for (let key = 0; key < row.length; key += 1) {
    const weight = row[key];
    shares.total += weight;
    const special = filter.hideSpecial && columns.special[key];
    const elsewhere = to >= 0 && columns.segments[key] !== to;
    if (special) shares.special += weight;
    else if (elsewhere) shares.direction += weight;
    if (shares.hidden || special || elsewhere) row[key] = NaN;
    else left += weight;
  }
  if (shares.hidden) return shares;
  if (filter.renormalise && left > 0) for (let key = 0; key < row.length; key += 1) row[key] /= left;
  const unit = filter.renormalise && left > 0 ? left : 1;
  const cut = massCut(row, filter.mass);
  for (let key = 0; key < row.length; key += 1) {
    const weight = row[key];
    if (!(weight > 0)) continue;
    const tied = weight === cut.weight;
    if (weight < filter.threshold || weight < cut.weight || (tied && cut.ties <= 0)) {
      shares.small += weight * unit;
      row[key] = 0;
    } else if (tied) cut.ties -= 1;
  }
  return shares;
}

/**
 * The largest weights of a row that together hold a share of what is there; of equal ones those further left come first.
 * @param {Float32Array} row NaN is not there
 * @param {number} mass from 0 to 1
 * @returns {{weight: number, ties: number}} the smallest weight that is kept, and how many of exactly that size
 */
export function massCut(row, mass) {
  if (mass >= 1) return { weight: 0, ties: Infinity };
  const sorted = row.filter((weight) => weight > 0).sort();
  let goal = 0;
  for (const weight of sorted) goal += weight;
  goal = goal * mass - 1e-6;
  let [held, ties] = [0, 0];
  for (let i = sorted.length - 1; i >= 0; i -= 1) {
    ties = sorted[i] === sorted[i + 1] ? ties + 1 : 1;
    held += sorted[i];
    if (held >= goal) return { weight: sorted[i], ties };
  }
  return { weight: 0, ties: Infinity };
}

/**
 * Entropy of a row in bits: 0 for one key, log2(n) for n equal ones. The row is taken as shares of its sum.
 * @param {Vector} row
 * @returns {number} NaN for an empty row
 */
export function entropy(row) {
  let [sum, logs] = [0, 0];
  for (let i = 0; i < row.length; i += 1) {
    if (!(row[i] > 0)) continue;
    sum += row[i];
    logs += row[i] * Math.log2(row[i]);
  }
  return sum > 0 ? Math.max(0, Math.log2(sum) - logs / sum) : NaN;
}

/**
 * How far a query looks on the average, in tokens.
 * @param {Vector} row
 * @param {number} query
 * @returns {number} NaN for an empty row
 */
export function meanDistance(row, query) {
  let [sum, far] = [0, 0];
  for (let key = 0; key < row.length; key += 1) {
    if (!(row[key] > 0)) continue;
    sum += row[key];
    far += row[key] * Math.abs(key - query);
  }
  return sum > 0 ? far / sum : NaN;
}

// ---------------------------------------------------------------------------------------------------- one pair: why

/**
 * @typedef {object} Why
 * @property {Float32Array} query (head_size,)
 * @property {Float32Array} key (head_size,)
 * @property {Float64Array} product by component
 * @property {number} sum of the products, q · k
 * @property {number} scaled
 * @property {number} bias
 * @property {Float64Array} scores of the whole row, scaled, with bias
 * @property {Float64Array} weights softmax of the scores
 */

/**
 * @param {Vector} scores
 * @returns {Float64Array} all zero if every score is −∞
 */
export function softmax(scores) {
  let top = -Infinity;
  for (let i = 0; i < scores.length; i += 1) top = Math.max(top, scores[i]);
  const weights = new Float64Array(scores.length);
  if (top === -Infinity) return weights;
  let sum = 0;
  for (let i = 0; i < scores.length; i += 1) {
    weights[i] = Math.exp(scores[i] - top);
    sum += weights[i];
  }
  return weights.map((weight) => weight / sum);
}

/**
 * Why a query gives a key its weight: softmax(scaling · q · kᵀ + bias), step by step, in float64.
 * @param {Float32Array} numbers queries (q × d), keys (k × d), and the bias (q × k) unless it is all zero
 * @param {{queries: number, keys: number, size: number, scaling: number}} shape
 * @param {number} query
 * @param {number} key
 * @returns {Why}
 */
export function explain(numbers, shape, query, key) {
  const { queries, keys, size, scaling } = shape;
  const at = (/** @type {number} */ row) => numbers.subarray(row * size, (row + 1) * size);
  const biases = numbers.subarray((queries + keys) * size);
  const q = at(query);
  const k = at(queries + key);
  const biasOf = (/** @type {number} */ other) => (biases.length > 0 ? biases[query * keys + other] : 0);
  const scores = Float64Array.from(
    { length: keys },
    (_, other) => scaling * dot(q, at(queries + other)) + biasOf(other),
  );
  const product = Float64Array.from({ length: size }, (_, i) => q[i] * k[i]);
  const sum = dot(q, k);
  return { query: q, key: k, product, sum, scaled: scaling * sum, bias: biasOf(key), scores, weights: softmax(scores) };
}

/**
 * The components that push a product up and down the most.
 * @param {Vector} product
 * @param {number} count of each
 * @returns {{up: number[], down: number[]}} indices, strongest first
 */
export function pushers(product, count) {
  const order = Array.from({ length: product.length }, (_, i) => i).sort((a, b) => product[b] - product[a]);
  return {
    up: order.filter((i) => product[i] > 0).slice(0, count),
    down: order
      .reverse()
      .filter((i) => product[i] < 0)
      .slice(0, count),
  };
}

// ------------------------------------------------------------------------------------------------------------ colours

/**
 * A colour of OKLCH in sRGB, where equal lightness looks equally light (Ottosson 2020, https://bottosson.github.io/posts/oklab/).
 * @param {number} lightness 0 to 1
 * @param {number} chroma
 * @param {number} hue in turns
 * @returns {number[]} red, green, blue from 0 to 255
 */
export function fromLch(lightness, chroma, hue) {
  const a = chroma * Math.cos(2 * Math.PI * hue);
  const b = chroma * Math.sin(2 * Math.PI * hue);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ].map((linear) => {
    const bounded = Math.min(1, Math.max(0, linear));
    return Math.round(255 * (bounded <= 0.0031308 ? 12.92 * bounded : 1.055 * bounded ** (1 / 2.4) - 0.055));
  });
}

/**
 * The colour of a head among `count`: hues evenly round the circle, each head 5/12 of a turn or so from the one before, so that
 * neighbours differ most; two lightnesses by turns when there are many.
 * @param {number} head
 * @param {number} count
 * @param {boolean} dark
 * @returns {number[]} red, green, blue
 */
export function headColour(head, count, dark) {
  let step = Math.max(1, Math.round((count * 5) / 12));
  while (common(step, count) > 1) step += 1;
  const place = (head * step) % count;
  const middle = dark ? 0.78 : 0.52;
  const lightness = count > 6 ? middle + (place % 2 ? 0.08 : -0.06) : middle;
  return fromLch(lightness, 0.15, 0.69 + place / count);
}

/** Greatest common divisor. @param {number} a @param {number} b @returns {number} */
function common(a, b) {
  return b === 0 ? a : common(b, a % b);
}

/** @param {number[][]} stops @param {number} at from 0 to 1 */
function between(stops, at) {
  const place = at * (stops.length - 1);
  const i = Math.min(stops.length - 2, Math.floor(place));
  return stops[i].map((value, channel) => Math.round(value + (stops[i + 1][channel] - value) * (place - i)));
}

/** @param {number[]} colour */
export function pixel([red, green, blue]) {
  return ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;
}

// The course's colours (plots.py): white to dark blue; blue below zero, orange to brown above. On dark paper turned round.
const UNSIGNED = [
  [247, 251, 255],
  [158, 202, 225],
  [33, 113, 181],
  [8, 48, 107],
];
const UNSIGNED_DARK = [
  [24, 29, 36],
  [27, 78, 130],
  [74, 152, 214],
  [222, 240, 255],
];
const SIGNED = [
  [5, 48, 97],
  [33, 102, 172],
  [103, 169, 207],
  [247, 247, 247],
  [244, 165, 130],
  [214, 96, 77],
  [127, 39, 4],
];
const SIGNED_DARK = [
  [190, 224, 250],
  [103, 169, 230],
  [40, 88, 140],
  [27, 31, 37],
  [140, 66, 32],
  [240, 140, 90],
  [255, 214, 190],
];

/**
 * 256 colours as little-endian pixels, by code; for a difference, code 128 is zero.
 * @param {boolean} signed
 * @param {boolean} dark
 * @returns {Uint32Array}
 */
export function colourTable(signed, dark) {
  const stops = signed ? (dark ? SIGNED_DARK : SIGNED) : dark ? UNSIGNED_DARK : UNSIGNED;
  return Uint32Array.from({ length: 256 }, (_, code) =>
    pixel(between(stops, signed ? Math.max(0, (code - 1) / 254) : code / 255)),
  );
}

/**
 * The code of a difference of weights, for the signed table.
 * @param {number} difference from -1 to 1
 * @returns {number} 1 to 255; 128 is zero
 */
export function signedCode(difference) {
  return 128 + Math.sign(difference) * Math.round(127 * Math.sqrt(Math.min(1, Math.abs(difference))));
}

// --------------------------------------------------------------------------------------------------------------- keys

/**
 * @typedef {object} Position where the reader is: traits, and the pair of tokens
 * @property {number} layer
 * @property {number} head
 * @property {number} query
 * @property {number} key
 */

/**
 * Where a key leads: up and down through the queries, left and right through the keys; with Shift through layers and heads.
 * @param {string} key of a KeyboardEvent
 * @param {boolean} shift
 * @param {Position} at
 * @param {{layers: number, heads: number, queries: number, keys: number}} sizes
 * @returns {Position | null} null if the key moves nothing
 */
export function moveAfterKey(key, shift, at, sizes) {
  const vertical = shift ? "layer" : "query";
  const horizontal = shift ? "head" : "key";
  const most = { layer: sizes.layers - 1, head: sizes.heads - 1, query: sizes.queries - 1, key: sizes.keys - 1 };
  /** @type {Record<string, ["layer" | "head" | "query" | "key", number]>} */
  const moves = {
    ArrowUp: [vertical, at[vertical] - 1],
    ArrowDown: [vertical, at[vertical] + 1],
    ArrowLeft: [horizontal, at[horizontal] - 1],
    ArrowRight: [horizontal, at[horizontal] + 1],
    PageUp: [vertical, at[vertical] - 10],
    PageDown: [vertical, at[vertical] + 10],
    Home: [horizontal, 0],
    End: [horizontal, most[horizontal]],
  };
  if (!Object.hasOwn(moves, key)) return null;
  const [name, goal] = moves[key];
  return { ...at, [name]: Math.min(most[name], Math.max(0, goal)) };
}

/**
 * The heads drawn together after one was switched; at least one stays.
 * @param {number[]} heads as the trait has them; [] is the chosen head alone
 * @param {number} chosen
 * @param {number} switched
 * @returns {number[]}
 */
export function toggleHead(heads, chosen, switched) {
  const now = heads.length > 0 ? heads : [chosen];
  if (!now.includes(switched)) return [...now, switched].sort((a, b) => a - b);
  return now.length > 1 ? now.filter((head) => head !== switched) : now;
}

/**
 * How many names to pass over so that those drawn have room: 1, 2, 5, 10, 20, …
 * @param {number} cell size of one
 * @param {number} room that a name needs
 * @returns {number}
 */
export function labelStep(cell, room) {
  for (let unit = 1; ; unit *= 10) {
    for (const step of [unit, 2 * unit, 5 * unit]) if (step * cell >= room) return step;
  }
}

// --------------------------------------------------------------------------------------------------- numbers in words

/** A weight as drawn or, with four digits, as it is. @param {number} weight @param {boolean} [exact] @param {boolean} [signed] */
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
