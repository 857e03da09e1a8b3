// Vectors and weights as colours on a canvas: blue below zero, orange above, nothing where there is nothing.

/**
 * @typedef {object} Colours
 * @property {number[]} negative red, green, blue
 * @property {number[]} positive
 * @property {string} ink
 */

/**
 * A row of colours.
 * @typedef {object} Row
 * @property {ArrayLike<number>} vector
 * @property {number} height a share, beside the other rows'
 * @property {number} strength from 0 to 1: how much of its colour it has
 * @property {number} [limit] the value that has the full colour, where it is not that of all rows
 */

/**
 * The colours of a view's theme.
 * @param {Element} root
 * @returns {Colours}
 */
export function coloursOf(root) {
  const style = getComputedStyle(root);
  const parts = (/** @type {string} */ name) => style.getPropertyValue(name).trim().split(/\s+/).map(Number);
  return { negative: parts("--bvl-negative"), positive: parts("--bvl-positive"), ink: style.color };
}

/**
 * The number in a stretch of a vector that is farthest from 0: what one pixel shows of several components.
 * @param {ArrayLike<number>} vector
 * @param {number} from
 * @param {number} to
 */
export function farthest(vector, from, to) {
  let most = vector[from];
  for (let i = from + 1; i < to; i += 1) if (Math.abs(vector[i]) > Math.abs(most)) most = vector[i];
  return most;
}

/**
 * Where rows begin and end, in whole pixels.
 * @param {number[]} shares
 * @param {number} height
 * @returns {number[]} one more than rows
 */
export function edgesOf(shares, height) {
  const all = shares.reduce((sum, share) => sum + share, 0);
  let sum = 0;
  return [0, ...shares.map((share) => Math.round((height * (sum += share)) / all))];
}

/**
 * Give a canvas as many pixels as the screen has for it.
 * @param {HTMLCanvasElement} canvas
 * @returns {CanvasRenderingContext2D | null} null while it has no size
 */
function fitted(canvas) {
  const { width, height } = canvas.getBoundingClientRect();
  const scale = Math.min(window.devicePixelRatio || 1, 8000 / Math.max(height, 1));
  const [wide, high] = [Math.round(width * scale), Math.round(height * scale)];
  if (wide === 0 || high === 0) return null;
  canvas.width = wide;
  canvas.height = high;
  return canvas.getContext("2d");
}

/**
 * @param {HTMLCanvasElement} canvas
 * @param {Row[]} rows
 * @param {number} limit the value that has the full colour
 * @param {Colours} colours
 */
export function paintRows(canvas, rows, limit, { negative, positive }) {
  const context = fitted(canvas);
  if (!context || rows.length === 0) return;
  const { width, height } = canvas;
  const image = context.createImageData(width, height);
  const edges = edgesOf(
    rows.map((row) => row.height),
    height,
  );
  for (const [number, { vector, strength, limit: own = limit }] of rows.entries()) {
    const gap = rows.length > 1 && edges[number + 1] - edges[number] > 6 ? 1 : 0;
    for (let x = 0; x < width; x += 1) {
      const from = Math.floor((x * vector.length) / width);
      const value = farthest(vector, from, Math.max(from + 1, Math.floor(((x + 1) * vector.length) / width)));
      const [red, green, blue] = value < 0 ? negative : positive;
      const alpha = 255 * strength * Math.min(1, Math.abs(value) / own);
      for (let y = edges[number]; y < edges[number + 1] - gap; y += 1) {
        image.data.set([red, green, blue, alpha], 4 * (y * width + x));
      }
    }
  }
  context.putImageData(image, 0, 0);
}

/**
 * Lines between the parts of a vector that belong to different heads.
 * @param {HTMLCanvasElement} canvas
 * @param {number} heads
 * @param {Colours} colours
 */
export function paintHeads(canvas, heads, { ink }) {
  const context = canvas.getContext("2d");
  if (!context || heads > canvas.width / 8) return;
  context.fillStyle = ink;
  context.globalAlpha = 0.45;
  for (let head = 1; head < heads; head += 1) {
    context.fillRect(Math.round((head * canvas.width) / heads), 0, 1, canvas.height);
  }
  context.globalAlpha = 1;
}

/**
 * Attention weights of heads as squares side by side, in as many lines as make them largest.
 * @param {HTMLCanvasElement} canvas
 * @param {{maps: ArrayLike<number>[], chosenHead: number | null, query: number | null}} what
 * @param {Colours} colours
 */
export function paintWeights(canvas, { maps, chosenHead, query }, { negative, ink }) {
  const context = fitted(canvas);
  if (!context || maps.length === 0) return;
  const { side, perLine, lines } = packSquares(maps.length, canvas.width, canvas.height);
  const left = (canvas.width - side * perLine) / 2;
  const top = (canvas.height - side * lines) / 2;
  const inner = side - Math.max(2, Math.round(side * 0.08));
  for (const [head, weights] of maps.entries()) {
    const x = left + (head % perLine) * side;
    const y = top + Math.floor(head / perLine) * side;
    paintMap(context, { x, y, side: inner, weights, query }, negative);
    context.strokeStyle = ink;
    context.globalAlpha = head === chosenHead ? 1 : 0.3;
    context.lineWidth = head === chosenHead ? 2 : 1;
    context.strokeRect(x + 0.5, y + 0.5, inner - 1, inner - 1);
  }
  context.globalAlpha = 1;
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {{x: number, y: number, side: number, weights: ArrayLike<number>, query: number | null}} what
 * @param {number[]} colour
 */
function paintMap(context, { x, y, side, weights, query }, colour) {
  const size = Math.round(Math.sqrt(weights.length));
  context.fillStyle = `rgb(${colour.join(" ")})`;
  for (let row = 0; row < size; row += 1) {
    const dim = query === null || query === row ? 1 : 0.25;
    for (let column = 0; column < size; column += 1) {
      const alpha = dim * Math.sqrt(weights[row * size + column]);
      if (alpha < 0.02) continue;
      context.globalAlpha = alpha;
      const [fromX, toX] = [Math.round((column * side) / size), Math.round(((column + 1) * side) / size)];
      const [fromY, toY] = [Math.round((row * side) / size), Math.round(((row + 1) * side) / size)];
      context.fillRect(x + fromX, y + fromY, Math.max(1, toX - fromX), Math.max(1, toY - fromY));
    }
  }
  context.globalAlpha = 1;
}

/**
 * One head's weights, to be read cell by cell.
 * @param {HTMLCanvasElement} canvas
 * @param {{weights: ArrayLike<number>, query: number | null}} what
 * @param {Colours} colours
 */
export function paintOneMap(canvas, { weights, query }, { negative }) {
  const context = fitted(canvas);
  if (context) paintMap(context, { x: 0, y: 0, side: canvas.width, weights, query }, negative);
}

/**
 * The largest squares of which so many fit into a box.
 * @param {number} count
 * @param {number} width
 * @param {number} height
 */
export function packSquares(count, width, height) {
  let best = { side: 0, perLine: 1, lines: count };
  for (let lines = 1; lines <= count; lines += 1) {
    const perLine = Math.ceil(count / lines);
    const side = Math.floor(Math.min(width / perLine, height / lines));
    if (side > best.side) best = { side, perLine, lines };
  }
  return best;
}
