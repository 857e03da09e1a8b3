// One head, or several, as ribbons from a column of queries to a column of keys.

import { css } from "../weights/colours.js";
import { massCut } from "../weights/filters.js";
import { endTitles, paintLabels, titleFont } from "./ribbon_labels.js";
import { ScrolledCanvas } from "./scrolled_canvas.js";

/** @import { Extent, Focus, Picture, Scene } from "./scene.js" */

const UNDER_LINES = 4; // pixels below the last one
const LEVELS = 14; // of opacity and width

/** Lesser weights are left out until their query or key is pointed at: they would be seen as a haze only. */
export const FAINTEST = { single: 0.004, several: 0.01 };

export class RibbonPanel extends ScrolledCanvas {
  constructor() {
    super("bvl-ribbons");
    this.line = 20;
    this.top = 0;
    this.left = 0;
    this.right = 0;
    /** Room for the weights beside the keys. */
    this.numbers = 0;
  }

  /**
   * @param {Scene} scene
   * @param {Extent} extent
   * @param {number} room
   * @param {number} tallest
   */
  layout({ picture, theme, ruler, heads }, extent, room, tallest) {
    this.letter = Math.round(theme.size * 0.88 * 2) / 2;
    this.font = `${this.letter}px ${theme.letters}`;
    this.top = Math.ceil(theme.size * 1.5);
    const most = Math.max(extent.rows, extent.columns);
    const least = Math.round(theme.size * 1.25);
    this.line = Math.max(least, Math.min(2 * theme.size, Math.floor((tallest - this.top - UNDER_LINES) / most)));
    ruler.use(titleFont(theme, this.letter));
    const title = ruler.widest(endTitles(), Infinity) + 12;
    ruler.use(this.font);
    const widest = Math.min(8 * theme.size, 0.29 * room);
    const tall = this.top + most * this.line + UNDER_LINES > tallest;
    const inner = room - (tall ? 16 : 0);
    this.left = Math.max(ruler.widest(extent.rowNames, widest) + 16, title);
    this.numbers = Math.ceil(theme.size * (picture.signed ? 3 : heads.length > 1 ? 3.8 : 2.3));
    this.right = inner - ruler.widest(extent.columnNames, widest) - 16 - this.numbers;
    this.fit(inner, this.top + most * this.line + UNDER_LINES, room, tallest);
  }

  /** @param {Scene} scene */
  paint(scene) {
    const { picture, theme, focus, heads, isHalf } = scene;
    const { rows, columns } = picture;
    const { line, top, box, height } = this;
    const scroll = box.scrollTop;
    const first = Math.max(0, Math.floor(scroll / line));
    const last = Math.ceil((scroll + height - top) / line);
    const sight = { first, last };
    const key = [
      picture.key,
      theme.key,
      heads.map(({ head }) => head),
      isHalf,
      scroll,
      this.width,
      height,
      line,
      this.left,
      this.right,
    ].join();
    if (key !== this.baseKey) {
      this.baseKey = key;
      const pen = this.clear(this.base, theme.paper);
      this.inside(pen, () =>
        this.ribbons(pen, scene, null, sight, heads.length > 1 ? FAINTEST.several : FAINTEST.single),
      );
    }
    const pen = this.clear(this.canvas, theme.paper);
    const chosen = focus.query !== null || focus.key !== null;
    pen.globalAlpha = chosen ? 0.13 : 1;
    pen.drawImage(this.base, 0, 0, this.width, this.height);
    pen.globalAlpha = 1;
    if (chosen) {
      const faintest = heads.length > 1 ? FAINTEST.several : 0.001;
      this.inside(pen, () => {
        const pair = focus.query !== null && focus.key !== null;
        // Around a pair, the rest of its row stays in sight.
        if (pair) this.ribbons(pen, scene, { query: focus.query, key: null }, sight, faintest, 0.3);
        this.ribbons(pen, scene, focus, sight, pair ? 0 : faintest);
      });
    }
    paintLabels(pen, this, scene, { first, last: Math.min(last, Math.max(rows.size, columns.size) - 1) });
  }

