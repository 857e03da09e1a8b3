// Where lines run between boxes. Pure functions of places; a path ends in an arrow's head.

/**
 * A place on the map, in pixels from its corner.
 * @typedef {object} Place
 * @property {number} left
 * @property {number} top
 * @property {number} right
 * @property {number} bottom
 */

const HEAD = 4;

const round = (/** @type {number} */ value) => Math.round(value * 10) / 10;

/** @param {(string | number)[]} parts */
const path = (...parts) => parts.map((part) => (typeof part === "number" ? round(part) : part)).join(" ");

/** @param {number} x @param {number} y where a line ends that runs to the right */
const headRight = (x, y) => path("M", x - HEAD, y - HEAD, "L", x, y, "L", x - HEAD, y + HEAD);

/** @param {number} x @param {number} y where a line ends that runs down */
const headDown = (x, y) => path("M", x - HEAD, y - HEAD, "L", x, y, "L", x + HEAD, y - HEAD);

const middleX = (/** @type {Place} */ { left, right }) => (left + right) / 2;
const middleY = (/** @type {Place} */ { top, bottom }) => (top + bottom) / 2;

/**
 * From a box to the next one: to the right where it stands to the right, else down; null if it is neither.
 * @param {Place} from
 * @param {Place} to
 * @param {number} [share] where on its left side the next box is reached, from 0 to 1
 */
export function route(from, to, share = 0.5) {
  if (to.left >= from.right) {
    const [startY, endY] = [middleY(from), to.top + share * (to.bottom - to.top)];
    const bend = (from.right + to.left) / 2;
    const curve = path("M", from.right, startY, "C", bend, startY, bend, endY, to.left - 1, endY);
    return `${curve} ${headRight(to.left - 1, endY)}`;
  }
  if (to.top < from.bottom) return null;
  const startX = middleX(from);
  const endX = Math.min(to.right - 8, Math.max(to.left + 8, startX));
  const bend = (from.bottom + to.top) / 2;
  const curve = path("M", startX, from.bottom, "C", startX, bend, endX, bend, endX, to.top - 1);
  return `${curve} ${headDown(endX, to.top - 1)}`;
}

/**
 * From a box to one beyond another, under that one; null where the boxes do not stand side by side.
 * @param {Place} from
 * @param {Place} beyond
 * @param {Place} to
 */
export function under(from, beyond, to) {
  if (beyond.left < from.right || to.left < beyond.right) return route(from, to);
  const startY = middleY(from);
  const low = (beyond.bottom + to.bottom) / 2;
  const bend = (from.right + beyond.left) / 2;
  const start = path("M", from.right, startY, "C", bend, startY, bend, low, beyond.left, low);
  return `${start} ${path("H", to.left - 1)} ${headRight(to.left - 1, low)}`;
}

/**
 * Out of a place, along a height, and into another from above or from below, with round corners.
 * @param {{x: number, y: number}} from
 * @param {number} along
 * @param {{x: number, y: number}} to
 */
export function around(from, along, to) {
  const turn = Math.min(6, Math.abs(along - from.y), Math.abs(along - to.y), Math.abs(to.x - from.x) / 2);
  const side = Math.sign(to.x - from.x);
  const [out, back] = [Math.sign(along - from.y), Math.sign(to.y - along)];
  const line = path(
    "M", from.x, from.y, "V", along - out * turn, "Q", from.x, along, from.x + side * turn, along,
    "H", to.x - side * turn, "Q", to.x, along, to.x, along + back * turn, "V", to.y,
  ); // prettier-ignore
  const head = path("M", to.x - HEAD, to.y - back * HEAD, "L", to.x, to.y, "L", to.x + HEAD, to.y - back * HEAD);
  return `${line} ${head}`;
}

/**
 * To the right, and down into a frame.
 * @param {{x: number, y: number}} from
 * @param {{x: number, y: number}} to
 */
export function branch(from, to) {
  const turn = Math.min(6, to.y - from.y);
  const line = path("M", from.x, from.y, "H", to.x - turn, "Q", to.x, from.y, to.x, from.y + turn, "V", to.y);
  return `${line} ${headDown(to.x, to.y)}`;
}

/**
 * A line that two boxes share: along the left side of the map and under its last line.
 * @param {Place} from
 * @param {Place} to
 * @param {number} side
 * @param {number} low
 */
export function outside(from, to, side, low) {
  const [y, x, turn] = [middleY(from), middleX(to), 6];
  return path(
    "M", from.left, y, "H", side + turn, "Q", side, y, side, y + turn,
    "V", low - turn, "Q", side, low, side + turn, low, "H", x - turn, "Q", x, low, x, low - turn, "V", to.bottom,
  ); // prettier-ignore
}
