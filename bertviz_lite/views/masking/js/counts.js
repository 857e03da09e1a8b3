// Counts of a draw beside what is to be expected. Pure functions.

import { OUTCOMES, outcomes } from "./draws.js";

/** @import { Rules, Sentence } from "./draws.js" */

/**
 * The range in which the hits of independent tries lie: 95 %, central. As binomial_interval in Python.
 * @param {number} count of tries
 * @param {number} share probability of a hit
 * @returns {[number, number]}
 */
export function binomialInterval(count, share) {
  if (share <= 0 || share >= 1) return share >= 1 ? [count, count] : [0, 0];
  const odds = Math.log(share / (1 - share));
  let logarithm = count * Math.log1p(-share);
  let below = 0;
  let low = -1;
  for (let hits = 0; hits <= count; hits += 1) {
    below += Math.exp(logarithm);
    if (low < 0 && below > 0.025) low = hits;
    if (below > 0.975) return [low, hits];
    logarithm += Math.log((count - hits) / (hits + 1)) + odds;
  }
  return [Math.max(low, 0), count];
}

/**
 * @typedef {object} Count
 * @property {string} what "chosen", or what becomes of a token
 * @property {string} of "words" or "tokens"
 * @property {number} hits
 * @property {number} tries
 * @property {number} expected
 * @property {[number, number]} range in which 95 % of such counts lie
 */

/**
 * How often each outcome occurred, beside what is to be expected.
 * @param {Sentence} sentence
 * @param {number[]} seeds over which is counted
 * @param {Rules} rules
 * @returns {Count[]}
 */
export function counts(sentence, seeds, rules) {
  const ordinary = sentence.tokens.map((_, place) => place).filter((place) => sentence.ordinary[place]);
  const heads = ordinary.filter(
    (place) => !ordinary.some((other) => other < place && sentence.first[other] === sentence.first[place]),
  );
  const units = rules.wholeWords ? heads : ordinary;
  /** @type {Record<string, number>} */
  const hits = { chosen: 0, mask: 0, random: 0, keep: 0 };
  for (const seed of seeds) {
    const each = outcomes(sentence, seed, rules);
    for (const unit of units) if (OUTCOMES.includes(each[unit])) hits.chosen += 1;
    for (const outcome of each) if (outcome in hits) hits[outcome] += 1;
  }
  const chosen = hits.mask + hits.random + hits.keep;
  const row = (
    /** @type {string} */ what,
    /** @type {string} */ of,
    /** @type {number} */ tries,
    /** @type {number} */ share,
  ) => ({
    what,
    of,
    hits: hits[what],
    tries,
    expected: tries * share,
    range: binomialInterval(tries, share),
  });
  return [
    row("chosen", rules.wholeWords ? "words" : "tokens", units.length * seeds.length, rules.rate),
    ...OUTCOMES.map((outcome, place) => row(outcome, "tokens", chosen, rules.shares[place])),
  ];
}
