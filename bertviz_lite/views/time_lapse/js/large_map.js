// The attention of one head, and the line of one weight over the run.

import { element, setAttributes, setText } from "../../base/js/elements.js";
import { indexAfterKey, onKeys } from "../../base/js/keys.js";
import { strongestOf, weightOf } from "./maps.js";
import { makePanel, markPanel } from "./panel.js";
import { formatCount, pathsOf } from "./steps.js";
import { say } from "../language/say.js";

/** @import { TimeLapse } from "../view.js" */

export class LargeMap {
  /** @param {TimeLapse} view */
  constructor(view) {
    this.view = view;
    /**
     * The weight that the reader picked, in the text that was shown then.
     * @type {{text: number, query: number, key: number} | null}
     */
    this.picked = null;
    /** The weight under the pointer. @type {{query: number, key: number} | null} */
    this.hovered = null;
    this.namesKey = -1;
    this.title = element("h4", { class: "bvl-heading" });
    this.canvas = /** @type {HTMLCanvasElement} */ (element("canvas", { "aria-hidden": "true" }));
    this.cell = element("span", { class: "bvl-cell" });
    this.map = element("div", { class: "bvl-map", role: "application", tabindex: 0 }, this.canvas, this.cell);
    const names = (/** @type {string} */ name) => element("div", { class: `${name} bvl-mono`, "aria-hidden": "true" });
    this.queries = names("bvl-queries");
    this.keys = names("bvl-columns");
    this.readout = element("p", { class: "bvl-readout", "aria-live": "polite" });
    this.panel = makePanel(view.steps);
    const at = (/** @type {PointerEvent} */ event) => {
      const { left, top, width, height } = this.canvas.getBoundingClientRect();
      const size = view.tokens.length;
      const within = (/** @type {number} */ share) => Math.min(size - 1, Math.max(0, Math.floor(share * size)));
      return { query: within((event.clientY - top) / height), key: within((event.clientX - left) / width) };
    };
    view.life.listen(this.map, "pointermove", (event) => {
      this.hovered = at(event);
      view.soon();
    });
    view.life.listen(this.map, "pointerleave", () => {
      this.hovered = null;
      view.soon();
    });
    view.life.listen(this.map, "click", (event) => this.pick(at(event)));
    onKeys(view.life, this.map, (event) => this.press(event.key));
    this.box = element(
      "div",
      { class: "bvl-large" },
      this.title,
      element("div", { class: "bvl-matrix" }, this.queries, this.map, element("span"), this.keys),
      this.readout,
      this.panel.box,
    );
  }

  /** @param {string} key @returns {boolean} whether it means something here */
  press(key) {
    const { query, key: now } = this.weight;
    const size = this.view.tokens.length;
    const next = indexAfterKey(key, query * size + now, size * size, size);
    if (next === null) return false;
    const isAcross = key === "ArrowLeft" || key === "ArrowRight";
    // Left and right stay in the row.
    if (!isAcross || Math.floor(next / size) === query) this.pick({ query: Math.floor(next / size), key: next % size });
    return true;
  }

  /** @param {{query: number, key: number}} weight */
  pick(weight) {
    this.picked = { text: this.view.model.get("text"), ...weight };
    this.hovered = null;
    this.view.soon();
  }

  /** The weight that is read out: under the pointer, else picked, else the strongest of this head at the end. */
  get weight() {
    if (this.hovered) return this.hovered;
    if (this.picked?.text === this.view.model.get("text"))
      return /** @type {{query: number, key: number}} */ (this.picked);
    const last = this.view.codes.mapOf(this.view.option, this.view.moments.length - 1);
    return last ? strongestOf(last, this.view.tokens) : { query: 0, key: 0 };
  }

  draw() {
    const { tokens, codes } = this.view;
    const [layer, head] = [this.view.model.get("layer"), this.view.model.get("head")];
    setText(this.title, say("title", { layer, head }));
    if (this.namesKey !== this.view.model.get("text")) {
      this.namesKey = this.view.model.get("text");
      this.queries.replaceChildren(...tokens.map((token) => element("span", {}, token)));
      this.keys.replaceChildren(...tokens.map((token) => element("span", {}, token)));
      this.box.style.setProperty("--bvl-size", String(tokens.length));
    }
    codes.paint(this.canvas, this.view.option);
    const { query, key } = this.weight;
    this.cell.style.inset = `${(100 * query) / tokens.length}% auto auto ${(100 * key) / tokens.length}%`;
    for (const [names, index] of /** @type {[HTMLElement, number][]} */ ([
      [this.queries, query],
      [this.keys, key],
    ])) {
      for (const [i, name] of [...names.children].entries()) name.classList.toggle("bvl-picked", i === index);
    }
    const values = this.view.moments.map((_, moment) => {
      const map = codes.mapOf(this.view.option, moment);
      return map ? weightOf(map[query * tokens.length + key]) : null;
    });
    const { line, dots } = pathsOf(values.slice(0, this.view.moment + 1), this.view.places, 1);
    this.panel.line.setAttribute("d", line);
    this.panel.dots.setAttribute("d", dots);
    markPanel(this.panel, this.view.places[this.view.moment]);
    const read = (/** @type {number | null} */ value) => (value === null ? "–" : value.toFixed(2));
    const pair = say("pair", { query: tokens[query], from: query, key: tokens[key], to: key });
    setText(
      this.readout,
      say("readout", {
        ...{ pair, now: read(values[this.view.moment]), first: read(values[0]) },
        step: formatCount(this.view.steps[0]),
      }),
    );
    setAttributes(this.map, {
      "aria-label": say("map_label", { layer, head, pair }),
    });
  }
}
