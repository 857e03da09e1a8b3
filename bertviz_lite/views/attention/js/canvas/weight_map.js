// All weights of a head as pixels.

import { signedCode } from "../weights/colours.js";

/** @import { Picture } from "./scene.js" */
/** @import { Theme } from "./theme.js" */

/** @typedef {{total: number, special: number, direction: number, small: number, rows: number}} Sums of some rows */

/** What the filters take away, by reason. @type {("total" | "special" | "direction" | "small")[]} */
const SUMMED = ["total", "special", "direction", "small"];

/** All weights as pixels, one a cell, or the largest of a few where cells are smaller than a pixel. */
export class WeightMap {
  constructor() {
    this.canvas = document.createElement("canvas");
    this.key = "";
    /** How many cells a pixel stands for, across and down. */
    this.pool = 1;
    /** What the filters took away from all rows. */
    this.sums = { total: 0, special: 0, direction: 0, small: 0, rows: 0 };
  }

  /**
   * @param {Picture} picture
   * @param {number} head
   * @param {Theme} theme
   * @param {number} cell size of a cell
   */
  paint(picture, head, theme, cell) {
    const { rows, columns, signed } = picture;
    const pool = Math.max(1, Math.ceil(1 / (cell * (window.devicePixelRatio || 1)) - 0.01));
    const key = [picture.key, head, theme.key, pool].join();
    if (key === this.key) return;
    this.key = key;
    this.pool = pool;
    const [height, width] = [Math.ceil(rows.size / pool), Math.ceil(columns.size / pool)];
    Object.assign(this.canvas, { width, height });
    const pen = /** @type {CanvasRenderingContext2D} */ (this.canvas.getContext("2d"));
    const image = pen.createImageData(width, height);
    const pixels = new Uint32Array(image.data.buffer);
    const table = signed ? theme.signedTable : theme.unsignedTable;
    const row = new Float32Array(columns.size);
    const strongest = new Float32Array(width);
    const sums = { total: 0, special: 0, direction: 0, small: 0, rows: 0 };
    for (let top = 0; top < height; top += 1) {
      strongest.fill(NaN);
      for (let g = top * pool; g < Math.min(rows.size, (top + 1) * pool); g += 1) {
        const shares = picture.read(head, g, row);
        if (!shares.hidden && !rows.padding[g]) {
          for (const name of SUMMED) sums[name] += shares[name];
          sums.rows += 1;
        }
        for (let k = 0; k < columns.size; k += 1) {
          const place = pool === 1 ? k : (k / pool) | 0;
          const weight = row[k];
          if (!(Math.abs(weight) <= Math.abs(strongest[place])))
            strongest[place] = weight === weight ? weight : strongest[place];
        }
      }
      for (let x = 0; x < width; x += 1) {
        const weight = strongest[x];
        let colour = theme.hidden;
        if (weight === weight)
          colour = table[signed ? signedCode(weight) : (255 * Math.sqrt(weight < 1 ? weight : 1) + 0.5) | 0];
        pixels[top * width + x] = colour;
      }
    }
    pen.putImageData(image, 0, 0);
    this.sums = sums;
  }

  free() {
    Object.assign(this.canvas, { width: 0, height: 0 });
  }
}
