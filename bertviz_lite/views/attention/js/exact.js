// Weights in words: exactly where Python sent them or queries and keys are in the page, else as drawn with their error.

import { decodeFloats } from "../../base/js/numbers.js";
import { pieceCount } from "./weights/axis.js";
import { drawnError, drawnWeight, formatError, formatWeight } from "./weights/codes.js";
import { rowOfScores } from "./weights/explain.js";
import { filterRow, isOpen } from "./weights/filters.js";
import { mergedReader } from "./weights/readers.js";
import { say } from "../language/say.js";

/** @import { Picture } from "./canvas/scene.js" */
/** @import { ExplorerState } from "./state.js" */

/**
 * Whether exact weights can be had here: from Python, or worked out from queries and keys that the page holds.
 * @param {ExplorerState} state
 * @param {number} side
 */
export function canBeExact(state, side) {
  const { _meta: meta, kind, layer, head, aggregate } = state.traits;
  if (aggregate !== "none") return false;
  const shape = state.shape(side);
  return meta.live || (shape.why && state.store.blocks.has(`${side}/${kind}/why/${layer}/${head}`));
}

/** Numbers of blocks, decoded once. @type {WeakMap<DataView, Float32Array>} */
const DECODED = new WeakMap();

/**
 * Queries, keys and bias of a head.
 * @param {DataView} block
 * @returns {Float32Array}
 */
export function numbersOf(block) {
  let numbers = DECODED.get(block);
  if (!numbers) {
    numbers = decodeFloats(block);
    DECODED.set(block, numbers);
  }
  return numbers;
}

/**
 * The weights that one token gives, exactly.
 * @param {ExplorerState} state
 * @param {{side: number, head: number, query: number, ask: boolean}} which
 * @returns {ArrayLike<number> | null} null if they are not here
 */
function tokenRow(state, { side, head, query, ask }) {
  const { _meta: meta, kind, layer } = state.traits;
  const name = meta.live ? `${side}/${kind}/exact/${layer}/${head}/${query}` : `${side}/${kind}/why/${layer}/${head}`;
  const block = ask ? state.store.want(name) : (state.store.here.get(name) ?? null);
  if (!block || meta.live) return block && numbersOf(block);
  const { queries, keys, head_size: size, scaling } = state.shape(side);
  const lengths = { queries: queries.tokens.length, keys: (keys ?? queries).tokens.length };
  return rowOfScores(numbersOf(block), { ...lengths, size, scaling: scaling[layer] }, query);
}

/**
 * The weights of one query exactly, through words and filters, if they are here.
 * @param {ExplorerState} state
 * @param {object} which
 * @param {number} which.side
 * @param {number} which.head
 * @param {number} which.row on the side's axis
 * @param {boolean} [which.ask] ask for what is needed, too
 * @param {boolean} [which.filtered]
 * @returns {Float32Array | null}
 */
export function exactRow(state, { side, head, row, ask = false, filtered = true }) {
  if (!canBeExact(state, side)) return null;
  const [rows, columns] = [state.axis(side, "queries"), state.axis(side, "keys")];
  /** @type {Map<number, ArrayLike<number>>} */
  const exact = new Map();
  for (let query = rows.starts[row]; query < rows.starts[row + 1]; query += 1) {
    const weights = tokenRow(state, { side, head, query, ask });
    if (weights) exact.set(query, weights);
  }
  if (exact.size < rows.starts[row + 1] - rows.starts[row]) return null;
  const out = new Float32Array(columns.size);
  mergedReader(
    (query, weights) => weights.set(/** @type {ArrayLike<number>} */ (exact.get(query))),
    rows,
    columns,
  )(row, out);
  if (filtered && !isOpen(state.filter())) filterRow(out, row, rows, columns, state.filter());
  return out;
}

/**
 * The weight of a pair in words: as it is, or as drawn with its error; and whether the filters leave it out.
 * @param {ExplorerState} state
 * @param {Picture} picture
 * @param {number} head
 * @param {number} query
 * @param {number} key
 */
export function weightOf(state, picture, head, query, key) {
  const row = new Float32Array(picture.columns.size);
  picture.read(head, query, row);
  const shown = row[key];
  if (picture.parts)
    return Number.isNaN(shown) ? say("hidden") : differenceOf(state, picture.parts, head, query, key, shown);
  picture.raw(head, query, row);
  const exact = exactRow(state, { side: picture.side, head, row: query, filtered: false });
  const text = exact ? formatWeight(exact[key], true) : drawnWeight(row[key], pieceCount(picture.columns, key));
  if (Number.isNaN(shown)) return say("weight_hidden", { text });
  if (shown === 0 && row[key] > 0) return say("weight_not_drawn", { text });
  return state.traits.renormalise ? say("of_what_is_left", { share: formatWeight(shown), text }) : text;
}

/**
 * @param {ExplorerState} state
 * @param {Picture[]} parts
 * @param {number} head
 * @param {number} query
 * @param {number} key
 * @param {number} shown
 */
function differenceOf(state, parts, head, query, key, shown) {
  const [a, b] = parts.map((part) => exactRow(state, { side: part.side, head, row: query }));
  if (a && b) return formatWeight(b[key] - a[key], true, true);
  const error = parts.reduce((sum, part) => {
    const row = new Float32Array(part.columns.size);
    part.read(head, query, row);
    return sum + drawnError(row[key], pieceCount(part.columns, key));
  }, 0);
  return `${formatWeight(shown, error < 5e-4, true)} ${formatError(error)}`;
}
