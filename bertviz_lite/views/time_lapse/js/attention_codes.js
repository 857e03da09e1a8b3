// The attention of every head at every moment, as codes, text by text as they are needed.

import { Blocks } from "../../base/js/blocks.js";
import { paletteOf } from "./maps.js";

/** @import { TimeLapse } from "../view.js" */

export class AttentionCodes {
  /** @param {TimeLapse} view */
  constructor(view) {
    this.view = view;
    this.blocks = new Blocks(view.model, view.life);
    /** Codes of the texts that have come. @type {Map<number, Uint8Array>} */
    this.codes = new Map();
    /** Texts that were asked for. @type {Set<number>} */
    this.wanted = new Set();
    /** Why a text did not come. */
    this.problem = "";
  }

  /** Have the codes of a text come. @param {number} text */
  fetch(text) {
    if (this.wanted.has(text)) return;
    this.wanted.add(text);
    const take = (/** @type {DataView} */ bytes) => {
      this.codes.set(text, new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength));
      this.problem = "";
      this.view.soon();
    };
    this.blocks.get(`text/${text}`).then(take, (error) => {
      this.problem = String(error.message);
      this.view.soon();
      error.later?.then(take, () => {});
    });
  }

  /**
   * The codes of one head; null until they have come.
   * @param {number} option
   * @param {number} moment
   * @returns {Uint8Array | null}
   */
  mapOf(option, moment) {
    const codes = this.codes.get(this.view.model.get("text"));
    const size = this.view.tokens.length ** 2;
    const at = (moment * this.view.run.layers * this.view.run.heads + option) * size;
    return codes ? codes.subarray(at, at + size) : null;
  }

  /**
   * @param {HTMLCanvasElement} canvas a pixel for each weight
   * @param {number} option
   */
  paint(canvas, option) {
    const map = this.mapOf(option, this.view.moment);
    const context = canvas.getContext("2d");
    if (!map || !context) return;
    const size = this.view.tokens.length;
    if (canvas.width !== size) [canvas.width, canvas.height] = [size, size];
    const image = context.createImageData(size, size);
    const table = paletteOf(this.view.root.dataset.theme === "dark");
    for (const [at, code] of map.entries()) image.data.set(table.subarray(4 * code, 4 * code + 4), 4 * at);
    context.putImageData(image, 0, 0);
  }
}
