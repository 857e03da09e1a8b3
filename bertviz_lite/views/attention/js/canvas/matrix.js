// One head as a matrix: queries down, keys across.

import { labelStep } from "../weights/moves.js";
import { cornerNames, cornerFont, paintNames } from "./matrix_names.js";
import { ScrolledCanvas } from "./scrolled_canvas.js";
import { WeightMap } from "./weight_map.js";

/** @import { Axis } from "../weights/axis.js" */
/** @import { Extent, Focus, Picture, Scene } from "./scene.js" */
/** @import { Theme } from "./theme.js" */

/** Letters, in pixels, are never smaller. */
const SMALLEST = 12;

export class MatrixPanel extends ScrolledCanvas {
  constructor() {
    super("bvl-matrix");
    this.zoom = 1;
    this.cell = 1;
    this.fitCell = 1;
    this.left = 0;
    this.top = 0;
    /** Whether the names of the keys are slanted, and how far they then lean beyond the last column. */
    this.slanted = true;
    this.lean = 0;
    /** How wide all of it is, unscrolled. */
    this.whole = 0;
    this.map = new WeightMap();
  }

  /**
   * @param {Scene} scene
   * @param {Extent} extent
   * @param {number} room
   * @param {number} tallest
   */
  layout({ picture, theme, ruler }, extent, room, tallest) {
    const { rows, columns } = picture;
    const large = 2.1 * theme.size;
    ruler.use(cornerFont(theme));
    const corner = ruler.widest(cornerNames(), Infinity) + 12;
    // Names are as large as their cells allow, down to a size that can still be read.
    for (let letter = 0.82 * theme.size; ; letter -= 0.04 * theme.size) {
      this.letter = Math.max(SMALLEST, Math.round(letter * 4) / 4);
      this.font = `${this.letter}px ${theme.letters}`;
      ruler.use(this.font);
      this.left = Math.max(ruler.widest(extent.rowNames, Math.min(8 * theme.size, 0.3 * room)) + 16, corner);
      const names = ruler.widest(extent.columnNames, 7 * theme.size);
      const least = Math.ceil(2.6 * theme.size); // for what stands in the corner
      this.top = Math.max(Math.ceil(names * 0.82) + 22, least);
      // Slanted names lean to the right beyond the last column; where columns are narrow they stand upright.
      const cellOf = (/** @type {number} */ lean) =>
        Math.min((room - this.left - lean - 2) / extent.columns, (tallest - this.top - 4) / extent.rows, large);
      this.lean = Math.ceil(names * 0.57) + 4;
      const cell = cellOf(this.lean);
      // Where upright names make small cells larger, cells come first.
      this.slanted = cell >= 1.1 * this.letter && (cell >= 1.3 * this.letter || cellOf(2) < 1.1 * cell);
      if (!this.slanted) {
        this.lean = 2;
        this.top = Math.max(names + 20, least);
      }
      this.fitCell = Math.max(0.2, cellOf(this.lean));
      if (this.letter === SMALLEST || letter <= 0.68 * theme.size || labelStep(this.fitCell, this.letter * 1.1) === 1)
        break;
    }
    this.cell = Math.max(this.fitCell, Math.min(this.fitCell * this.zoom, large));
    const scale = window.devicePixelRatio || 1;
    if (this.cell * scale >= 3) this.cell = Math.floor(this.cell * scale) / scale; // all cells alike
    this.whole = this.left + columns.size * this.cell + this.lean;
    this.fit(this.whole, this.top + rows.size * this.cell + 3, room, tallest);
  }

  /** Whether there is anything to enlarge. @param {Theme} theme */
  canZoom(theme) {
    return this.fitCell < theme.size;
  }

  /**
   * Enlarge around a cell, or around the middle.
   * @param {number} zoom
   * @param {Theme} theme
   * @param {() => void} redraw lays out again
   * @param {{x: number, y: number}} [at] in the box
   */
  zoomTo(zoom, theme, redraw, at = { x: (this.width + this.left) / 2, y: (this.height + this.top) / 2 }) {
    const { box } = this;
    const before = this.cell;
    const [x, y] = [(at.x - this.left + box.scrollLeft) / before, (at.y - this.top + box.scrollTop) / before];
    this.zoom = Math.min(Math.max(1, zoom), (2.1 * theme.size) / this.fitCell);
    redraw();
    box.scrollLeft = x * this.cell - at.x + this.left;
    box.scrollTop = y * this.cell - at.y + this.top;
  }

  /** @param {Scene} scene */
  paint(scene) {
    const { picture, head, theme, focus } = scene;
    this.map.paint(picture, head, theme, this.cell);
    const { cell, left, top, width, height, box } = this;
    const { rows, columns } = picture;
    const pen = this.clear(this.canvas, theme.paper);
    const [x0, y0] = [left - box.scrollLeft, top - box.scrollTop];
    pen.save();
    pen.beginPath();
    pen.rect(left, top, columns.size * cell, rows.size * cell);
    pen.clip();
    pen.imageSmoothingEnabled = false;
    const { canvas, pool } = this.map;
    pen.drawImage(canvas, x0, y0, canvas.width * pool * cell, canvas.height * pool * cell);
    const span = { width: columns.size * cell, height: rows.size * cell };
    this.grid(pen, scene, { x: x0, y: y0 }, span);
    if (focus.query !== null || focus.key !== null) this.stepBack(pen, scene, { x: x0, y: y0 }, span);
    pen.restore();
    pen.strokeStyle = theme.line;
    pen.lineWidth = 1;
    pen.strokeRect(
      Math.max(left, x0) - 0.5,
      Math.max(top, y0) - 0.5,
      Math.min(span.width, width - left) + 1,
      Math.min(span.height, height - top) + 1,
    );
    paintNames(pen, this, scene);
  }

