// A tensor as a box with sheets behind it, its axes in their colours.

import { svgElement } from "../../base/js/elements.js";

/** @import { Axis } from "./path.js" */

/** Axis names with a colour of their own, the same as in the figures. */
export const AXES = ["batch", "seq_len", "hidden_size", "num_heads", "head_size", "intermediate_size", "vocab_size"];

/**
 * The class that colours an axis.
 * @param {string} name
 * @returns {string}
 */
export const colourOf = (name) => `bvl-axis-${AXES.includes(name) ? name : "other"}`;

/**
 * How long a side is drawn, from 0.12 to 1: by the logarithm of its size.
 * @param {number} size
 * @param {number} largest
 * @returns {number}
 */
export function side(size, largest) {
  return 0.12 + (0.88 * Math.log2(Math.max(size, 1))) / Math.max(Math.log2(Math.max(largest, 2)), 1);
}

/**
 * The parts of a box: its last two axes are its sides, the others sheets behind it.
 * @param {Axis[]} axes
 * @param {number} largest size that fills a side
 * @returns {{width: number, height: number, sheets: number, signs: string[]}} lengths from 0 to 1; how each axis runs
 */
export function boxOf(axes, largest) {
  const before = axes.slice(0, -2);
  const last = axes.at(-1);
  const second = axes.length > 1 ? axes.at(-2) : undefined;
  return {
    width: last ? side(last.size, largest) : 0.12,
    height: second ? side(second.size, largest) : 0.12,
    sheets: Math.min(4, Math.max(1, ...before.map(({ size }) => size))),
    signs: axes.map((_, i) => (i === axes.length - 1 ? "→" : i === axes.length - 2 ? "↓" : "×")),
  };
}

/**
 * Which axes of a shape were not there before; equal ones are told apart by how many there were.
 * @param {Axis[] | null} before
 * @param {Axis[] | null} now
 * @returns {boolean[]}
 */
export function newAxes(before, now) {
  const left = (before ?? []).map(({ text }) => text);
  return (now ?? []).map(({ text }) => {
    const index = left.indexOf(text);
    if (index >= 0) left.splice(index, 1);
    return before !== null && index < 0;
  });
}

/** In units of the picture: its width, a box as large as it gets, how far a sheet is behind another, the border. */
const [WIDE, BOX, SHIFT, BORDER] = [156, { width: 120, height: 84 }, 6, 8];

/**
 * How high a box is with its sheets.
 * @param {{height: number, sheets: number}} box as boxOf() gives it
 * @returns {number}
 */
export const highOf = ({ height, sheets }) => BOX.height * height + SHIFT * (sheets - 1) + 2 * BORDER;

/**
 * A box with sheets behind it.
 * @param {Axis[]} axes
 * @param {number} largest
 * @param {number} room height of the picture; the box stands on its ground
 * @returns {SVGElement}
 */
export function drawBox(axes, largest, room) {
  const { width, height, sheets } = boxOf(axes, largest);
  const [wide, high, shift, left, low] = [BOX.width * width, BOX.height * height, SHIFT, BORDER, room - BORDER];
  const picture = svgElement("svg", { viewBox: `0 0 ${WIDE} ${room}`, "aria-hidden": "true", class: "bvl-box" });
  const leading = axes.length > 2 ? axes[axes.length - 3] : null;
  for (let sheet = sheets - 1; sheet >= 0; sheet -= 1) {
    picture.append(
      svgElement("rect", {
        x: left + shift * sheet,
        y: low - high - shift * sheet,
        width: wide,
        height: high,
        class: sheet > 0 && leading ? `bvl-sheet ${colourOf(leading.name)}` : "bvl-sheet",
      }),
    );
  }
  const [second, last] = [axes.length > 1 ? axes[axes.length - 2] : null, axes.at(-1)];
  if (last) {
    picture.append(svgElement("path", { d: `M${left} ${low}h${wide}`, class: `bvl-edge ${colourOf(last.name)}` }));
  }
  if (second) {
    picture.append(svgElement("path", { d: `M${left} ${low}v${-high}`, class: `bvl-edge ${colourOf(second.name)}` }));
  }
  return picture;
}
