// A panel: one line over the run, with marks of its steps and of the present moment.

import { element, svgElement } from "../../base/js/elements.js";
import { placeOf, tickSteps } from "./steps.js";

/**
 * @typedef {object} Panel a small chart over the run
 * @property {HTMLElement} box
 * @property {SVGElement} line
 * @property {SVGElement} dots
 * @property {SVGElement} level
 * @property {HTMLElement} now the mark at the present moment
 */

/**
 * @param {number[]} steps of the run
 * @returns {Panel}
 */
export function makePanel(steps) {
  const [level, line, dots] = ["bvl-level", "bvl-line", "bvl-dots"].map((name) => svgElement("path", { class: name }));
  const ticks = tickSteps(steps).map((step) => `M${(100 * placeOf(step, steps)).toFixed(2)} 0V100`);
  const picture = svgElement(
    "svg",
    { viewBox: "0 0 100 100", preserveAspectRatio: "none", "aria-hidden": "true" },
    svgElement("path", { class: "bvl-ticks", d: ticks.join("") }),
    level,
    line,
    dots,
  );
  const now = element("span", { class: "bvl-now" });
  return { box: element("div", { class: "bvl-panel" }, picture, now), line, dots, level, now };
}

/**
 * Move a panel's mark to a place of the run.
 * @param {Panel} panel
 * @param {number} place from 0 to 1
 */
export function markPanel(panel, place) {
  panel.now.style.insetInlineStart = `${100 * place}%`;
}
