// The attention explorer's canvases: one head as a matrix and as ribbons, all heads as small pictures.
// One module with common.js and view.js, see views/base/view.py.

import { element } from "../base/js/elements.js";
import { WEIGHTS, colourTable, headColour, labelStep, pixel, signedCode } from "./weights.js";

/** @import { Vector } from "../base/js/numbers.js" */
/** @import { Axis, Shares } from "./weights.js" */

const LEVELS = 14; // of opacity and width, for ribbons
// Weights below are left out of the ribbons until their query or key is pointed at: they would be seen as a haze only.
export const FAINTEST = { one: 0.004, several: 0.01 };
const SHOWN_NUMBERS = 0.01;
const FADED = 0.4; // names of tokens that the filters take away

/** @param {Vector} colour @param {number} [alpha] */
export const css = (colour, alpha = 1) => `rgb(${colour[0]} ${colour[1]} ${colour[2]} / ${alpha})`;

/**
 * The colours and letters of the theme, for canvases.
 * @param {HTMLElement} root
 */
export function readTheme(root) {
  const style = getComputedStyle(root);
  const of = (/** @type {string} */ name) => style.getPropertyValue(`--bvl-${name}`).trim();
  const dark = root.dataset.theme === "dark";
  const size = Number.parseFloat(style.fontSize) || 15;
  const hidden = dark ? [52, 58, 66] : [226, 229, 233];
  return {
    key: [root.dataset.theme, size, of("paper"), of("ink"), window.devicePixelRatio].join(),
    dark,
    size,
    letters: style.fontFamily,
    ink: of("ink"),
    soft: of("soft"),
    paper: of("paper"),
    raised: of("raised"),
    line: of("line"),
    focus: of("focus"),
    chosen: of("chosen"),
    segments: [of("token"), of("position")],
    negative: of("negative").split(" ").map(Number),
    positive: of("positive").split(" ").map(Number),
    unsignedTable: colourTable(false, dark),
    signedTable: colourTable(true, dark),
    hidden: pixel(hidden),
    hiddenColour: css(hidden),
    single: dark ? [103, 176, 240] : [20, 99, 176],
  };
}

/** @typedef {ReturnType<typeof readTheme>} Theme */

/**
 * @typedef {object} Picture what one stage shows: a side, or the difference of both
 * @property {string} name
 * @property {number} side
 * @property {string} key differs whenever a drawn weight may
 * @property {Axis} rows
 * @property {Axis} columns
 * @property {{rows: boolean[], columns: boolean[]}} hidden tokens that the filters take away
 * @property {boolean} signed
 * @property {boolean} ready
 * @property {string} problem why there is nothing to show
 * @property {(head: number, row: number, out: Float32Array) => Shares} read weights as the filters leave them
 * @property {(head: number, row: number, out: Float32Array) => void} raw weights before the filters
 * @property {Picture[]} [parts] the two sides of a difference
 */

/**
 * @typedef {object} Extent the largest of the pictures side by side: all are drawn on the scale that it has room for
 * @property {number} rows
 * @property {number} columns
 * @property {string[]} rowNames of all pictures
 * @property {string[]} columnNames
 */

/** A canvas as large as its box, over a content that may be larger and is scrolled. */
export class ScrolledCanvas {
  /** @param {string} className */
  constructor(className) {
    this.canvas = /** @type {HTMLCanvasElement} */ (element("canvas", { role: "img" }));
    this.sizer = element("div", { class: "bvl-sizer" }, this.canvas);
    this.box = element("div", { class: `bvl-scrolled ${className}`, role: "application", tabindex: 0 }, this.sizer);
    this.width = 0;
    this.height = 0;
    /** The base picture, kept so that pointing need not draw it again. */
    this.base = document.createElement("canvas");
    this.baseKey = "";
    this.fitted = "";
    /** Size of the names, and their font. */
    this.letter = 12;
    this.font = "";
  }

  /**
   * @param {number} width of the content
   * @param {number} height of the content
   * @param {number} room width of the box
   * @param {number} tallest the box may be
   */
  fit(width, height, room, tallest) {
    const wide = width > room + 0.5;
    const tall = height > tallest + 0.5;
    const shown = Math.ceil(Math.min(height + (wide && !tall ? 17 : 0), tallest));
    const key = [width, height, room, tallest].join();
    if (key === this.fitted) return;
    this.fitted = key;
    this.box.style.height = `${shown}px`;
    this.sizer.style.width = `${Math.floor(width)}px`;
    this.sizer.style.height = `${Math.floor(height)}px`;
    this.width = Math.min(this.box.clientWidth, wide ? Infinity : Math.ceil(width));
    this.height = Math.min(this.box.clientHeight, tall ? Infinity : Math.ceil(height));
    this.canvas.style.width = `${this.width}px`;
    this.canvas.style.height = `${this.height}px`;
  }

