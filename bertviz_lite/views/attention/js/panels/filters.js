// Which weights are drawn: by direction, kind of token and size.

import { sayCommon } from "../../../base/js/language/common.js";
import { element, setText } from "../../../base/js/elements.js";
import { formatPercent } from "../../../base/js/numbers.js";
import { choice, offer, slide, tick } from "../../../base/js/parts/controls.js";
import { formatWeight } from "../weights/codes.js";
import { isOpen } from "../weights/filters.js";
import { say } from "../../language/say.js";

/** @import { Sums } from "../canvas/weight_map.js" */
/** @import { ExplorerState } from "../state.js" */

/** What is hidden of one query or of several, in one way or in several. */
const HIDDEN = /** @type {const} */ ([
  ["hidden_of_one", "hidden_of_one_together"],
  ["hidden_of_all", "hidden_of_all_together"],
]);

const DIRECTIONS = ["all", "A→A", "A→B", "B→A", "B→B"];

/** The threshold's slider is finer for small weights. */
export const thresholdAt = (/** @type {number} */ place) => Number(((place / 100) ** 2).toFixed(4));

export class FilterPanel {
  /** @param {ExplorerState} state */
  constructor(state) {
    this.state = state;
    this.direction = choice(say("tokens"), [], state.life, (value) => state.set({ direction: value }));
    this.direction.box.append(
      element(
        "span",
        { class: "bvl-segments bvl-soft" },
        element("span", { class: "bvl-a" }, "A"),
        element("span", { class: "bvl-b" }, "B"),
      ),
    );
    this.special = tick(say("hide_special"), state.life, (on) => state.set({ hide_special: on }));
    this.words = tick(say("join_words"), state.life, (on) => state.set({ words: on }));
    this.shares = tick(say("scale_up"), state.life, (on) => state.set({ renormalise: on }));
    this.threshold = slide(say("hide_below"), { min: 0, max: 100 }, state.life, (value) =>
      state.set({ threshold: thresholdAt(value) }),
    );
    this.mass = slide(say("keep_strongest"), { min: 1, max: 100 }, state.life, (value) =>
      state.set({ mass: value / 100 }),
    );
    this.threshold.box.title = say("threshold_title");
    this.mass.box.title = say("mass_title");
    this.rule = element("p", { class: "bvl-soft bvl-rule" });
    this.box = element(
      "div",
      { class: "bvl-filters", role: "group", "aria-label": say("what_is_drawn") },
      element("h4", { class: "bvl-title" }, say("what_is_drawn")),
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
      DIRECTIONS.map((name) => [name, name === "all" ? say("all_to_all") : name]),
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
    this.words.box.title = hasPieces ? "" : say("no_pieces");
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
      if (special) hidden.push(say("on_special", { share: share(onSpecial) }));
      if (direction !== "all") hidden.push(say("in_directions", { share: share(elsewhere) }));
      if (threshold > 0 || mass < 1) hidden.push(say("too_small_drawn", { share: share(small) }));
      if (hidden.length > 0)
        lines.push(
          say(HIDDEN[Number(rows > 1)][Number(hidden.length > 1)], {
            rows,
            hidden: hidden.join(sayCommon("comma")),
            together: share(onSpecial + elsewhere + small),
          }),
        );
      lines.push(renormalise ? say("rows_of_shares") : "");
    }
    if (words) lines.push(say("words_rule"));
    setText(this.rule, lines.filter(Boolean).join(" "));
    this.rule.hidden = this.rule.textContent === "";
  }
}
