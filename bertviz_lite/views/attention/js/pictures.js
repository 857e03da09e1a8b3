// What is drawn: the weights of a side, or the difference of both, as aggregate, words and filters leave them.

import { sideName } from "../language/say.js";
import { decodeCodes } from "./weights/codes.js";
import { filterRow, isHidden, isOpen } from "./weights/filters.js";
import { headReader, headsReader, mergedReader } from "./weights/readers.js";
import { say } from "../language/say.js";

/** @import { Picture } from "./canvas/scene.js" */
/** @import { ExplorerState } from "./state.js" */
/** @import { Reader } from "./weights/readers.js" */

/**
 * Weights of one side, as the aggregate says, by tokens.
 * @param {ExplorerState} state
 * @param {number} side
 * @returns {{of: (head: number) => Reader} | {problem: string} | null} null while on its way
 */
function sourceOf(state, side) {
  const { kind, layer, aggregate } = state.traits;
  const shape = state.shape(side);
  if (layer >= shape.layers) return { problem: say("no_layer", { layer, count: shape.layers }) };
  if (aggregate === "none" && state.traits.head >= shape.heads)
    return { problem: say("no_head", { head: state.traits.head, count: shape.heads }) };
  const [queries, keys] = [shape.queries.tokens.length, (shape.keys ?? shape.queries).tokens.length];
  const last =
    aggregate === "mean all"
      ? "mean"
      : aggregate === "max all"
        ? "max"
        : aggregate === "rollout"
          ? `rollout/${layer}`
          : `layer/${layer}`;
  const name = `${side}/${kind}/${last}`;
  const block = state.store.want(name);
  if (!block) return state.store.failed.has(name) ? { problem: state.store.failed.get(name) ?? "" } : null;
  const codes = decodeCodes(block);
  if (aggregate === "none") return { of: (head) => headReader(codes, queries, keys, head) };
  const reader = aggregate.endsWith(" heads")
    ? headsReader(codes, queries, keys, aggregate === "mean heads" ? "mean" : "max")
    : headReader(codes, queries, keys);
  return { of: () => reader };
}

/**
 * One side as it is drawn.
 * @param {ExplorerState} state
 * @param {number} side
 * @returns {Picture}
 */
function pictureOf(state, side) {
  const { _meta: meta, _version: version, kind, layer, aggregate, words } = state.traits;
  const [rows, columns] = [state.axis(side, "queries"), state.axis(side, "keys")];
  const source = sourceOf(state, side);
  const filter = state.filter();
  const open = isOpen(filter);
  const name = sideName(meta.sides[side].name);
  const key = JSON.stringify([version, side, kind, layer, aggregate, words, filter, meta.sides.length]);
  const hidden = {
    rows: rows.labels.map((_, i) => isHidden(rows, i, filter, "query")),
    columns: columns.labels.map((_, i) => isHidden(columns, i, filter, "key")),
  };
  const base = { name, side, key, rows, columns, hidden, signed: false };
  if (!source || "problem" in source) {
    return {
      ...base,
      ready: false,
      problem: source && "problem" in source ? source.problem : "",
      read: () => ({ total: 0, special: 0, direction: 0, small: 0, hidden: false }),
      raw: () => {},
    };
  }
  /** @type {Map<number, Reader>} */
  const readers = new Map();
  const raw = (/** @type {number} */ head, /** @type {number} */ row, /** @type {Float32Array} */ out) => {
    let reader = readers.get(head);
    if (!reader) {
      reader = mergedReader(source.of(head), rows, columns);
      readers.set(head, reader);
    }
    reader(row, out);
  };
  const read = (/** @type {number} */ head, /** @type {number} */ row, /** @type {Float32Array} */ out) => {
    raw(head, row, out);
    if (!open) return filterRow(out, row, rows, columns, filter);
    return { total: 1, special: 0, direction: 0, small: 0, hidden: false };
  };
  return { ...base, ready: true, problem: "", read, raw };
}

/** The pictures on the stages, from the traits. @param {ExplorerState} state @returns {Picture[]} */
export function picturesOf(state) {
  const sides = state.sides();
  const pictures = sides.map((side) => pictureOf(state, side));
  if (state.traits.side !== "difference" || pictures.length < 2) return pictures;
  const [first, second] = pictures;
  const before = new Float32Array(first.columns.size);
  const same = first.rows.size === second.rows.size && first.columns.size === second.columns.size;
  return [
    {
      ...second,
      name: `${second.name} − ${first.name}`,
      key: `difference ${first.key}`,
      signed: true,
      parts: pictures,
      ready: same && first.ready && second.ready,
      problem: same ? first.problem || second.problem : say("words_differ"),
      read: (head, row, out) => {
        first.read(head, row, before);
        const shares = second.read(head, row, out);
        for (let key = 0; key < out.length; key += 1) out[key] -= before[key];
        return shares;
      },
    },
  ];
}
