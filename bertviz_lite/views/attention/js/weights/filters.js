// Filters: what of a row of weights is hidden, and where its weight went. Pure functions.

/** @import { Axis } from "./axis.js" */

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
 * @property {number} direction on the segment that is not wanted for
 * @property {number} small below the threshold, or beyond the share of mass
 * @property {boolean} hidden whether the row itself is hidden
 */

/**
 * Whether a filter takes a token away: a special one, or one of the segment that is not wanted for.
 * @param {Axis} axis
 * @param {number} i
 * @param {Filter} filter
 * @param {"query" | "key"} as
 */
export function isHidden(axis, i, { direction, hideSpecial }, as) {
  const wanted = direction === "all" ? null : "AB".indexOf(direction.split("→")[as === "query" ? 0 : 1]);
  return (hideSpecial && axis.special[i]) || (wanted !== null && axis.segments[i] !== wanted);
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
 * Hide what a filter hides, in place. Special tokens and the other direction become NaN (not there), small weights 0
 * (there,
 * not drawn). With `renormalise` the rest is divided by its sum *before* threshold and mass are wanted, so that they
 * are about the numbers that are shown.
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
 * The largest weights of a row that together hold a share of what is there; of equal ones those further left come
 * first.
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
