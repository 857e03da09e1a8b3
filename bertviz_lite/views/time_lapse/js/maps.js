// Weights as codes and as colours. Pure functions.

/**
 * The weight that a code stands for: see encode_attention in history.py.
 * @param {number} code from 0 to 255
 * @returns {number}
 */
export function weightOf(code) {
  return (code / 255) ** 2;
}

/**
 * The strongest weight of a map; of those on words if there are any.
 * @param {Uint8Array} map size × size codes, a row for each query
 * @param {string[]} tokens
 * @returns {{query: number, key: number}}
 */
export function strongestOf(map, tokens) {
  const special = tokens.map((token) => /^\[.+\]$|^[.,;:!?]$/.test(token));
  for (const counts of [(/** @type {number} */ i) => !special[i], () => true]) {
    let best = -1;
    let most = -1;
    for (const [at, code] of map.entries()) {
      const [query, key] = [Math.floor(at / tokens.length), at % tokens.length];
      if (query !== key && counts(query) && counts(key) && code > most) [best, most] = [at, code];
    }
    if (best >= 0) return { query: Math.floor(best / tokens.length), key: best % tokens.length };
  }
  return { query: 0, key: 0 };
}

const PALETTES = {
  light: [0xf7fbff, 0x9ecae1, 0x2171b5, 0x08306b],
  dark: [0x1b222a, 0x24598a, 0x6db3ea, 0xf2f9ff],
};

/**
 * The colour of each code, as an image's pixels take it: by the code, so by the square root of the weight.
 * @param {boolean} dark
 * @returns {Uint8ClampedArray} 256 × 4
 */
export function paletteOf(dark) {
  const stops = PALETTES[dark ? "dark" : "light"].map((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]);
  const table = new Uint8ClampedArray(256 * 4);
  for (let code = 0; code < 256; code += 1) {
    const place = (code / 255) * (stops.length - 1);
    const left = Math.min(Math.floor(place), stops.length - 2);
    for (let part = 0; part < 3; part += 1) {
      table[4 * code + part] = Math.round(
        stops[left][part] + (place - left) * (stops[left + 1][part] - stops[left][part]),
      );
    }
    table[4 * code + 3] = 255;
  }
  return table;
}
