// Colours of weights, of differences and of heads. Pure functions.

/** @import { Vector } from "../../../base/js/numbers.js" */

/**
 * A colour of OKLCH in sRGB, where equal lightness looks equally light (Ottosson 2020,
 * https://bottosson.github.io/posts/oklab/).
 * @param {number} lightness 0 to 1
 * @param {number} chroma
 * @param {number} hue in turns
 * @returns {number[]} red, green, blue from 0 to 255
 */
export function fromLch(lightness, chroma, hue) {
  const a = chroma * Math.cos(2 * Math.PI * hue);
  const b = chroma * Math.sin(2 * Math.PI * hue);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ].map((linear) => {
    const bounded = Math.min(1, Math.max(0, linear));
    return Math.round(255 * (bounded <= 0.0031308 ? 12.92 * bounded : 1.055 * bounded ** (1 / 2.4) - 0.055));
  });
}

/**
 * The colour of a head among `count`: hues evenly round the circle, each head 5/12 of a turn or so from the one
 * before, so that neighbours differ most; two lightnesses by turns when there are many.
 * @param {number} head
 * @param {number} count
 * @param {boolean} dark
 * @returns {number[]} red, green, blue
 */
export function headColour(head, count, dark) {
  let step = Math.max(1, Math.round((count * 5) / 12));
  while (common(step, count) > 1) step += 1;
  const place = (head * step) % count;
  const middle = dark ? 0.78 : 0.52;
  const lightness = count > 6 ? middle + (place % 2 ? 0.08 : -0.06) : middle;
  return fromLch(lightness, 0.15, 0.69 + place / count);
}

/** Greatest common divisor. @param {number} a @param {number} b @returns {number} */
function common(a, b) {
  return b === 0 ? a : common(b, a % b);
}

/** @param {number[][]} stops @param {number} at from 0 to 1 */
function between(stops, at) {
  const place = at * (stops.length - 1);
  const i = Math.min(stops.length - 2, Math.floor(place));
  return stops[i].map((value, channel) => Math.round(value + (stops[i + 1][channel] - value) * (place - i)));
}

/** @param {number[]} colour */
export function pixel([red, green, blue]) {
  return ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;
}

// The course's colours (plots.py): white to dark blue; blue below zero, orange to brown above. On dark paper turned
// round.
const UNSIGNED = [
  [247, 251, 255],
  [158, 202, 225],
  [33, 113, 181],
  [8, 48, 107],
];

const UNSIGNED_DARK = [
  [24, 29, 36],
  [27, 78, 130],
  [74, 152, 214],
  [222, 240, 255],
];

const SIGNED = [
  [5, 48, 97],
  [33, 102, 172],
  [103, 169, 207],
  [247, 247, 247],
  [244, 165, 130],
  [214, 96, 77],
  [127, 39, 4],
];

const SIGNED_DARK = [
  [190, 224, 250],
  [103, 169, 230],
  [40, 88, 140],
  [27, 31, 37],
  [140, 66, 32],
  [240, 140, 90],
  [255, 214, 190],
];

/**
 * 256 colours as little-endian pixels, by code; for a difference, code 128 is zero.
 * @param {boolean} signed
 * @param {boolean} dark
 * @returns {Uint32Array}
 */
export function colourTable(signed, dark) {
  const stops = signed ? (dark ? SIGNED_DARK : SIGNED) : dark ? UNSIGNED_DARK : UNSIGNED;
  return Uint32Array.from({ length: 256 }, (_, code) =>
    pixel(between(stops, signed ? Math.max(0, (code - 1) / 254) : code / 255)),
  );
}

/**
 * The code of a difference of weights, for the signed table.
 * @param {number} difference from -1 to 1
 * @returns {number} 1 to 255; 128 is zero
 */
export function signedCode(difference) {
  return 128 + Math.sign(difference) * Math.round(127 * Math.sqrt(Math.min(1, Math.abs(difference))));
}

/** @param {Vector} colour @param {number} [alpha] */
export const css = (colour, alpha = 1) => `rgb(${colour[0]} ${colour[1]} ${colour[2]} / ${alpha})`;