  /**
   * Around what is pointed at or pinned all else steps back.
   * @param {CanvasRenderingContext2D} pen
   * @param {Scene} scene
   * @param {{x: number, y: number}} origin of the first cell
   * @param {{width: number, height: number}} span of all cells
   */
  stepBack(pen, { theme, focus }, { x, y }, span) {
    const { cell } = this;
    pen.fillStyle = theme.paper;
    pen.globalAlpha = 0.5;
    const band = {
      x: focus.key === null ? x : x + focus.key * cell,
      y: focus.query === null ? y : y + focus.query * cell,
    };
    pen.beginPath();
    pen.rect(x, y, span.width, span.height);
    if (focus.query !== null) pen.rect(x, band.y, span.width, cell);
    if (focus.key !== null && focus.query === null) pen.rect(band.x, y, cell, span.height);
    if (focus.key !== null && focus.query !== null) {
      pen.rect(band.x, y, cell, focus.query * cell);
      pen.rect(band.x, band.y + cell, cell, span.height - (focus.query + 1) * cell);
    }
    pen.fill("evenodd");
    pen.globalAlpha = 1;
    pen.strokeStyle = theme.focus;
    pen.lineWidth = 1;
    pen.globalAlpha = 0.55;
    if (focus.query !== null) pen.strokeRect(x - 1, band.y - 0.5, span.width + 2, cell + 1);
    if (focus.key !== null) pen.strokeRect(band.x - 0.5, y - 1, cell + 1, span.height + 2);
    pen.globalAlpha = 1;
    if (focus.query !== null && focus.key !== null) {
      const grown = Math.max(cell, 5);
      const [left, top] = [band.x + (cell - grown) / 2, band.y + (cell - grown) / 2];
      pen.lineWidth = 4;
      pen.strokeStyle = theme.paper;
      pen.strokeRect(left - 1, top - 1, grown + 2, grown + 2);
      pen.lineWidth = 2;
      pen.strokeStyle = theme.focus;
      pen.strokeRect(left - 1, top - 1, grown + 2, grown + 2);
    }
  }

  /**
   * Fine lines between large cells; a stronger one where sentence B begins.
   * @param {CanvasRenderingContext2D} pen
   * @param {Scene} scene
   * @param {{x: number, y: number}} origin of the first cell
   * @param {{width: number, height: number}} span of all cells
   */
  grid(pen, { picture, theme }, { x, y }, span) {
    const { cell } = this;
    const line = (/** @type {Axis} */ axis, /** @type {boolean} */ across) => {
      for (let i = 1; i < axis.size; i += 1) {
        const border = axis.segments[i] !== axis.segments[i - 1];
        if (!border && cell < 9) continue;
        pen.fillStyle = border ? theme.soft : theme.paper;
        const at = Math.round(i * cell) - (border ? 1 : 0.5);
        if (across) pen.fillRect(x + at, y, border ? 1.5 : 1, span.height);
        else pen.fillRect(x, y + at, span.width, border ? 1.5 : 1);
      }
    };
    line(picture.columns, true);
    line(picture.rows, false);
  }

  /**
   * Which cell lies at a point of the box; a name counts as its whole row or column.
   * @param {number} x
   * @param {number} y
   * @param {Picture} picture
   * @returns {Focus | null}
   */
  at(x, y, picture) {
    const { cell, left, top, box } = this;
    const column = Math.floor((x - left + box.scrollLeft) / cell);
    const row = Math.floor((y - top + box.scrollTop) / cell);
    const query = y >= top && row < picture.rows.size ? row : null;
    const key = x >= left && column < picture.columns.size ? column : null;
    if ((y >= top && query === null) || (x >= left && key === null)) return null;
    return query === null && key === null ? null : { query, key };
  }

  /**
   * Where a pair's cell is, in the box.
   * @param {Focus} focus
   * @returns {{x: number, y: number}}
   */
  placeOf({ query, key }) {
    const { cell, left, top, box } = this;
    return {
      x: key === null ? left : left + (key + 0.5) * cell - box.scrollLeft,
      y: query === null ? top : top + (query + 0.5) * cell - box.scrollTop,
    };
  }

  /** @param {Focus} focus */
  show({ query, key }) {
    const { cell, left, top, box } = this;
    const x = key === null ? box.scrollLeft : key * cell;
    const y = query === null ? box.scrollTop : query * cell;
    this.reveal(x, y, x + (key === null ? 0 : left + cell + 2), y + (query === null ? 0 : top + cell + 2));
  }

  free() {
    super.free();
    this.map.free();
  }
}
