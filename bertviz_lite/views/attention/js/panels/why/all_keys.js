// Query × key for all keys at once: the query's vector, and for every key the products by component.

import { element, setText } from "../../../../base/js/elements.js";
import { onKeys } from "../../../../base/js/keys.js";
import { formatNumber, largest } from "../../../../base/js/numbers.js";
import { formatWeight } from "../../weights/codes.js";
import { pixel } from "../../weights/colours.js";
import { say } from "../../../language/say.js";

/** @import { Life } from "../../../../base/js/life.js" */
/** @import { Theme } from "../../canvas/theme.js" */
/** @import { Why } from "../../weights/explain.js" */

/** Rows and components that a key goes. @type {Record<string, [number, number]>} */
const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

/**
 * What is shown.
 * @typedef {object} AllKeys
 * @property {Why[]} whys of one query, a key each
 * @property {string} query
 * @property {string[]} keys
 * @property {number | null} key the one that is picked out
 * @property {Theme} theme
 */

export class AllKeysPicture {
  /**
   * @param {Life} life
   * @param {(key: number) => void} pick
   */
  constructor(life, pick) {
    this.canvas = /** @type {HTMLCanvasElement} */ (element("canvas", { role: "img" }));
    this.names = element("div", { class: "bvl-all-names" });
    this.results = element("div", { class: "bvl-all-results", "aria-hidden": "true" });
    this.said = element("p", { class: "bvl-component bvl-soft", "aria-live": "polite" });
    this.grid = element(
      "div",
      {
        class: "bvl-all-grid",
        tabindex: 0,
        role: "region",
        "aria-label": say("all_keys_label"),
      },
      this.names,
      this.canvas,
      this.results,
    );
    this.box = element("div", { class: "bvl-all" }, this.said, this.grid);
    /** @type {AllKeys | null} */
    this.shown = null;
    /** Where keys have gone: the first row is the query's own vector. */
    this.at = { row: 0, component: 0 };
    life.listen(this.canvas, "pointermove", (event) => this.point(event));
    life.listen(this.canvas, "pointerdown", (event) => this.point(event)); // a finger's tap
    life.listen(this.canvas, "pointerleave", (event) => {
      if (event.pointerType !== "touch") this.say(null, null);
    });
    onKeys(life, this.grid, (event) => this.press(event.key));
    life.listen(this.names, "click", (event) => {
      const key = event.target.closest("button")?.dataset.key;
      if (key !== undefined) pick(Number(key));
    });
  }

  /** @param {PointerEvent} event */
  point({ clientX, clientY }) {
    if (!this.shown) return;
    const { whys } = this.shown;
    const { left, top, width, height } = this.canvas.getBoundingClientRect();
    const components = whys[0].product.length;
    const at = (/** @type {number} */ share, /** @type {number} */ count) =>
      Math.min(count - 1, Math.max(0, Math.floor(share * count)));
    // The first row is the query's own vector.
    const row = at((clientY - top) / height, whys.length + 1) - 1;
    this.say(row < 0 ? null : row, at((clientX - left) / width, components));
  }

  /**
   * @param {string} pressed
   * @returns {boolean} whether it is a key of this picture
   */
  press(pressed) {
    if (!this.shown || !Object.hasOwn(STEPS, pressed)) return false;
    const [down, right] = STEPS[pressed];
    const { whys } = this.shown;
    const [rows, components] = [whys.length + 1, whys[0].product.length];
    this.at.row = Math.min(rows - 1, Math.max(0, this.at.row + down));
    this.at.component = Math.min(components - 1, Math.max(0, this.at.component + right));
    this.say(this.at.row === 0 ? null : this.at.row - 1, this.at.component);
    return true;
  }

  /** @param {number | null} key @param {number | null} component */
  say(key, component) {
    if (!this.shown) return;
    const { whys, keys, query } = this.shown;
    if (component === null) {
      const text = say("all_keys_hint");
      setText(this.said, text);
    } else if (key === null) {
      setText(
        this.said,
        say("query_component", { query, component, value: formatNumber(whys[0].query[component], true) }),
      );
    } else {
      const { query: q, key: k, product } = whys[key];
      const factors = `${formatNumber(q[component])} × ${formatNumber(k[component])}`;
      setText(
        this.said,
        say("key_component", { key: keys[key], component, factors, product: formatNumber(product[component], true) }),
      );
    }
  }

  /** @param {AllKeys} shown */
  show(shown) {
    this.shown = shown;
    const { whys, keys, key, query, theme } = shown;
    const size = whys[0].query.length;
    Object.assign(this.canvas, { width: size, height: whys.length + 1 });
    this.canvas.style.height = `${whys.length + 1}lh`;
    this.canvas.setAttribute("aria-label", say("products_label", { query, count: keys.length, size }));
    const pen = /** @type {CanvasRenderingContext2D} */ (this.canvas.getContext("2d"));
    const image = pen.createImageData(size, whys.length + 1);
    const pixels = new Uint32Array(image.data.buffer);
    const paint = (/** @type {number} */ row, /** @type {ArrayLike<number>} */ values, /** @type {number} */ most) => {
      for (let i = 0; i < size; i += 1) {
        const share = most > 0 ? Math.max(-1, Math.min(1, values[i] / most)) : 0;
        const code = 128 + Math.sign(share) * Math.round(127 * Math.sqrt(Math.abs(share)));
        pixels[row * size + i] = theme.signedTable[code] ?? pixel([0, 0, 0]);
      }
    };
    paint(0, whys[0].query, largest([whys[0].query]));
    const most = whys.reduce((found, { product }) => Math.max(found, largest([product])), 0);
    whys.forEach(({ product }, i) => paint(i + 1, product, most));
    pen.putImageData(image, 0, 0);
    const name = (/** @type {string} */ text, /** @type {number} */ i) =>
      element(
        "button",
        { type: "button", "data-key": i, "aria-pressed": String(i === key), title: say("key_title", { i, text }) },
        element("bdi", {}, text),
      );
    this.names.replaceChildren(
      element("span", {}, element("b", {}, "q "), element("bdi", {}, query)),
      ...keys.map(name),
    );
    this.results.replaceChildren(
      element("span", { class: "bvl-soft" }, element("span", {}, say("score")), element("span", {}, say("weight"))),
      ...whys.map(({ scores, weights }, i) =>
        element(
          "span",
          { class: i === key ? "bvl-this" : null },
          element("span", {}, scores[i] < -9000 ? "−∞" : formatNumber(scores[i])),
          element("span", {}, formatWeight(weights[i], true)),
        ),
      ),
    );
    this.say(null, null);
  }
}