  /**
   * A canvas of the right number of pixels, empty, whose unit is a CSS pixel.
   * @param {HTMLCanvasElement} canvas
   * @param {string} paper
   */
  clear(canvas, paper) {
    const scale = window.devicePixelRatio || 1;
    const [width, height] = [Math.max(1, Math.round(this.width * scale)), Math.max(1, Math.round(this.height * scale))];
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
    const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d", { alpha: false }));
    pen.setTransform(scale, 0, 0, scale, 0, 0);
    pen.globalAlpha = 1;
    pen.fillStyle = paper;
    pen.fillRect(0, 0, this.width, this.height);
    return pen;
  }

  /** @param {number} left @param {number} top @param {number} right @param {number} bottom of the content, to be in sight */
  reveal(left, top, right, bottom) {
    const { box } = this;
    const [x, y] = [box.scrollLeft, box.scrollTop];
    const goalX = left < x ? left : right > x + this.width ? right - this.width : x;
    const goalY = top < y ? top : bottom > y + this.height ? bottom - this.height : y;
    if (goalX !== x) box.scrollLeft = goalX;
    if (goalY !== y) box.scrollTop = goalY;
  }

  free() {
    for (const canvas of [this.canvas, this.base]) Object.assign(canvas, { width: 0, height: 0 });
  }
}

/** How wide texts are, measured once each. */
export class Ruler {
  constructor() {
    this.font = "";
    /** @type {Map<string, number>} */
    this.widths = new Map();
    this.canvas = document.createElement("canvas");
    this.pen = /** @type {CanvasRenderingContext2D} */ (this.canvas.getContext("2d"));
  }

  /** @param {string} font */
  use(font) {
    if (font === this.font) return;
    this.font = font;
    this.pen.font = font;
    this.widths.clear();
  }

  /** @param {string} text */
  width(text) {
    let width = this.widths.get(text);
    if (width === undefined) {
      width = this.pen.measureText(text).width;
      this.widths.set(text, width);
    }
    return width;
  }

  /**
   * A text cut so that it fits.
   * @param {string} text
   * @param {number} room
   */
  cut(text, room) {
    if (this.width(text) <= room) return text;
    const letters = [...text];
    while (letters.length > 1 && this.width(`${letters.join("")}…`) > room) letters.pop();
    return `${letters.join("")}…`;
  }

  /** The widest of some texts, at most `most`. @param {string[]} texts @param {number} most */
  widest(texts, most) {
    let widest = 0;
    for (const text of texts) widest = Math.max(widest, this.width(text));
    return Math.min(most, Math.ceil(widest));
  }
}

/**
 * @typedef {object} Focus the pair that is pointed at, or pinned
 * @property {number | null} query
 * @property {number | null} key
 */

