// Where lines and their names stand in the chart. Pure functions.

/**
 * The end of an axis of shares: a round number, at least `most`.
 * @param {number} most
 * @returns {number} at most 1
 */
export function axisEnd(most) {
  if (!(most > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(most));
  const times = [1, 2, 3, 4, 5, 6, 8, 10].find((factor) => factor * power >= most * (1 - 1e-9)) ?? 10;
  return Math.min(1, times * power);
}

/**
 * The end of an axis of ranks: a power of ten, at least `most`, or the last rank that there is.
 * @param {number} most
 * @param {number} count of the words that are ranked
 * @returns {number}
 */
export function rankEnd(most, count) {
  return Math.min(count, Math.max(10, 10 ** Math.ceil(Math.log10(most) - 1e-9)));
}

/**
 * What is written on an axis of ranks: powers of ten, and its end.
 * @param {number} end
 * @returns {number[]}
 */
export function rankMarks(end) {
  const powers = Array.from({ length: Math.ceil(Math.log10(end) - 1e-9) }, (_, i) => 10 ** i);
  return [...powers, end];
}

/**
 * Where a value stands from the top of the chart, in hundredths of its height.
 * @param {number} value a probability, or a rank
 * @param {string} scale "probability" or "rank"
 * @param {number} end of the axis
 * @returns {number}
 */
export function heightOf(value, scale, end) {
  return scale === "rank" ? (100 * Math.log(value)) / Math.log(end) : 100 * (1 - value / end);
}

/**
 * Move labels apart so that none covers another, and no further than needed; their order stays.
 * @param {number[]} places wanted
 * @param {number} gap the least distance
 * @param {number} end places are from 0 to end
 * @returns {number[]}
 */
export function spread(places, gap, end) {
  const order = places.map((_, i) => i).sort((a, b) => places[a] - places[b]);
  const room = Math.min(gap, order.length > 1 ? end / (order.length - 1) : gap);
  const moved = new Array(places.length);
  let least = 0;
  for (const i of order) {
    moved[i] = Math.max(least, places[i]);
    least = moved[i] + room;
  }
  let most = end;
  for (const i of order.reverse()) {
    moved[i] = Math.min(most, moved[i]);
    most = moved[i] - room;
  }
  return moved;
}

/**
 * The line nearest to a point.
 * @param {number[][]} lines heights of each line at every layer, in hundredths
 * @param {number} x of the point, from 0 to 1 over all layers
 * @param {number} y of the point, in hundredths
 * @returns {number} -1 if there is none
 */
export function nearestLine(lines, x, y) {
  let best = -1;
  let least = Infinity;
  for (const [number, heights] of lines.entries()) {
    const place = Math.min(1, Math.max(0, x)) * (heights.length - 1);
    const left = Math.min(Math.floor(place), Math.max(0, heights.length - 2));
    const right = Math.min(left + 1, heights.length - 1);
    const here = heights[left] + (place - left) * (heights[right] - heights[left]);
    if (Math.abs(here - y) < least) [best, least] = [number, Math.abs(here - y)];
  }
  return best;
}
