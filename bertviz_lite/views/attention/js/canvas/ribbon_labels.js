// The names in both columns of the ribbons, and how much a chosen one gives or gets.

import { css } from "../weights/colours.js";
import { FADED } from "./scene.js";
import { say } from "../../language/say.js";

/** @import { RibbonPanel } from "./ribbons.js" */
/** @import { Scene } from "./scene.js" */
/** @import { Theme } from "./theme.js" */

const SHOWN_NUMBERS = 0.01;

/**
 * What a chosen query gives to every key, or a chosen key gets from every query.
 * @typedef {object} Given
 * @property {boolean} across whether it is the keys that get
 * @property {Float32Array[]} weights by head
 */

/**
 * One name of one column, and where it stands.
 * @typedef {object} Place
 * @property {boolean} across whether it is a key
 * @property {number} i on its axis
 * @property {number} y
 */

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {RibbonPanel} panel
 * @param {Scene} scene
 * @param {{first: number, last: number}} sight rows in sight
 */
export function paintLabels(pen, panel, scene, { first, last }) {
  const { picture, theme, ruler } = scene;
  const { line, top, left, right, box, letter } = panel;
  ruler.use(panel.font);
  pen.font = panel.font;
  pen.textBaseline = "middle";
  pen.direction = "ltr";
  const given = givenBy(scene);
  pen.save();
  pen.beginPath();
  pen.rect(0, top, panel.width, panel.height);
  pen.clip();
  for (let i = first; i <= last; i += 1) {
    const y = top + (i + 0.5) * line - box.scrollTop;
    for (const across of [false, true]) {
      if (i >= (across ? picture.columns : picture.rows).size) continue;
      // Only one end is chosen: the other column shows how much each gets, as in the matrix' row or column.
      if (given?.across === across) paintGiven(pen, panel, scene, given, { across, i, y });
      paintLabel(pen, panel, scene, { across, i, y });
    }
  }
  pen.restore();
  pen.fillStyle = theme.soft;
  pen.font = titleFont(theme, letter);
  pen.textAlign = "right";
  pen.fillText(endTitles()[0], left - 10, top / 2);
  pen.textAlign = "left";
  pen.fillText(endTitles()[1], right + 10, top / 2);
}

/** Titles of the columns. */
export const endTitles = () => [say("column_query"), say("column_key")];

/** @param {Theme} theme @param {number} letter */
export const titleFont = (theme, letter) => `${Math.max(12, letter * 0.9)}px ${theme.letters}`;

/** @param {Scene} scene @returns {Given | null} */
function givenBy({ picture, focus, heads, exact }) {
  const { rows, columns } = picture;
  const { query: chosen, key } = focus;
  if (chosen === null && key === null) return null;
  const row = new Float32Array(columns.size);
  const weights = heads.map(({ head }) => {
    if (chosen !== null) {
      picture.read(head, chosen, row);
      // A number is read, where a colour is only seen: 8 bits would turn 0.065 into .06.
      return exact(head, chosen) ?? row.slice();
    }
    return Float32Array.from({ length: rows.size }, (_, query) => {
      picture.read(head, query, row);
      return row[key ?? 0];
    });
  });
  return { across: chosen !== null, weights };
}

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {RibbonPanel} panel
 * @param {Scene} scene
 * @param {Given} given
 * @param {Place} place
 */
function paintGiven(pen, { line, left, right, width, numbers }, { picture, theme, heads }, { weights }, place) {
  const { across, i, y } = place;
  const end = width - numbers;
  const slice = (line - 3) / heads.length;
  const [start, stop] = across ? [right + 5, end - 2] : [2, left - 5];
  const gap = heads.length > 1 ? 0.5 : 0;
  heads.forEach(({ colour }, n) => {
    const weight = weights[n][i];
    if (!(Math.abs(weight) > 0.0005)) return;
    const tint = picture.signed ? (weight > 0 ? theme.positive : theme.negative) : colour;
    pen.fillStyle = css(tint, 0.06 + 0.5 * Math.sqrt(Math.abs(weight)));
    pen.fillRect(start, y - line / 2 + 1.5 + n * slice, stop - start, Math.max(1, slice - gap));
  });
  if (!across) return; // on the left there is no room for the number
  pen.fillStyle = theme.ink;
  pen.textAlign = "left";
  const text = strongest(
    heads.map(({ head }, n) => ({ head, weight: weights[n][i] })),
    picture.signed,
  );
  pen.fillText(text, end + 3, y);
}

/**
 * The number beside a key: of one head its weight, of several the strongest head and its weight.
 * @param {{head: number, weight: number}[]} weights
 * @param {boolean} signed
 */
function strongest(weights, signed) {
  const { head, weight } = weights.reduce((a, b) => (Math.abs(b.weight) > Math.abs(a.weight) ? b : a));
  if (!(Math.abs(weight) >= SHOWN_NUMBERS)) return "";
  const text = Math.abs(weight).toFixed(2).replace(/^0/, "");
  const sign = weight > 0 ? "+" : "−";
  return `${weights.length > 1 ? `${head}: ` : ""}${signed ? sign : ""}${text}`;
}

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {RibbonPanel} panel
 * @param {Scene} scene
 * @param {Place} place
 */
function paintLabel(pen, panel, scene, { across, i, y }) {
  const { line, left, right, width, numbers, letter } = panel;
  const { picture, theme, ruler, focus, pinned } = scene;
  const axis = across ? picture.columns : picture.rows;
  const strong = i === (across ? focus.key : focus.query);
  const [x, room] = across ? [right + 10, width - numbers - right - 12] : [left - 10, left - 14];
  const text = ruler.cut(axis.labels[i], room);
  const wide = ruler.width(text);
  if (strong) {
    pen.fillStyle = theme.focus;
    pen.beginPath();
    pen.roundRect(across ? x - 4 : x - wide - 4, y - letter * 0.72, wide + 8, letter * 1.44, 3);
    pen.fill();
  }
  pen.fillStyle = strong ? theme.paper : axis.special[i] || axis.padding[i] ? theme.soft : theme.ink;
  pen.textAlign = across ? "left" : "right";
  if (!strong && (across ? picture.hidden.columns : picture.hidden.rows)[i]) pen.globalAlpha = FADED;
  pen.fillText(text, x, y);
  pen.globalAlpha = 1;
  if (i === (across ? pinned.key : pinned.query)) {
    pen.fillStyle = strong ? theme.paper : theme.focus;
    pen.fillRect(across ? x : x - wide, y + letter * 0.56, wide, 1.5);
  }
  if (!axis.segments.includes(1)) return;
  const border = i > 0 && axis.segments[i - 1] !== axis.segments[i] ? 1.5 : 0;
  pen.fillStyle = theme.segments[axis.segments[i] ? 1 : 0];
  pen.fillRect(across ? right + 1 : left - 4, y - line / 2 + border, 3, line + 0.5);
}
