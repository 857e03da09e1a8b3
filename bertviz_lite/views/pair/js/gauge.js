// The answer: how probable it is that B continues A.

import { element, setAttributes, setText } from "../../base/js/elements.js";
import { formatPercent } from "../../base/js/numbers.js";
import { say } from "../language/say.js";
import { answerName, answerTo } from "./words.js";

export class Gauge {
  constructor() {
    this.heading = element("h4", { class: "bvl-heading" });
    this.fill = element("span", { class: "bvl-fill" });
    this.meter = element(
      "div",
      {
        class: "bvl-gauge",
        role: "meter",
        "aria-label": say("gauge"),
        "aria-valuemin": 0,
        "aria-valuemax": 100,
      },
      this.fill,
      element("span", { class: "bvl-between", title: say("verdict_undecided") }),
    );
    this.box = element(
      "div",
      { class: "bvl-verdict" },
      this.heading,
      this.meter,
      element(
        "div",
        { class: "bvl-ends bvl-soft", "aria-hidden": "true" },
        element("span", {}, say("end_no")),
        element("span", {}, say("end_yes")),
      ),
    );
  }

  /**
   * @param {number} probability that B continues A
   * @param {boolean} isOfBefore whether other texts stand in the fields by now
   */
  draw(probability, isOfBefore) {
    const chance = formatPercent(probability);
    const answer = answerTo(probability);
    const verdict = answerName(answer);
    const title = say("answer", { chance, verdict });
    setText(this.heading, isOfBefore ? say("texts_before", { title }) : title);
    this.fill.style.width = `${100 * probability}%`;
    this.meter.classList.toggle("bvl-no", answer === "no");
    this.meter.classList.toggle("bvl-undecided", answer === "undecided");
    setAttributes(this.meter, {
      "aria-valuenow": (100 * probability).toFixed(1),
      "aria-valuetext": say("value_text", { chance, verdict }),
    });
  }
}
