// Probabilities and ranks from the logits of one position, as numpy makes them: a stable order, float64.

/**
 * @param {Float32Array} logits (vocab_size,)
 * @returns {Float64Array} probabilities
 */
export function probabilitiesOf(logits) {
  const most = logits.reduce((a, b) => Math.max(a, b), -Infinity);
  const shares = Float64Array.from(logits, (logit) => Math.exp(logit - most));
  const sum = shares.reduce((a, b) => a + b, 0);
  return shares.map((share) => share / sum);
}

/**
 * The ids of the largest logits, the largest first; of equal ones the smaller id.
 * @param {Float32Array} logits
 * @param {number} count
 * @param {Float32Array} [sorted] the logits, the smallest first
 * @returns {number[]}
 */
export function leadingIds(logits, count, sorted = logits.slice().sort()) {
  const least = sorted[Math.max(0, sorted.length - count)];
  const ids = [];
  for (let id = 0; id < logits.length; id += 1) if (logits[id] >= least) ids.push(id);
  return ids.sort((a, b) => logits[b] - logits[a] || a - b).slice(0, count);
}

/**
 * Ranks in the whole vocabulary: 1 is the most probable.
 * @param {Float32Array} logits
 * @param {number[]} ids
 * @param {Float32Array} [sorted] the logits, the smallest first
 * @returns {number[]}
 */
export function ranksOf(logits, ids, sorted = logits.slice().sort()) {
  return ids.map((id) => {
    const above = sorted.length - firstAbove(sorted, logits[id]);
    const isTied = sorted[sorted.length - above - 2] === logits[id];
    const before = isTied ? logits.subarray(0, id).filter((logit) => logit === logits[id]).length : 0;
    return 1 + above + before;
  });
}

/**
 * @param {Float32Array} sorted
 * @param {number} value
 * @returns {number} index of the first that is larger
 */
function firstAbove(sorted, value) {
  let [start, stop] = [0, sorted.length];
  while (start < stop) {
    const middle = (start + stop) >> 1;
    if (sorted[middle] > value) stop = middle;
    else start = middle + 1;
  }
  return start;
}
