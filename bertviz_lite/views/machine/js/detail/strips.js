// Vectors under each other, to be read number by number: by pointing, or with the arrow keys.

import { element, setAttributes, setText } from "../../../base/js/elements.js";
import { indexAfterKey, onKeys } from "../../../base/js/keys.js";
import { formatNumber } from "../../../base/js/numbers.js";
import { paintHeads, paintRows } from "../paint.js";
import { exactText, fullColour, numberText } from "../steps.js";
import { say } from "../../language/say.js";

/** @import { Machine } from "../../view.js" */

/**
 * A vector with its name.
 * @typedef {object} Strip
 * @property {string} name
 * @property {ArrayLike<number>} vector
 * @property {string} called in the read-out
 * @property {number | null} token that it belongs to
 * @property {number} strength
 * @property {number} [limit] the value that has the full colour, where each strip has its own
 * @property {string} [opens] the box that a click opens, where it chooses no token
 */

export class Strips {
  /**
   * @param {Machine} view
   * @param {string} label what a screen reader calls it
   * @param {HTMLElement} readout
   */
  constructor(view, label, readout) {
    this.view = view;
    this.readout = readout;
    this.label = label;
    /** @type {Strip[]} */
    this.strips = [];
    this.heads = 1;
    this.limit = 1;
    /** Where the reader points. @type {{row: number, component: number} | null} */
    this.at = null;
    this.names = element("div", { class: "bvl-strip-names", "aria-hidden": "true" });
    this.canvas = /** @type {HTMLCanvasElement} */ (element("canvas", { "aria-hidden": "true" }));
    this.cursor = element("span", { class: "bvl-cursor", "aria-hidden": "true", hidden: true });
    this.field = element(
      "div",
      { class: "bvl-strip-field", role: "group", tabindex: 0, "aria-label": label },
      this.canvas,
      this.cursor,
    );
    this.box = element("div", { class: "bvl-strips" }, this.names, this.field);
    const { life } = view;
    life.listen(this.field, "pointermove", (event) => this.point(event));
    life.listen(this.field, "pointerdown", (event) => this.point(event));
    life.listen(this.field, "pointerleave", () => this.field !== document.activeElement && this.leave());
    life.listen(this.field, "blur", () => this.leave());
    life.listen(this.field, "click", (event) => {
      this.point(event);
      if (this.at) this.choose(this.at.row);
    });
    onKeys(life, this.field, ({ key }) => this.press(key));
  }

  /**
   * @param {Strip[]} strips
   * @param {number} heads 1 for vectors that are not split
   */
  put(strips, heads) {
    this.strips = strips;
    this.heads = heads;
    this.limit = fullColour(strips.map(({ vector }) => vector));
    const { token } = this.view;
    this.names.replaceChildren(
      ...strips.map(({ name, token: own }) =>
        element("bdi", { class: own !== null && own === token ? "bvl-chosen-name" : null, title: name }, name),
      ),
    );
    this.box.style.setProperty("--bvl-rows", String(strips.length));
    if (this.at && !strips[this.at.row]) this.at = null;
    setAttributes(this.field, {
      "aria-label": say("strips_label", {
        label: this.label,
        count: strips.length,
        size: strips[0]?.vector.length ?? 0,
      }),
    });
    this.paint();
  }

  paint() {
    const rows = this.strips.map(({ vector, strength, limit }) => ({ vector, height: 1, strength, limit }));
    paintRows(this.canvas, rows, this.limit, this.view.colours);
    if (this.heads > 1) paintHeads(this.canvas, this.heads, this.view.colours);
  }

  /** @param {PointerEvent} event */
  point(event) {
    const { left, top, width, height } = this.canvas.getBoundingClientRect();
    const row = Math.floor(((event.clientY - top) / height) * this.strips.length);
    const strip = this.strips[row];
    if (!strip) return;
    const component = Math.floor(((event.clientX - left) / width) * strip.vector.length);
    this.read({ row, component: Math.min(strip.vector.length - 1, Math.max(0, component)) });
  }

  /** @param {string} key */
  press(key) {
    const { row, component } = this.at ?? { row: 0, component: -1 };
    const { vector } = this.strips[row];
    if (key === "ArrowUp" || key === "ArrowDown") {
      const to = Math.min(this.strips.length - 1, Math.max(0, row + (key === "ArrowUp" ? -1 : 1)));
      this.read({ row: to, component: Math.min(Math.max(0, component), this.strips[to].vector.length - 1) });
      return true;
    }
    const next = indexAfterKey(key, component, vector.length);
    if (next !== null) this.read({ row, component: next });
    else if (key === "Enter" || key === " ") return this.choose(row);
    else return false;
    return true;
  }

  /** Light the token of a row, or open its box. @param {number} row */
  choose(row) {
    const { token, opens } = this.strips[row];
    if (token !== null) this.view.chooseToken(token);
    else if (opens) this.view.open(opens);
    return token !== null || Boolean(opens);
  }

  /** @param {{row: number, component: number}} at */
  read(at) {
    this.at = at;
    const { vector, called } = this.strips[at.row];
    const value = vector[at.component];
    const headSize = this.heads > 1 ? vector.length / this.heads : null;
    setText(this.readout, numberText({ name: called, component: at.component, value, headSize }));
    this.readout.classList.remove("bvl-soft");
    const [x, y] = [(100 * (at.component + 0.5)) / vector.length, (100 * at.row) / this.strips.length];
    this.cursor.hidden = false;
    setAttributes(this.cursor, { "data-value": exactText(value), "data-side": x > 50 ? "left" : "right" });
    Object.assign(this.cursor.style, { left: `${x}%`, top: `${y}%`, height: `${100 / this.strips.length}%` });
    if (this.field === document.activeElement) this.reveal();
  }

  /** Scroll the panel, and nothing but it, so that the cursor is in sight under the read-out. */
  reveal() {
    const scroll = this.box.closest(".bvl-panel-content");
    if (!scroll) return;
    const cursor = this.cursor.getBoundingClientRect();
    const top = this.readout.getBoundingClientRect().bottom;
    const { bottom } = scroll.getBoundingClientRect();
    if (cursor.top < top) scroll.scrollTop -= top - cursor.top;
    else if (cursor.bottom > bottom) scroll.scrollTop += cursor.bottom - bottom;
  }

  leave() {
    this.at = null;
    this.cursor.hidden = true;
    this.rest();
  }

  /** What is said while nobody points. */
  rest() {
    const isCommon = this.strips[0]?.limit === undefined;
    setText(this.readout, say(isCommon ? "full_colour" : "own_scale", { limit: formatNumber(this.limit) }));
    this.readout.classList.add("bvl-soft");
  }
}