  /** Draw between the two columns only. @param {CanvasRenderingContext2D} pen @param {() => void} draw */
  inside(pen, draw) {
    pen.save();
    pen.beginPath();
    pen.rect(this.left, this.top, this.right - this.left, this.height);
    pen.clip();
    draw();
    pen.restore();
  }

  /**
   * Ribbons, as wide as their weight and as opaque as its root, one stroke for all of a level.
   * @param {CanvasRenderingContext2D} pen
   * @param {Scene} scene
   * @param {Focus | null} only these; null is all
   * @param {{first: number, last: number}} sight rows in sight
   * @param {number} faintest weight
   * @param {number} [opacity] of all of them
   */
  ribbons(pen, { picture, theme, heads, isHalf }, only, { first, last }, faintest, opacity = 1) {
    const { rows, columns, signed } = picture;
    const { line, top, left, right, box } = this;
    const origin = top + line / 2 - box.scrollTop;
    const middle = (left + right) / 2;
    const row = new Float32Array(columns.size);
    const widest = line * 0.82;
    for (const { head, colour } of heads) {
      for (const sign of signed ? [1, -1] : [1]) {
        const paths = Array.from({ length: LEVELS }, () => /** @type {Path2D | null} */ (null));
        for (let query = 0; query < rows.size; query += 1) {
          if (only && only.query !== null && only.query !== query) continue;
          picture.read(head, query, row);
          const inSight = query >= first && query <= last;
          let [from, to] = inSight ? [0, columns.size - 1] : [first, Math.min(last, columns.size - 1)];
          if (only && only.key !== null) [from, to] = [Math.max(from, only.key), Math.min(to, only.key)];
          const y = origin + query * line;
          const least = isHalf && !only && !signed ? massCut(row, 0.5).weight : 0;
          for (let key = from; key <= to; key += 1) {
            const weight = row[key] * sign;
            if (!(weight > faintest) || weight < least) continue;
            const level = Math.min(LEVELS - 1, Math.floor(Math.sqrt(weight) * LEVELS));
            const path = (paths[level] ??= new Path2D());
            const end = origin + key * line;
            path.moveTo(left, y);
            path.bezierCurveTo(middle, y, middle, end, right, end);
          }
        }
        paths.forEach((path, level) => {
          if (!path) return;
          const root = (level + 0.5) / LEVELS;
          pen.lineWidth = Math.max(only ? 1 : 0.7, root ** 2 * widest);
          pen.strokeStyle = css(
            signed ? (sign > 0 ? theme.positive : theme.negative) : colour,
            opacity * Math.min(0.9, (only ? 0.08 : 0.04) + 0.85 * root ** 1.5),
          );
          pen.stroke(path);
        });
      }
    }
  }

  /**
   * @param {number} x
   * @param {number} y
   * @param {Picture} picture
   * @returns {Focus | null}
   */
  at(x, y, picture) {
    const i = Math.floor((y - this.top + this.box.scrollTop) / this.line);
    const across = x > (this.left + this.right) / 2;
    if (y < this.top || i < 0 || i >= (across ? picture.columns : picture.rows).size) return null;
    return across ? { query: null, key: i } : { query: i, key: null };
  }

  /**
   * Where a pair is named, in the box.
   * @param {Focus} focus
   * @returns {{x: number, y: number}}
   */
  placeOf({ query, key }) {
    const i = key ?? query ?? 0;
    return { x: key === null ? this.left : this.right, y: this.top + (i + 0.5) * this.line - this.box.scrollTop };
  }

  /** @param {Focus} focus */
  show({ query, key }) {
    const { line, top } = this;
    const places = [key, query].filter((place) => place !== null);
    for (const place of places) this.reveal(0, place * line, 0, place * line + top + line + 4);
  }
}
