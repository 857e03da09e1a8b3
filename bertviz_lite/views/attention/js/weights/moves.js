// Where a key leads, which heads are drawn together, how many names have room. Pure functions.

/**
 * @typedef {object} Position where the reader is: traits, and the pair of tokens
 * @property {number} layer
 * @property {number} head
 * @property {number} query
 * @property {number} key
 */

/**
 * Where a key leads: up and down through the queries, left and right through the keys; with Shift through layers and
 * heads.
 * @param {string} key of a KeyboardEvent
 * @param {boolean} shift
 * @param {Position} at
 * @param {{layers: number, heads: number, queries: number, keys: number}} sizes
 * @returns {Position | null} null if the key moves nothing
 */
export function moveAfterKey(key, shift, at, sizes) {
  const vertical = shift ? "layer" : "query";
  const horizontal = shift ? "head" : "key";
  const most = { layer: sizes.layers - 1, head: sizes.heads - 1, query: sizes.queries - 1, key: sizes.keys - 1 };
  /** @type {Record<string, ["layer" | "head" | "query" | "key", number]>} */
  const moves = {
    ArrowUp: [vertical, at[vertical] - 1],
    ArrowDown: [vertical, at[vertical] + 1],
    ArrowLeft: [horizontal, at[horizontal] - 1],
    ArrowRight: [horizontal, at[horizontal] + 1],
    PageUp: [vertical, at[vertical] - 10],
    PageDown: [vertical, at[vertical] + 10],
    Home: [horizontal, 0],
    End: [horizontal, most[horizontal]],
  };
  if (!Object.hasOwn(moves, key)) return null;
  const [name, goal] = moves[key];
  return { ...at, [name]: Math.min(most[name], Math.max(0, goal)) };
}

/** The keyboard's rows of letters, by place, whatever is printed on the keys: a layer each, a key for a head. */
const KEY_ROWS = ["1234567890", "QWERTYUIOP", "ASDFGHJKL", "ZXCVBNM"].map((row) =>
  [...row].map((letter) => (letter >= "A" ? `Key${letter}` : `Digit${letter}`)),
);

/**
 * The head that a key stands for: the keyboard's rows are the layers, where it has room for all of them.
 * @param {string} code of a KeyboardEvent: the place of the key
 * @param {{layers: number, heads: number}} sizes
 * @returns {{layer: number, head: number} | null}
 */
export function headOfKey(code, { layers, heads }) {
  const layer = KEY_ROWS.findIndex((row) => row.includes(code));
  const head = KEY_ROWS[layer]?.indexOf(code) ?? -1;
  const fits = layers <= KEY_ROWS.length && KEY_ROWS.slice(0, layers).every((row) => row.length >= heads);
  return fits && layer >= 0 && layer < layers && head < heads ? { layer, head } : null;
}

/**
 * The heads drawn together after one was switched; at least one stays.
 * @param {number[]} heads as the trait has them; [] is the chosen head alone
 * @param {number} chosen
 * @param {number} switched
 * @returns {number[]}
 */
export function toggleHead(heads, chosen, switched) {
  const now = heads.length > 0 ? heads : [chosen];
  if (!now.includes(switched)) return [...now, switched].sort((a, b) => a - b);
  return now.length > 1 ? now.filter((head) => head !== switched) : now;
}

/**
 * How many names to pass over so that those drawn have room: 1, 2, 5, 10, 20, …
 * @param {number} cell size of one
 * @param {number} room that a name needs
 * @returns {number}
 */
export function labelStep(cell, room) {
  for (let unit = 1; ; unit *= 10) {
    for (const step of [unit, 2 * unit, 5 * unit]) if (step * cell >= room) return step;
  }
}
