// All layers and heads as small pictures on one canvas.

import { element } from "../../../base/js/elements.js";
import { WEIGHTS } from "../weights/codes.js";
import { css, headColour, signedCode } from "../weights/colours.js";
import { labelStep } from "../weights/moves.js";

/** @import { Theme } from "./theme.js" */

/**
 * @typedef {object} Heads what the overview shows of them
 * @property {number} layers
 * @property {number} heads in a layer
 * @property {number[]} size rows and columns of a small picture
 * @property {Theme} theme
 * @property {{layer: number, head: number, heads: number[], all: string}} chosen
 * @property {number[][]} off heads that are switched off
 * @property {{layer: number, head: number} | null} pointed
 */

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
    const most = Math.min(2.75 * theme.size, (theme.size * 22) / Math.max(heads, layers * 0.75));
    this.cell = Math.max(6, Math.floor(Math.min(most, (room - this.left - 2) / heads)));
    this.width = this.left + heads * this.cell + 2;
    this.height = this.top + layers * this.cell + 2;
  }

  /**
   * All thumbs as one image, a pixel a code.
   * @param {{codes: Uint8Array, minus: Uint8Array | null, layers: number, heads: number, size: number[], theme:
   *   Theme}} given
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

  /** @param {Heads} shown */
  paint(shown) {
    const { theme, chosen, off, pointed } = shown;
    const pen = this.clear(theme);
    this.paintThumbs(pen, shown);
    const whole = wholeLayers(shown);
    this.paintNumbers(pen, shown, whole);
    for (const [layer, head] of off) this.paintOff(pen, theme, this.corner(layer, head));
    const inner = this.inner;
    if (pointed) {
      const [x, y] = this.corner(pointed.layer, pointed.head);
      pen.strokeStyle = theme.ink;
      pen.lineWidth = 1.5;
      pen.strokeRect(x - 1, y - 1, inner + 2, inner + 2);
    }
    pen.strokeStyle = theme.focus;
    pen.lineWidth = 2.5;
    if (whole) {
      const [x, y] = this.corner(whole[0], 0);
      const width = shown.heads * this.cell - this.gap + 3;
      pen.strokeRect(x - 1.5, y - 1.5, width, (whole[1] - whole[0] + 1) * this.cell - this.gap + 3);
      return;
    }
    for (const head of chosen.heads.length > 1 ? chosen.heads : []) {
      const [x, y] = this.corner(chosen.layer, head);
      pen.fillStyle = css(headColour(head, shown.heads, theme.dark));
      pen.fillRect(x - 1, y + inner - 1, inner + 2, 3);
    }
    const [x, y] = this.corner(chosen.layer, chosen.head);
    pen.strokeRect(x - 1.25, y - 1.25, inner + 2.5, inner + 2.5);
  }

  /** @param {Theme} theme */
  clear(theme) {
    const { canvas } = this;
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
    return pen;
  }

  /** Between small pictures. */
  get gap() {
    return this.cell > 16 ? 3 : 2;
  }

  /** Size of a small picture. */
  get inner() {
    return this.cell - this.gap;
  }

  /** @param {number} layer @param {number} head @returns {[number, number]} of the small picture */
  corner(layer, head) {
    return [this.left + head * this.cell + this.gap / 2, this.top + layer * this.cell + this.gap / 2];
  }

  /**
   * @param {CanvasRenderingContext2D} pen
   * @param {Heads} shown
   */
  paintThumbs(pen, { layers, heads, size, theme }) {
    const { inner } = this;
    const [rows, columns] = size;
    pen.strokeStyle = theme.line;
    pen.lineWidth = 1;
    pen.beginPath();
    for (let layer = 0; layer < layers; layer += 1) {
      for (let head = 0; head < heads; head += 1) {
        const [x, y] = this.corner(layer, head);
        pen.drawImage(this.pictures, head * columns, layer * rows, columns, rows, x, y, inner, inner);
        pen.rect(x - 0.5, y - 0.5, inner + 1, inner + 1);
      }
    }
    pen.stroke();
  }

  /**
   * Numbers of layers and heads: as many as there is room for, and always the chosen ones.
   * @param {CanvasRenderingContext2D} pen
   * @param {Heads} shown
   * @param {number[] | null} whole layers that are shown together
   */
  paintNumbers(pen, { layers, heads, theme, chosen }, whole) {
    const { cell, left, top } = this;
    const letter = Math.max(12, Math.min(theme.size * 0.8, cell * 0.75));
    const plain = `${letter}px ${theme.letters}`;
    const every = labelStep(cell, letter * 1.25);
    pen.textBaseline = "middle";
    const write = (/** @type {number} */ number, /** @type {boolean} */ strong, /** @type {[number, number]} */ at) => {
      if (number % every !== 0 && !strong) return;
      pen.font = strong ? `700 ${plain}` : plain;
      pen.fillStyle = strong ? theme.ink : theme.soft;
      pen.fillText(String(number), ...at);
    };
    pen.textAlign = "right";
    for (let layer = 0; layer < layers; layer += 1) {
      const strong = whole ? layer >= whole[0] && layer <= whole[1] : layer === chosen.layer;
      write(layer, strong, [left - 6, top + (layer + 0.5) * cell]);
    }
    pen.textAlign = "center";
    for (let head = 0; head < heads; head += 1)
      write(head, whole !== null || head === chosen.head, [left + (head + 0.5) * cell, top - letter * 0.72]);
  }

  /**
   * Cross out a head that is switched off.
   * @param {CanvasRenderingContext2D} pen
   * @param {Theme} theme
   * @param {[number, number]} corner
   */
  paintOff(pen, theme, [x, y]) {
    const { inner } = this;
    pen.fillStyle = theme.paper;
    pen.globalAlpha = 0.7;
    pen.fillRect(x, y, inner, inner);
    pen.globalAlpha = 1;
    pen.strokeStyle = theme.ink;
    pen.lineWidth = 2;
    pen.beginPath();
    pen.moveTo(x + 2, y + 2);
    pen.lineTo(x + inner - 2, y + inner - 2);
    pen.moveTo(x + inner - 2, y + 2);
    pen.lineTo(x + 2, y + inner - 2);
    pen.stroke();
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

/** The first and the last layer that are shown together; null if one head is shown. @param {Heads} shown */
function wholeLayers({ layers, chosen }) {
  if (chosen.all === "layer") return [chosen.layer, chosen.layer];
  if (chosen.all === "up to") return [0, chosen.layer];
  return chosen.all === "all" ? [0, layers - 1] : null;
}
