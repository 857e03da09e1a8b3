// How wide texts are.

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