/** One head as a matrix: queries down, keys across. */
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
    /** The weights as pixels, and how many cells a pixel stands for. */
    this.map = document.createElement("canvas");
    this.mapKey = "";
    this.pool = 1;
    /** What the filters took away from all rows. */
    this.sums = { total: 0, special: 0, direction: 0, small: 0, rows: 0 };
  }

  /**
   * @param {Picture} picture
   * @param {Extent} extent
   * @param {Theme} theme
   * @param {Ruler} ruler
   * @param {number} room
   * @param {number} tallest
   */
  layout(picture, extent, theme, ruler, room, tallest) {
    const { rows, columns } = picture;
    const large = 2.1 * theme.size;
    // Names are as large as their cells allow, down to a size that can still be read.
    for (let letter = 0.82 * theme.size; ; letter -= 0.04 * theme.size) {
      this.letter = Math.round(letter * 4) / 4;
      this.font = `${this.letter}px ${theme.letters}`;
      ruler.use(this.font);
      this.left = Math.max(ruler.widest(extent.rowNames, Math.min(8 * theme.size, 0.3 * room)) + 16, 3.4 * theme.size);
      const names = ruler.widest(extent.columnNames, 7 * theme.size);
      this.top = Math.ceil(names * 0.82) + 22;
      // Slanted names lean to the right beyond the last column; where columns are narrow they stand upright.
      const cellOf = (/** @type {number} */ lean) =>
        Math.min((room - this.left - lean - 2) / extent.columns, (tallest - this.top - 4) / extent.rows, large);
      this.lean = Math.ceil(names * 0.57) + 4;
      this.slanted = cellOf(this.lean) >= 1.1 * this.letter;
      if (!this.slanted) {
        this.lean = 2;
        this.top = Math.max(names + 20, Math.ceil(2.6 * theme.size));
      }
      this.fitCell = Math.max(0.2, cellOf(this.lean));
      if (letter <= 0.68 * theme.size || labelStep(this.fitCell, this.letter * 1.1) === 1) break;
    }
    this.cell = Math.max(this.fitCell, Math.min(this.fitCell * this.zoom, large));
    const scale = window.devicePixelRatio || 1;
    if (this.cell * scale >= 3) this.cell = Math.floor(this.cell * scale) / scale; // all cells alike
    this.fit(this.left + columns.size * this.cell + this.lean, this.top + rows.size * this.cell + 3, room, tallest);
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

  /**
   * All weights as pixels, one a cell, or the largest of a few where cells are smaller than a pixel.
   * @param {Picture} picture
   * @param {number} head
   * @param {Theme} theme
   */
  paintMap(picture, head, theme) {
    const { rows, columns, signed } = picture;
    const pool = Math.max(1, Math.ceil(1 / (this.cell * (window.devicePixelRatio || 1)) - 0.01));
    const key = [picture.key, head, theme.key, pool].join();
    if (key === this.mapKey) return;
    this.mapKey = key;
    this.pool = pool;
    const [height, width] = [Math.ceil(rows.size / pool), Math.ceil(columns.size / pool)];
    Object.assign(this.map, { width, height });
    const pen = /** @type {CanvasRenderingContext2D} */ (this.map.getContext("2d"));
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
          for (const name of /** @type {("total" | "special" | "direction" | "small")[]} */ ([
            "total",
            "special",
            "direction",
            "small",
          ]))
            sums[name] += shares[name];
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

  /**
   * @param {Picture} picture
   * @param {number} head
   * @param {Theme} theme
   * @param {Ruler} ruler
   * @param {Focus} focus
   * @param {Focus} pinned
   */
  paint(picture, head, theme, ruler, focus, pinned) {
    this.paintMap(picture, head, theme);
    const { cell, left, top, width, height, box } = this;
    const { rows, columns } = picture;
    const pen = this.clear(this.canvas, theme.paper);
    const [x0, y0] = [left - box.scrollLeft, top - box.scrollTop];
    pen.save();
    pen.beginPath();
    pen.rect(left, top, columns.size * cell, rows.size * cell);
    pen.clip();
    pen.imageSmoothingEnabled = false;
    const { pool } = this;
    pen.drawImage(this.map, x0, y0, this.map.width * pool * cell, this.map.height * pool * cell);
    const span = { width: columns.size * cell, height: rows.size * cell };
    this.grid(pen, picture, theme, x0, y0, span);
    // Around what is pointed at or pinned all else steps back.
    if (focus.query !== null || focus.key !== null) {
      pen.fillStyle = theme.paper;
      pen.globalAlpha = 0.5;
      const band = {
        x: focus.key === null ? x0 : x0 + focus.key * cell,
        y: focus.query === null ? y0 : y0 + focus.query * cell,
      };
      pen.beginPath();
      pen.rect(x0, y0, span.width, span.height);
      if (focus.query !== null) pen.rect(x0, band.y, span.width, cell);
      if (focus.key !== null && focus.query === null) pen.rect(band.x, y0, cell, span.height);
      if (focus.key !== null && focus.query !== null) {
        pen.rect(band.x, y0, cell, focus.query * cell);
        pen.rect(band.x, band.y + cell, cell, span.height - (focus.query + 1) * cell);
      }
      pen.fill("evenodd");
      pen.globalAlpha = 1;
      pen.strokeStyle = theme.focus;
      pen.lineWidth = 1;
      pen.globalAlpha = 0.55;
      if (focus.query !== null) pen.strokeRect(x0 - 1, band.y - 0.5, span.width + 2, cell + 1);
      if (focus.key !== null) pen.strokeRect(band.x - 0.5, y0 - 1, cell + 1, span.height + 2);
      pen.globalAlpha = 1;
      if (focus.query !== null && focus.key !== null) {
        const grown = Math.max(cell, 5);
        const [x, y] = [band.x + (cell - grown) / 2, band.y + (cell - grown) / 2];
        pen.lineWidth = 4;
        pen.strokeStyle = theme.paper;
        pen.strokeRect(x - 1, y - 1, grown + 2, grown + 2);
        pen.lineWidth = 2;
        pen.strokeStyle = theme.focus;
        pen.strokeRect(x - 1, y - 1, grown + 2, grown + 2);
      }
    }
    pen.restore();
    pen.strokeStyle = theme.line;
    pen.lineWidth = 1;
    pen.strokeRect(
      Math.max(left, x0) - 0.5,
      Math.max(top, y0) - 0.5,
      Math.min(span.width, width - left) + 1,
      Math.min(span.height, height - top) + 1,
    );
    this.names(pen, picture, theme, ruler, focus, pinned);
  }

  /**
   * Fine lines between large cells; a stronger one where sentence B begins.
   * @param {CanvasRenderingContext2D} pen
   * @param {Picture} picture
   * @param {Theme} theme
   * @param {number} x0
   * @param {number} y0
   * @param {{width: number, height: number}} span
   */
  grid(pen, picture, theme, x0, y0, span) {
    const { cell } = this;
    const line = (/** @type {Axis} */ axis, /** @type {boolean} */ across) => {
      for (let i = 1; i < axis.size; i += 1) {
        const border = axis.segments[i] !== axis.segments[i - 1];
        if (!border && cell < 9) continue;
        pen.fillStyle = border ? theme.soft : theme.paper;
        const at = Math.round(i * cell) - (border ? 1 : 0.5);
        if (across) pen.fillRect(x0 + at, y0, border ? 1.5 : 1, span.height);
        else pen.fillRect(x0, y0 + at, span.width, border ? 1.5 : 1);
      }
    };
    line(picture.columns, true);
    line(picture.rows, false);
  }

  /**
   * Names along both axes: as many as there is room for, and always the one that is pointed at.
   * @param {CanvasRenderingContext2D} pen
   * @param {Picture} picture
   * @param {Theme} theme
   * @param {Ruler} ruler
   * @param {Focus} focus
   * @param {Focus} pinned
   */
  names(pen, picture, theme, ruler, focus, pinned) {
    const { cell, left, top, box, width, height } = this;
    const { letter } = this;
    ruler.use(this.font);
    pen.font = this.font;
    pen.textBaseline = "middle";
    const step = labelStep(cell, letter * 1.1);
    const draw = (
      /** @type {Axis} */ axis,
      /** @type {boolean} */ across,
      /** @type {number | null} */ chosen,
      /** @type {number | null} */ pin,
    ) => {
      const [scroll, start, room] = across ? [box.scrollLeft, left, width] : [box.scrollTop, top, height];
      const first = Math.max(0, Math.floor(scroll / cell));
      const last = Math.min(axis.size - 1, Math.floor((scroll + room - start - (across ? this.lean : 0)) / cell));
      const most = across ? top - 16 : left - 16;
      const hidden = across ? picture.hidden.columns : picture.hidden.rows;
      const one = (/** @type {number} */ i, /** @type {boolean} */ strong) => {
        const at = start + (i + 0.5) * cell - scroll;
        if (at < start || at > room + cell) return;
        const text = ruler.cut(axis.labels[i], across && this.slanted ? most / 0.82 : most);
        const wide = ruler.width(text);
        pen.save();
        if (across) {
          pen.translate(at, top - 9);
          pen.rotate(this.slanted ? -0.96 : -Math.PI / 2);
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
      };
      for (let i = Math.ceil(first / step) * step; i <= last; i += step) {
        const near = [chosen, pin].some(
          (other) => other !== null && other !== i && Math.abs(other - i) * cell < letter,
        );
        if (i !== chosen && i !== pin && !near) one(i, false);
      }
      if (pin !== null && pin !== chosen && pin < axis.size) one(pin, false);
      if (chosen !== null) one(chosen, true);
      this.sentences(pen, axis, theme, across, first, last, start - scroll);
    };
    draw(picture.columns, true, focus.key, pinned.key);
    draw(picture.rows, false, focus.query, pinned.query);
    pen.fillStyle = theme.soft;
    pen.textAlign = "right";
    pen.font = `${0.74 * theme.size}px ${theme.letters}`;
    pen.fillText("key →", left - 8, top - 14 - 0.95 * theme.size);
    pen.fillText("query ↓", left - 8, top - 14);
  }

  /**
   * A coloured edge per sentence, between the names and the cells.
   * @param {CanvasRenderingContext2D} pen
   * @param {Axis} axis
   * @param {Theme} theme
   * @param {boolean} across
   * @param {number} first
   * @param {number} last
   * @param {number} origin
   */
  sentences(pen, axis, theme, across, first, last, origin) {
    const { cell, left, top } = this;
    if (!axis.segments.includes(1)) return;
    for (let i = first; i <= last; ) {
      let end = i;
      while (end <= last && axis.segments[end] === axis.segments[i]) end += 1;
      pen.fillStyle = theme.segments[axis.segments[i] ? 1 : 0];
      const from = Math.max(origin + i * cell, across ? left : top);
      const size = origin + end * cell - from - (end - i > 1 ? 1 : 0);
      if (across) pen.fillRect(from, top - 5, size, 3);
      else pen.fillRect(left - 5, from, 3, size);
      i = end;
    }
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

  /** @param {Focus} focus */
  show({ query, key }) {
    const { cell, left, top, box } = this;
    const x = key === null ? box.scrollLeft : key * cell;
    const y = query === null ? box.scrollTop : query * cell;
    this.reveal(x, y, x + (key === null ? 0 : left + cell + 2), y + (query === null ? 0 : top + cell + 2));
  }

  free() {
    super.free();
    Object.assign(this.map, { width: 0, height: 0 });
  }
}

/** One head, or several, as ribbons from a column of queries to a column of keys. */
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
   * @param {Picture} picture
   * @param {Extent} extent
   * @param {Theme} theme
   * @param {Ruler} ruler
   * @param {number} room
   * @param {number} tallest
   * @param {boolean} several heads: their numbers stand beside the weights
   */
  layout(picture, extent, theme, ruler, room, tallest, several) {
    this.letter = Math.round(theme.size * 0.88 * 2) / 2;
    this.font = `${this.letter}px ${theme.letters}`;
    this.top = Math.ceil(theme.size * 1.5);
    const most = Math.max(extent.rows, extent.columns);
    const least = Math.round(theme.size * 1.42);
    this.line = Math.max(least, Math.min(2 * theme.size, Math.floor((tallest - this.top) / most)));
    ruler.use(this.font);
    const widest = Math.min(8 * theme.size, 0.29 * room);
    const tall = this.top + most * this.line > tallest;
    const inner = room - (tall ? 16 : 0);
    this.left = ruler.widest(extent.rowNames, widest) + 16;
    this.numbers = Math.ceil(theme.size * (picture.signed ? 3 : several ? 3.8 : 2.3));
    this.right = inner - ruler.widest(extent.columnNames, widest) - 16 - this.numbers;
    this.fit(inner, this.top + most * this.line + 4, room, tallest);
  }

  /**
   * @param {Picture} picture
   * @param {Theme} theme
   * @param {Ruler} ruler
   * @param {Focus} focus
   * @param {Focus} pinned
   * @param {{head: number, colour: number[]}[]} heads
   */
  paint(picture, theme, ruler, focus, pinned, heads) {
    const { rows, columns } = picture;
    const { line, top, box, height } = this;
    const scroll = box.scrollTop;
    const first = Math.max(0, Math.floor(scroll / line));
    const last = Math.ceil((scroll + height - top) / line);
    const key = [
      picture.key,
      theme.key,
      heads.map(({ head }) => head),
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
        this.ribbons(pen, picture, theme, heads, null, first, last, heads.length > 1 ? FAINTEST.several : FAINTEST.one),
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
        if (pair)
          this.ribbons(pen, picture, theme, heads, { query: focus.query, key: null }, first, last, faintest, 0.3);
        this.ribbons(pen, picture, theme, heads, focus, first, last, pair ? 0 : faintest);
      });
    }
    this.labels(
      pen,
      picture,
      theme,
      ruler,
      focus,
      pinned,
      heads,
      first,
      Math.min(last, Math.max(rows.size, columns.size) - 1),
    );
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
   * @param {Picture} picture
   * @param {Theme} theme
   * @param {{head: number, colour: number[]}[]} heads
   * @param {Focus | null} only these; null is all
   * @param {number} first row in sight
   * @param {number} last
   * @param {number} faintest weight
   * @param {number} [opacity] of all of them
   */
  ribbons(pen, picture, theme, heads, only, first, last, faintest, opacity = 1) {
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
          for (let key = from; key <= to; key += 1) {
            const weight = row[key] * sign;
            if (!(weight > faintest)) continue;
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
   * @param {CanvasRenderingContext2D} pen
   * @param {Picture} picture
   * @param {Theme} theme
   * @param {Ruler} ruler
   * @param {Focus} focus
   * @param {Focus} pinned
   * @param {{head: number, colour: number[]}[]} heads
   * @param {number} first
   * @param {number} last
   */
  labels(pen, picture, theme, ruler, focus, pinned, heads, first, last) {
    const { rows, columns, hidden, signed } = picture;
    const { line, top, left, right, box, width } = this;
    const { letter } = this;
    const end = width - this.numbers;
    ruler.use(this.font);
    pen.font = this.font;
    pen.textBaseline = "middle";
    pen.direction = "ltr";
    // Only one end is chosen: the other column shows how much each gets, as in the matrix' row or column.
    const given = this.given(picture, focus, heads);
    pen.save();
    pen.beginPath();
    pen.rect(0, top, width, this.height);
    pen.clip();
    for (let i = first; i <= last; i += 1) {
      const y = top + (i + 0.5) * line - box.scrollTop;
      for (const across of [false, true]) {
        const axis = across ? columns : rows;
        if (i >= axis.size) continue;
        const strong = i === (across ? focus.key : focus.query);
        const [x, room] = across ? [right + 10, end - right - 12] : [left - 10, left - 14];
        const text = ruler.cut(axis.labels[i], room);
        const wide = ruler.width(text);
        const from = across ? x - 4 : x - wide - 4;
        if (given && given.across === across) {
          const slice = (line - 3) / heads.length;
          const [a, b] = across ? [right + 5, end - 2] : [2, left - 5];
          heads.forEach(({ colour }, n) => {
            const weight = given.weights[n][i];
            if (!(Math.abs(weight) > 0.0005)) return;
            const tint = signed ? (weight > 0 ? theme.positive : theme.negative) : colour;
            pen.fillStyle = css(tint, 0.06 + 0.5 * Math.sqrt(Math.abs(weight)));
            pen.fillRect(a, y - line / 2 + 1.5 + n * slice, b - a, Math.max(1, slice - (heads.length > 1 ? 0.5 : 0)));
          });
          this.number(pen, theme, heads, given.weights, i, signed, across ? end + 3 : null, y);
        }
        if (strong) {
          pen.fillStyle = theme.focus;
          pen.beginPath();
          pen.roundRect(from, y - letter * 0.72, wide + 8, letter * 1.44, 3);
          pen.fill();
        }
        pen.fillStyle = strong ? theme.paper : axis.special[i] || axis.padding[i] ? theme.soft : theme.ink;
        pen.textAlign = across ? "left" : "right";
        if (!strong && (across ? hidden.columns : hidden.rows)[i]) pen.globalAlpha = FADED;
        pen.fillText(text, x, y);
        pen.globalAlpha = 1;
        if (i === (across ? pinned.key : pinned.query)) {
          pen.fillStyle = strong ? theme.paper : theme.focus;
          pen.fillRect(across ? x : x - wide, y + letter * 0.56, wide, 1.5);
        }
        if (axis.segments.includes(1)) {
          pen.fillStyle = theme.segments[axis.segments[i] ? 1 : 0];
          pen.fillRect(
            across ? right + 1 : left - 4,
            y - line / 2 + (i > 0 && axis.segments[i - 1] !== axis.segments[i] ? 1.5 : 0),
            3,
            line + 0.5,
          );
        }
      }
    }
    pen.restore();
    pen.fillStyle = theme.soft;
    pen.font = `${letter * 0.9}px ${theme.letters}`;
    pen.textAlign = "right";
    pen.fillText("query", left - 10, top / 2);
    pen.textAlign = "left";
    pen.fillText("key", right + 10, top / 2);
  }

  /**
   * What a chosen query gives to every key, or a chosen key gets from every query, by head.
   * @param {Picture} picture
   * @param {Focus} focus
   * @param {{head: number}[]} heads
   */
  given(picture, focus, heads) {
    const { rows, columns } = picture;
    if (focus.query === null && focus.key === null) return null;
    const row = new Float32Array(columns.size);
    const weights = heads.map(({ head }) => {
      if (focus.query !== null) {
        picture.read(head, focus.query, row);
        return row.slice();
      }
      return Float32Array.from({ length: rows.size }, (_, query) => {
        picture.read(head, query, row);
        return row[focus.key ?? 0];
      });
    });
    return { across: focus.query !== null, weights };
  }

  /**
   * The number beside a key: of one head its weight, of several the strongest head and its weight.
   * @param {CanvasRenderingContext2D} pen
   * @param {Theme} theme
   * @param {{head: number}[]} heads
   * @param {Float32Array[]} weights
   * @param {number} i
   * @param {boolean} signed
   * @param {number | null} x none on the left, where there is no room
   * @param {number} y
   */
  number(pen, theme, heads, weights, i, signed, x, y) {
    if (x === null) return;
    let best = 0;
    for (let n = 1; n < heads.length; n += 1) if (Math.abs(weights[n][i]) > Math.abs(weights[best][i])) best = n;
    const weight = weights[best][i];
    if (!(Math.abs(weight) >= SHOWN_NUMBERS)) return;
    const text = Math.abs(weight).toFixed(2).replace(/^0/, "");
    pen.fillStyle = theme.ink;
    pen.textAlign = "left";
    pen.fillText(
      `${heads.length > 1 ? `${heads[best].head}: ` : ""}${signed ? (weight > 0 ? "+" : "−") : ""}${text}`,
      x,
      y,
    );
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

  /** @param {Focus} focus */
  show({ query, key }) {
    const { line, top } = this;
    const places = [key, query].filter((place) => place !== null);
    for (const place of places) this.reveal(0, place * line, 0, place * line + top + line + 4);
  }
}

/** All layers and heads as small pictures on one canvas. */
export class Overview {
  constructor() {
    this.canvas = /** @type {HTMLCanvasElement} */ (element("canvas", { role: "img" }));
    this.box = element("div", { class: "bvl-thumbs", role: "application", tabindex: 0 }, this.canvas);
    this.pictures = document.createElement("canvas");
    this.key = "";
    this.cell = 20;
    this.left = 20;
    this.top = 18;
    this.width = 1;
    this.height = 1;
  }

  /**
   * @param {{layers: number, heads: number, room: number, theme: Theme}} given
   */
  layout({ layers, heads, room, theme }) {
    this.left = Math.ceil(theme.size * 1.75);
    this.top = Math.ceil(theme.size * 1.35);
    const most = Math.min(3.1 * theme.size, (theme.size * 22) / Math.max(heads, layers * 0.75));
    this.cell = Math.max(6, Math.floor(Math.min(most, (room - this.left - 2) / heads)));
    this.width = this.left + heads * this.cell + 2;
    this.height = this.top + layers * this.cell + 2;
  }

  /**
   * All thumbs as one image, a pixel a code.
   * @param {{codes: Uint8Array, minus: Uint8Array | null, layers: number, heads: number, size: number[], theme: Theme}} given
   */
  paintPictures({ codes, minus: before, layers, heads, size, theme }) {
    const [rows, columns] = size;
    const [width, height] = [heads * columns, layers * rows];
    Object.assign(this.pictures, { width, height });
    const pen = /** @type {CanvasRenderingContext2D} */ (this.pictures.getContext("2d"));
    const image = pen.createImageData(width, height);
    const pixels = new Uint32Array(image.data.buffer);
    const table = before ? theme.signedTable : theme.unsignedTable;
    let i = 0;
    for (let layer = 0; layer < layers; layer += 1) {
      for (let head = 0; head < heads; head += 1) {
        for (let y = 0; y < rows; y += 1) {
          const start = (layer * rows + y) * width + head * columns;
          for (let x = 0; x < columns; x += 1, i += 1) {
            pixels[start + x] = table[before ? signedCode(WEIGHTS[codes[i]] - WEIGHTS[before[i]]) : codes[i]];
          }
        }
      }
    }
    pen.putImageData(image, 0, 0);
  }

  /**
   * @param {object} given
   * @param {number} given.layers
   * @param {number} given.heads
   * @param {number[]} given.size rows and columns of a small picture
   * @param {Theme} given.theme
   * @param {{layer: number, head: number, heads: number[], all: string}} given.chosen
   * @param {number[][]} given.off heads that are switched off
   * @param {{layer: number, head: number} | null} given.pointed
   */
  paint({ layers, heads, size, theme, chosen, off, pointed }) {
    const { canvas, cell, left, top } = this;
    const scale = window.devicePixelRatio || 1;
    const [width, height] = [Math.round(this.width * scale), Math.round(this.height * scale)];
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
    canvas.style.width = `${this.width}px`;
    canvas.style.height = `${this.height}px`;
    const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d", { alpha: false }));
    pen.setTransform(scale, 0, 0, scale, 0, 0);
    pen.fillStyle = theme.paper;
    pen.fillRect(0, 0, this.width, this.height);
    pen.imageSmoothingEnabled = false;
    const [rows, columns] = size;
    const gap = cell > 16 ? 3 : 2;
    const inner = cell - gap;
    const letter = Math.min(theme.size * 0.8, Math.max(9, cell * 0.75));
    const corner = (/** @type {number} */ layer, /** @type {number} */ head) => [
      left + head * cell + gap / 2,
      top + layer * cell + gap / 2,
    ];
    pen.font = `${letter}px ${theme.letters}`;
    pen.textBaseline = "middle";
    const every = labelStep(cell, letter * 1.25);
    for (let layer = 0; layer < layers; layer += 1) {
      for (let head = 0; head < heads; head += 1) {
        const [x, y] = corner(layer, head);
        pen.drawImage(this.pictures, head * columns, layer * rows, columns, rows, x, y, inner, inner);
      }
    }
    pen.strokeStyle = theme.line;
    pen.lineWidth = 1;
    pen.beginPath();
    for (let layer = 0; layer < layers; layer += 1) {
      for (let head = 0; head < heads; head += 1) {
        const [x, y] = corner(layer, head);
        pen.rect(x - 0.5, y - 0.5, inner + 1, inner + 1);
      }
    }
    pen.stroke();
    const whole =
      chosen.all === "layer"
        ? [chosen.layer, chosen.layer]
        : chosen.all === "up to"
          ? [0, chosen.layer]
          : chosen.all === "all"
            ? [0, layers - 1]
            : null;
    for (let layer = 0; layer < layers; layer += 1) {
      const strong = whole ? layer >= whole[0] && layer <= whole[1] : layer === chosen.layer;
      pen.textAlign = "right";
      this.name(pen, theme, String(layer), left - 6, top + (layer + 0.5) * cell, strong, layer % every === 0 || strong);
    }
    for (let head = 0; head < heads; head += 1) {
      const strong = whole !== null || head === chosen.head;
      pen.textAlign = "center";
      this.name(
        pen,
        theme,
        String(head),
        left + (head + 0.5) * cell,
        top - letter * 0.72,
        strong,
        head % every === 0 || strong,
      );
    }
    pen.lineWidth = 2;
    for (const [layer, head] of off) {
      const [x, y] = corner(layer, head);
      pen.fillStyle = theme.paper;
      pen.globalAlpha = 0.7;
      pen.fillRect(x, y, inner, inner);
      pen.globalAlpha = 1;
      pen.strokeStyle = theme.ink;
      pen.beginPath();
      pen.moveTo(x + 2, y + 2);
      pen.lineTo(x + inner - 2, y + inner - 2);
      pen.moveTo(x + inner - 2, y + 2);
      pen.lineTo(x + 2, y + inner - 2);
      pen.stroke();
    }
    if (pointed) {
      const [x, y] = corner(pointed.layer, pointed.head);
      pen.strokeStyle = theme.ink;
      pen.lineWidth = 1.5;
      pen.strokeRect(x - 1, y - 1, inner + 2, inner + 2);
    }
    pen.strokeStyle = theme.focus;
    pen.lineWidth = 2.5;
    if (whole) {
      const [x, y] = corner(whole[0], 0);
      pen.strokeRect(x - 1.5, y - 1.5, heads * cell - gap + 3, (whole[1] - whole[0] + 1) * cell - gap + 3);
      return;
    }
    for (const head of chosen.heads.length > 1 ? chosen.heads : []) {
      const [x, y] = corner(chosen.layer, head);
      pen.fillStyle = css(headColour(head, heads, theme.dark));
      pen.fillRect(x - 1, y + inner - 1, inner + 2, 3);
    }
    const [x, y] = corner(chosen.layer, chosen.head);
    pen.strokeRect(x - 1.25, y - 1.25, inner + 2.5, inner + 2.5);
  }

  /**
   * @param {CanvasRenderingContext2D} pen
   * @param {Theme} theme
   * @param {string} text
   * @param {number} x
   * @param {number} y
   * @param {boolean} strong
   * @param {boolean} shown
   */
  name(pen, theme, text, x, y, strong, shown) {
    if (!shown) return;
    const plain = pen.font;
    if (strong) pen.font = `700 ${plain}`;
    pen.fillStyle = strong ? theme.ink : theme.soft;
    pen.fillText(text, x, y);
    pen.font = plain;
  }

  /** @param {number} x @param {number} y @param {number} layers @param {number} heads */
  at(x, y, layers, heads) {
    const layer = Math.floor((y - this.top) / this.cell);
    const head = Math.floor((x - this.left) / this.cell);
    return layer >= 0 && layer < layers && head >= 0 && head < heads ? { layer, head } : null;
  }

  free() {
    for (const canvas of [this.canvas, this.pictures]) Object.assign(canvas, { width: 0, height: 0 });
  }
}
