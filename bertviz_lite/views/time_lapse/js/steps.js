// Where the steps of a training run stand, and how they are written. Pure functions.

import { spoken } from "../../base/js/language/language.js";
import { say } from "../language/say.js";

const [PLACE_ZERO, PLACE_START, PLACE_END] = [0.04, 0.12, 0.97];

/**
 * Where a step stands from left (0) to right (1): by its logarithm, and step 0 apart.
 * @param {number} step
 * @param {number[]} steps of the moments
 * @returns {number}
 */
export function placeOf(step, steps) {
  const first = steps.find((each) => each > 0) ?? 1;
  if (step < first) return PLACE_ZERO;
  const span = Math.log(Math.max(steps[steps.length - 1], first) / first);
  return PLACE_START + (PLACE_END - PLACE_START) * (span > 0 ? Math.log(step / first) / span : 0);
}

/**
 * The marks of the axis: 0 if it is a moment, and the powers of ten.
 * @param {number[]} steps
 * @returns {number[]}
 */
export function tickSteps(steps) {
  const first = steps.find((each) => each > 0) ?? 1;
  const powers = Array.from({ length: 12 }, (_, k) => 10 ** k).filter(
    (power) => power >= first && power <= steps[steps.length - 1],
  );
  return steps[0] === 0 ? [0, ...powers] : powers;
}

/**
 * The moment that stands nearest to a place.
 * @param {number} x from 0 to 1
 * @param {number[]} steps
 * @returns {number}
 */
export function momentAt(x, steps) {
  const far = steps.map((step) => Math.abs(placeOf(step, steps) - x));
  return far.indexOf(Math.min(...far));
}

/**
 * A line through values for an SVG of 100 × 100; a value that is missing leaves a gap.
 * @param {(number | null)[]} values
 * @param {number[]} places from 0 to 1, one a value
 * @param {number} top the value at the upper edge; 0 stands at the lower one
 * @returns {{line: string, dots: string}} path data; a dot is a line of no length, for round ends
 */
export function pathsOf(values, places, top) {
  const line = [];
  const dots = [];
  let isOpen = false;
  for (const [index, value] of values.entries()) {
    if (value === null || !Number.isFinite(value)) {
      isOpen = false;
      continue;
    }
    const at = `${(100 * places[index]).toFixed(2)} ${heightOf(value, top).toFixed(2)}`;
    line.push(`${isOpen ? "L" : "M"}${at}`);
    dots.push(`M${at}h0`);
    isOpen = true;
  }
  return { line: line.join(""), dots: dots.join("") };
}

/**
 * Where a value stands in an SVG of height 100, with room for its dot.
 * @param {number} value
 * @param {number} top
 * @returns {number}
 */
export function heightOf(value, top) {
  return 92 - 84 * (top > 0 ? Math.min(1, Math.max(0, value / top)) : 0);
}

/** A whole number with commas. @param {number} count */
export const formatCount = (count) => String(Math.round(count)).replace(/\B(?=(\d{3})+$)/g, ",");

/**
 * A large count in words: three digits that matter.
 * @param {number} count
 * @returns {string}
 */
export function formatLarge(count) {
  const [large, middle] = spoken() === "zh" ? [1e8, 1e4] : [1e9, 1e6];
  for (const [unit, name] of /** @type {[number, string][]} */ ([
    [large, say("large")],
    [middle, say("middle")],
  ])) {
    if (count >= unit) return `${Number((count / unit).toPrecision(3))} ${name}`;
  }
  return formatCount(count);
}
