// What was computed last: the parts of a picture are asked for one after another, and come of the same pass.

const MOST_KEPT = 6;

/** @type {WeakMap<object, Map<string, Promise<any>>>} */
const kept = new WeakMap();

/**
 * The result for a key, computed if it is not among the last ones; what was refused is not kept.
 * @template T
 * @param {object} engine what computes it
 * @param {any} key can be written as JSON
 * @param {() => Promise<T>} compute
 * @returns {Promise<T>}
 */
export function remembered(engine, key, compute) {
  const results = kept.get(engine) ?? new Map();
  kept.set(engine, results);
  const name = JSON.stringify(key);
  const result = results.get(name) ?? compute();
  results.delete(name);
  results.set(name, result); // the latest last
  result.catch(() => results.delete(name));
  for (const old of [...results.keys()].slice(0, -MOST_KEPT)) results.delete(old);
  return result;
}
