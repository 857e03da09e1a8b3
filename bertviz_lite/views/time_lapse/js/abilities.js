// When an ability is there, and what a moment knows. Pure functions.

/**
 * @typedef {object} Moment one moment of the run
 * @property {number} step
 * @property {number | null} tokens that the model had read
 * @property {Record<string, number | null>} scores
 * @property {Record<string, [number, number]>} heads for a relation, the layer and head that follow it best
 */

/**
 * @typedef {object} Ability one score over the run; see _training_run.py
 * @property {string} name
 * @property {(number | null)[]} values
 * @property {number | null} start the first value that was measured
 * @property {number | null} level what counts as there; null where the score does not rise
 * @property {number | null} first index of the moment at which it is there
 * @property {number | null} below index of the last one before it that was measured
 */

/**
 * One score over the run, and when it has made a share of its way.
 * @param {string} name
 * @param {(number | null)[]} values
 * @param {number} threshold
 * @param {number} leastRise
 * @returns {Ability}
 */
export function abilityOf(name, values, threshold, leastRise) {
  const measured = values.flatMap((value, index) => (value === null ? [] : [{ value, index }]));
  const start = measured.length > 0 ? measured[0].value : null;
  const best = Math.max(...measured.map(({ value }) => value));
  if (start === null || !(best - start >= leastRise))
    return { name, values, start, level: null, first: null, below: null };
  const level = start + threshold * (best - start);
  // The best value is reached, whatever the last bits of the sum above say.
  const first = /** @type {{index: number}} */ (measured.find(({ value }) => value >= level || value === best)).index;
  const below = measured.filter(({ index }) => index < first).at(-1)?.index ?? null;
  return { name, values, start, level, first, below };
}

/**
 * Why an ability never appears, as a key of the language tables.
 * @param {(number | null)[]} values
 * @returns {"no_rise" | "once" | "at_end"}
 */
export function absenceOf(values) {
  if (values.filter((value) => value !== null).length !== 1) return "no_rise";
  return values.at(-1) === null ? "once" : "at_end";
}

/**
 * Every score, those that appear first in front, those that never do at the end.
 * @param {Moment[]} moments
 * @param {number} threshold
 * @param {number} leastRise
 * @returns {Ability[]}
 */
export function abilitiesOf(moments, threshold, leastRise) {
  const names = [...new Set(moments.flatMap(({ scores }) => Object.keys(scores)))];
  const every = names.map((name) =>
    abilityOf(
      name,
      moments.map(({ scores }) => scores[name] ?? null),
      threshold,
      leastRise,
    ),
  );
  const rank = (/** @type {Ability} */ ability) => ability.first ?? moments.length;
  return every.sort((a, b) => rank(a) - rank(b));
}

/**
 * The losses as the log told them last; null before its first entry.
 * @param {{step: number, mlm_loss: number, nsp_loss: number}[]} losses
 * @param {number} step
 */
export function lossesAt(losses, step) {
  return losses.filter((entry) => entry.step <= step).at(-1) ?? null;
}
