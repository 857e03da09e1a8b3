// The names along both axes of a matrix.

import { labelStep } from "../weights/moves.js";
import { FADED } from "./scene.js";
import { say } from "../../language/say.js";

/** @import { Axis } from "../weights/axis.js" */
/** @import { MatrixPanel } from "./matrix.js" */
/** @import { Scene } from "./scene.js" */
/** @import { Theme } from "./theme.js" */

/**
 * One axis and how it is drawn.
 * @typedef {object} Side
 * @property {Axis} axis
 * @property {boolean} across whether it runs along the top
 * @property {boolean[]} hidden tokens that the filters take away
 * @property {number | null} chosen
 * @property {number | null} pin
 * @property {number} start where the first cell would be, unscrolled
 * @property {number} scroll
 * @property {number} room
 */

/**
 * As many names as there is room for, and always the one that is pointed at.
 * @param {CanvasRenderingContext2D} pen
 * @param {MatrixPanel} matrix
 * @param {Scene} scene
 */
export function paintNames(pen, matrix, scene) {
  const { picture, theme, ruler, focus, pinned } = scene;
  const { left, top, box, width, height } = matrix;
  ruler.use(matrix.font);
  pen.font = matrix.font;
  pen.textBaseline = "middle";
  paintSide(pen, matrix, scene, {
    axis: picture.columns,
    across: true,
    hidden: picture.hidden.columns,
    chosen: focus.key,
    pin: pinned.key,
    start: left,
    scroll: box.scrollLeft,
    room: width,
  });
  paintSide(pen, matrix, scene, {
    axis: picture.rows,
    across: false,
    hidden: picture.hidden.rows,
    chosen: focus.query,
    pin: pinned.query,
    start: top,
    scroll: box.scrollTop,
    room: height,
  });
  pen.fillStyle = theme.soft;
  pen.textAlign = "right";
  pen.font = cornerFont(theme);
  pen.fillText(cornerNames()[0], left - 8, top - 14 - 0.95 * theme.size);
  pen.fillText(cornerNames()[1], left - 8, top - 14);
}

/** What stands in the corner between the names: which way keys and queries run. */
export const cornerNames = () => [say("corner_key"), say("corner_query")];

/** @param {Theme} theme */
export const cornerFont = (theme) => `${Math.max(12, 0.74 * theme.size)}px ${theme.letters}`;

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {MatrixPanel} matrix
 * @param {Scene} scene
 * @param {Side} side
 */
function paintSide(pen, matrix, scene, side) {
  const { cell, letter, lean } = matrix;
  const { axis, across, chosen, pin, start, scroll, room } = side;
  const first = Math.max(0, Math.floor(scroll / cell));
  const last = Math.min(axis.size - 1, Math.floor((scroll + room - start - (across ? lean : 0)) / cell));
  const step = labelStep(cell, letter * 1.1);
  for (let i = Math.ceil(first / step) * step; i <= last; i += step) {
    const near = [chosen, pin].some((other) => other !== null && other !== i && Math.abs(other - i) * cell < letter);
    if (i !== chosen && i !== pin && !near) paintName(pen, matrix, scene, side, i);
  }
  if (pin !== null && pin !== chosen && pin < axis.size) paintName(pen, matrix, scene, side, pin);
  if (chosen !== null) paintName(pen, matrix, scene, side, chosen);
  paintSentences(pen, matrix, scene.theme, side, first, last);
}

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {MatrixPanel} matrix
 * @param {Scene} scene
 * @param {Side} side
 * @param {number} i
 */
function paintName(pen, matrix, { theme, ruler }, { axis, across, hidden, chosen, pin, start, scroll, room }, i) {
  const { cell, left, top, letter, slanted } = matrix;
  const strong = i === chosen;
  const at = start + (i + 0.5) * cell - scroll;
  if (at < start || at > room + cell) return;
  const most = across ? top - 16 : left - 16;
  const text = ruler.cut(axis.labels[i], across && slanted ? most / 0.82 : most);
  const wide = ruler.width(text);
  pen.save();
  if (across) {
    pen.translate(at, top - 9);
    pen.rotate(slanted ? -0.96 : -Math.PI / 2);
  } else pen.translate(left - 10, at);
  pen.textAlign = across ? "left" : "right";
  pen.direction = "ltr";
  const from = across ? -3 : -wide - 4;
  if (strong) {
    pen.fillStyle = theme.focus;
    pen.beginPath();
    pen.roundRect(from, -letter * 0.6, wide + 7, letter * 1.2, 3);
    pen.fill();
  }
  pen.fillStyle = strong ? theme.paper : axis.special[i] || axis.padding[i] ? theme.soft : theme.ink;
  if (!strong && hidden[i]) pen.globalAlpha = FADED;
  pen.fillText(text, 0, 0);
  pen.globalAlpha = 1;
  if (i === pin) {
    pen.fillStyle = strong ? theme.paper : theme.focus;
    pen.fillRect(across ? 0 : -wide, letter * 0.52, wide, 1.5);
  }
  pen.restore();
}

/**
 * A coloured edge per sentence, between the names and the cells.
 * @param {CanvasRenderingContext2D} pen
 * @param {MatrixPanel} matrix
 * @param {Theme} theme
 * @param {Side} side
 * @param {number} first
 * @param {number} last
 */
function paintSentences(pen, { cell, left, top }, theme, { axis, across, start, scroll }, first, last) {
  if (!axis.segments.includes(1)) return;
  for (let i = first; i <= last; ) {
    let end = i;
    while (end <= last && axis.segments[end] === axis.segments[i]) end += 1;
    pen.fillStyle = theme.segments[axis.segments[i] ? 1 : 0];
    const from = Math.max(start - scroll + i * cell, across ? left : top);
    const size = start - scroll + end * cell - from - (end - i > 1 ? 1 : 0);
    if (across) pen.fillRect(from, top - 5, size, 3);
    else pen.fillRect(left - 5, from, 3, size);
    i = end;
  }
}
