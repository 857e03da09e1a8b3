// Which weights are drawn: by direction, kind of token and size.

import { element, setText } from "../../../base/js/elements.js";
import { formatPercent } from "../../../base/js/numbers.js";
import { choice, offer, slide, tick } from "../../../base/js/parts/controls.js";
import { formatWeight } from "../weights/codes.js";
import { isOpen } from "../weights/filters.js";

/** @import { Sums } from "../canvas/weight_map.js" */
/** @import { ExplorerState } from "../state.js" */

const DIRECTIONS = ["all", "A→A", "A→B", "B→A", "B→B"];

/** The threshold's slider is finer for small weights. */
export const thresholdAt = (/** @type {number} */ place) => Number(((place / 100) ** 2).toFixed(4));

export class FilterPanel {
  /** @param {ExplorerState} state */
  constructor(state) {
    this.state = state;
    this.direction = choice("Tokens", [], state.life, (value) => state.set({ direction: value }));
    this.direction.box.append(
      element(
        "span",
        { class: "bvl-segments bvl-soft" },
        element("span", { class: "bvl-a" }, "A"),
        element("span", { class: "bvl-b" }, "B"),
      ),
    );
    this.special = tick("hide special tokens", state.life, (on) => state.set({ hide_special: on }));
    this.words = tick("join word pieces to words", state.life, (on) => state.set({ words: on }));
    this.shares = tick("scale the rest up to 100\u00a0%", state.life, (on) => state.set({ renormalise: on }));
    this.threshold = slide("hide below", { min: 0, max: 100 }, state.life, (value) =>
      state.set({ threshold: thresholdAt(value) }),
    );
    this.mass = slide("keep strongest", { min: 1, max: 100 }, state.life, (value) => state.set({ mass: value / 100 }));
    this.threshold.box.title = "Weights below this are not drawn.";
    this.mass.box.title = "Of each query, only the largest weights are drawn that together hold this share.";
    this.rule = element("p", { class: "bvl-soft bvl-rule" });
    this.box = element(
      "div",
      { class: "bvl-filters", role: "group", "aria-label": "What is drawn" },
      element("h4", { class: "bvl-title" }, "What is drawn"),
      element(
        "div",
        { class: "bvl-controls" },
        this.direction.box,
        this.special.box,
        this.shares.box,
        this.words.box,
        this.threshold.box,
        this.mass.box,
      ),
      this.rule,
    );
  }

  draw() {
    const { direction, threshold, mass } = this.state.traits;
    const shape = this.state.shape();
    const tokens = (shape.keys ?? shape.queries).segments;
    const two = shape.queries.segments.includes(1) && tokens.includes(1);
    offer(
      this.direction.select,
      DIRECTIONS.map((name) => [name, name === "all" ? "all to all" : name]),
      direction,
    );
    this.direction.box.hidden = !two && direction === "all";
    this.special.input.checked = this.state.traits.hide_special;
    this.shares.input.checked = this.state.traits.renormalise;
    this.words.input.checked = this.state.traits.words;
    const hasPieces = [shape.queries, shape.keys ?? shape.queries].some(({ words }) =>
      words.some((/** @type {number} */ word, /** @type {number} */ i) => i > 0 && word >= 0 && word === words[i - 1]),
    );
    this.words.input.disabled = !hasPieces && !this.state.traits.words;
    this.words.box.title = hasPieces ? "" : "Every word here is one token.";
    this.threshold.input.value = String(Math.round(100 * Math.sqrt(threshold)));
    setText(this.threshold.value, threshold > 0 ? formatWeight(threshold) : "0");
    this.threshold.input.setAttribute("aria-valuetext", this.threshold.value.textContent ?? "");
    this.mass.input.value = String(Math.round(100 * mass));
    setText(this.mass.value, `${Math.round(100 * mass)}\u00a0%`);
    this.mass.input.setAttribute("aria-valuetext", this.mass.value.textContent ?? "");
  }

  /** What is hidden now, and by which rule. @param {Sums} sums */
  drawRule(sums) {
    const { words, hide_special: special, direction, renormalise, threshold, mass } = this.state.traits;
    const lines = [];
    const { total, special: onSpecial, direction: elsewhere, small, rows } = sums;
    if (rows > 0 && !isOpen(this.state.filter())) {
      const share = (/** @type {number} */ part) => formatPercent(part / total);
      const hidden = [];
      if (special) hidden.push(`${share(onSpecial)} on special tokens`);
      if (direction !== "all") hidden.push(`${share(elsewhere)} in other directions`);
      if (threshold > 0 || mass < 1) hidden.push(`${share(small)} too small to be drawn`);
      if (hidden.length > 0)
        lines.push(
          `Hidden of what the ${rows === 1 ? "query gives" : `${rows} queries shown give`}: ${hidden.join(", ")}` +
            `${hidden.length > 1 ? `; together ${share(onSpecial + elsewhere + small)}` : ""}.`,
        );
      lines.push(renormalise ? "Each row is drawn as shares of what is left: compare within a row only." : "");
    }
    if (words)
      lines.push(
        "Words: weights are summed over the tokens of a key and averaged over the tokens of a query, " +
          "so that rows still sum to one.",
      );
    setText(this.rule, lines.filter(Boolean).join(" "));
    this.rule.hidden = this.rule.textContent === "";
  }
}
