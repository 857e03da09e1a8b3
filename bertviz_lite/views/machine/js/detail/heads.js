// The attention weights: every head small, one of them large, and what the chosen token reads.

import { sayCommon } from "../../../base/js/language/common.js";
import { element, setAttributes, setText } from "../../../base/js/elements.js";
import { indexAfterKey, onKeys } from "../../../base/js/keys.js";
import { formatPercent } from "../../../base/js/numbers.js";
import { paintOneMap, paintWeights } from "../paint.js";
import { exactText, heaviest } from "../steps.js";
import { say } from "../../language/say.js";

/** @import { Machine } from "../../view.js" */

const MOST_NAMES = 40;

/** A word of the text among words of ours. @param {string} token */
const quoted = (token) => `“${token}”`;

export class HeadsPanel {
  /**
   * @param {Machine} view
   * @param {HTMLElement} readout
   */
  constructor(view, readout) {
    this.view = view;
    this.readout = readout;
    /** @type {{query: number, key: number} | null} */
    this.at = null;
    /** Of the chosen head, query by query. @type {Float32Array} */
    this.weights = new Float32Array();
    this.size = 0;
    this.canvas = /** @type {HTMLCanvasElement} */ (element("canvas", { "aria-hidden": "true" }));
    this.cursor = element("span", { class: "bvl-cursor", "aria-hidden": "true", hidden: true });
    this.field = element("div", { class: "bvl-strip-field", role: "group", tabindex: 0 }, this.canvas, this.cursor);
    this.queries = element("div", { class: "bvl-strip-names", "aria-hidden": "true" });
    this.keys = element("div", { class: "bvl-key-names", "aria-hidden": "true" });
    this.small = element("div", { class: "bvl-heads", role: "group", "aria-label": say("heads_label") });
    /** @type {{button: HTMLElement, canvas: HTMLCanvasElement}[]} */
    this.buttons = [];
    this.box = element(
      "div",
      { class: "bvl-heads-panel" },
      this.small,
      element("div", { class: "bvl-matrix" }, this.keys, this.queries, this.field),
      element("p", { class: "bvl-soft" }, say("heads_note")),
    );
    const { life } = view;
    for (const kind of ["pointermove", "pointerdown"]) life.listen(this.field, kind, (event) => this.point(event));
    life.listen(this.field, "pointerleave", () => this.field !== document.activeElement && this.leave());
    life.listen(this.field, "blur", () => this.leave());
    life.listen(this.field, "click", (event) => {
      this.point(event);
      if (this.at) view.chooseToken(this.at.query);
    });
    onKeys(life, this.field, ({ key }) => this.press(key));
  }

  draw() {
    const { view } = this;
    const numbers = view.numbersOf("weights");
    if (!numbers) return;
    const [heads, size] = numbers.shape;
    const mapOf = (/** @type {number} */ head) => numbers.values.subarray(head * size * size, (head + 1) * size * size);
    const head = view.model.get("head");
    this.makeButtons(heads);
    for (const [i, { button, canvas }] of this.buttons.entries()) {
      setAttributes(button, { "aria-pressed": String(i === head) });
      paintWeights(canvas, { maps: [mapOf(i)], chosenHead: null, query: view.token }, view.colours);
    }
    this.weights = mapOf(head);
    this.size = size;
    const { tokens } = view.facts;
    this.box.style.setProperty("--bvl-rows", String(size));
    const named = size <= MOST_NAMES;
    this.box.classList.toggle("bvl-unnamed", !named);
    const nameOf = (/** @type {string} */ token, /** @type {number} */ i) =>
      element("bdi", { class: i === view.token ? "bvl-chosen-name" : null, title: token }, token);
    this.queries.replaceChildren(...(named ? tokens.map(nameOf) : []));
    this.keys.replaceChildren(...(named ? tokens.map(nameOf) : []));
    setAttributes(this.field, {
      "aria-label": say("weights_label", { head, queries: size, keys: size }),
    });
    paintOneMap(this.canvas, { weights: this.weights, query: view.token }, view.colours);
  }

  /** @param {number} count */
  makeButtons(count) {
    if (this.buttons.length === count) return;
    this.buttons = Array.from({ length: count }, (_, i) => {
      const canvas = /** @type {HTMLCanvasElement} */ (element("canvas", { "aria-hidden": "true" }));
      const button = element(
        "button",
        { type: "button", "aria-label": say("head_number", { i }) },
        canvas,
        element("span", { "aria-hidden": "true" }, String(i)),
      );
      this.view.life.listen(button, "click", () => this.view.set({ head: i }));
      return { button, canvas };
    });
    this.small.replaceChildren(
      element("span", { class: "bvl-soft" }, say("head")),
      ...this.buttons.map(({ button }) => button),
    );
  }

  /** What the chosen token reads, in the chosen head. */
  get reads() {
    const { view } = this;
    const { tokens } = view.facts;
    if (view.token === null) return say("row_is_query");
    const head = view.model.get("head");
    const row = this.weights.subarray(view.token * this.size, (view.token + 1) * this.size);
    const most = heaviest(row, 3).map((key) => `${quoted(tokens[key])} ${formatPercent(row[key])}`);
    return say("reads_from", { head, token: quoted(tokens[view.token]), most: most.join(sayCommon("comma")) });
  }

  /** @param {PointerEvent} event */
  point(event) {
    const { left, top, width, height } = this.canvas.getBoundingClientRect();
    const at = (/** @type {number} */ share) => Math.min(this.size - 1, Math.max(0, Math.floor(share * this.size)));
    this.read({ query: at((event.clientY - top) / height), key: at((event.clientX - left) / width) });
  }

  /** @param {string} name of a key of the keyboard */
  press(name) {
    if (name === "Enter" || name === " ") {
      if (this.at) this.view.chooseToken(this.at.query);
      return this.at !== null;
    }
    const { query, key } = this.at ?? { query: 0, key: 0 };
    const next = indexAfterKey(name, query * this.size + key, this.size * this.size, this.size);
    if (next === null) return false;
    this.read(this.at ? { query: Math.floor(next / this.size), key: next % this.size } : { query, key });
    return true;
  }

  /** @param {{query: number, key: number}} at */
  read(at) {
    this.at = at;
    const { tokens } = this.view.facts;
    const weight = this.weights[at.query * this.size + at.key];
    const head = this.view.model.get("head");
    setText(
      this.readout,
      say("reads", { head, query: tokens[at.query], key: tokens[at.key], weight: exactText(weight) }),
    );
    this.readout.classList.remove("bvl-soft");
    const share = 100 / this.size;
    this.cursor.hidden = false;
    setAttributes(this.cursor, {
      "data-value": exactText(weight),
      "data-side": at.key * 2 > this.size ? "left" : "right",
    });
    Object.assign(this.cursor.style, {
      left: `${at.key * share}%`,
      top: `${at.query * share}%`,
      width: `${share}%`,
      height: `${share}%`,
    });
  }

  leave() {
    this.at = null;
    this.cursor.hidden = true;
    this.rest();
  }

  rest() {
    setText(this.readout, this.reads);
    this.readout.classList.toggle("bvl-soft", this.view.token === null);
  }
}
