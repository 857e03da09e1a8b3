// The answer: how probable it is that B continues A.

import { element, setAttributes, setText } from "../../base/js/elements.js";
import { formatPercent } from "../../base/js/numbers.js";

export class Gauge {
  constructor() {
    this.heading = element("h4", { class: "bvl-heading" });
    this.fill = element("span", { class: "bvl-fill" });
    this.meter = element(
      "div",
      {
        class: "bvl-gauge",
        role: "meter",
        "aria-label": "Probability that B continues A",
        "aria-valuemin": 0,
        "aria-valuemax": 100,
      },
      this.fill,
      element("span", { class: "bvl-half" }),
    );
    this.box = element(
      "div",
      { class: "bvl-verdict" },
      this.heading,
      this.meter,
      element(
        "div",
        { class: "bvl-ends bvl-soft", "aria-hidden": "true" },
        element("span", {}, "0 %: B is of another story (label 1)"),
        element("span", {}, "100 %: B continues A (label 0)"),
      ),
    );
  }

  /**
   * @param {number} probability that B continues A
   * @param {boolean} isOfBefore whether other texts stand in the fields by now
   */
  draw(probability, isOfBefore) {
    const chance = formatPercent(probability);
    const verdict = probability >= 0.5 ? "B continues A (label 0)" : "B is of another story (label 1)";
    const title = `Probability that B continues A: ${chance}. BERT’s answer: ${verdict}`;
    setText(this.heading, isOfBefore ? `The texts before: ${title}` : title);
    this.fill.style.width = `${100 * probability}%`;
    this.meter.classList.toggle("bvl-no", probability < 0.5);
    setAttributes(this.meter, {
      "aria-valuenow": (100 * probability).toFixed(1),
      "aria-valuetext": `${chance}: ${verdict}`,
    });
  }
}
