// What the model expects where a token was changed: before, after, and with all heads on.

import { element } from "../../../base/js/elements.js";
import { formatNumber, formatPercent } from "../../../base/js/numbers.js";
import { readable } from "../weights/axis.js";

/** @type {[string, string][]} */
const RUNS = [
  ["before", "before"],
  ["heads_on", "edited, all heads on"],
  ["after", "after"],
];
/** The order of Python's losses. */
const LOSSES = ["before", "after", "heads_on"];

export class Predictions {
  constructor() {
    this.box = element("div", { class: "bvl-predictions" });
    this.key = "";
  }

  /** @param {any[]} positions */
  draw(positions) {
    const key = JSON.stringify(positions);
    if (key === this.key) return;
    this.key = key;
    this.box.replaceChildren(...positions.map(predictionAt));
  }
}

/** @param {any} prediction at one position */
function predictionAt(prediction) {
  const { position, token, loss } = prediction;
  const runs = RUNS.filter(([name]) => prediction[name]);
  const losses = runs.map(([name, title]) => `${title} ${nats(loss?.[LOSSES.indexOf(name)])}`).join("; ");
  return element(
    "section",
    { class: "bvl-prediction" },
    element("h5", {}, `What the model expects at position ${position}`),
    element("div", { class: "bvl-tops" }, ...runs.map(([name, title]) => topTable(title, prediction[name], token))),
    element(
      "p",
      {},
      "Loss of ",
      element("bdi", { class: "bvl-token-name" }, readable(token)),
      ` there, −ln p in nats: ${losses}.`,
    ),
  );
}

/** @param {number | null | undefined} loss */
const nats = (loss) => (loss === null || loss === undefined ? "–" : formatNumber(loss));

/**
 * @param {string} title
 * @param {[string, number][]} top tokens and their probabilities
 * @param {string} marked
 */
function topTable(title, top, marked) {
  const rows = top.map(([token, share]) =>
    element(
      "tr",
      { class: token === marked ? "bvl-this" : null },
      element("th", { scope: "row" }, element("bdi", {}, readable(token))),
      element(
        "td",
        { class: "bvl-bar-cell" },
        element("span", { class: "bvl-weight-bar", style: `inline-size:${(100 * share).toFixed(1)}%` }),
        element("span", {}, formatPercent(share)),
      ),
    ),
  );
  return element("table", { class: "bvl-top" }, element("caption", {}, title), element("tbody", {}, ...rows));
}
