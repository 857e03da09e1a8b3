// A canvas as large as its box, over a content that may be larger and is scrolled.

import { element } from "../../../base/js/elements.js";

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

  /**
   * @param {number} left
   * @param {number} top @param {number} right @param {number} bottom of the content, to be in sight
   */
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
