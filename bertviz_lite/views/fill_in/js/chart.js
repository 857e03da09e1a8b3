// The chart: how each word rises from layer to layer, as a line with its name at the end.

import { element, setText, svgElement } from "../../base/js/elements.js";
import { axisEnd, heightOf, nearestLine, rankEnd, rankMarks, spread } from "./lines.js";
import { formatPercent } from "../../base/js/numbers.js";
import { tickName } from "./rows.js";
import { quoted } from "./words.js";
import { sayCommon } from "../../base/js/language/common.js";
import { say } from "../language/say.js";

/** @import { FillIn } from "../view.js" */
/** @import { Row } from "./rows.js" */

const COLOURS = 5;
const [CHART_HEIGHT, LABEL_HEIGHT] = [17.5, 1.25]; // in em; the chart grows where its labels need it

/** @param {number} number of a line: five colours, then again with other dashes */
export const lineClass = (number) => `bvl-c${number % COLOURS} bvl-d${Math.floor(number / COLOURS) % 3}`;

/** A short piece of line number i, which names it. @param {number} i */
export function lineSample(i) {
  return svgElement(
    "svg",
    { class: `bvl-sample ${lineClass(i)}`, viewBox: "0 0 24 10", "aria-hidden": "true" },
    svgElement("path", { class: "bvl-line", d: "M1 5H23" }),
  );
}

export class Chart {
  /** @param {FillIn} view */
  constructor(view) {
    this.view = view;
    /** Heights of the lines, in hundredths from the top. @type {number[][]} */
    this.heights = [];
    this.lines = svgElement("svg", { viewBox: "0 0 100 100", preserveAspectRatio: "none", "aria-hidden": "true" });
    this.cursor = element("span", { class: "bvl-cursor" });
    this.ticks = element("div", { class: "bvl-ticks", "aria-hidden": "true" });
    this.layers = element("div", { class: "bvl-layers", "aria-hidden": "true" });
    this.names = element("div", { class: "bvl-names", "aria-hidden": "true" });
    const parts = [this.ticks, this.cursor, this.lines, this.names, this.layers];
    this.area = element("div", { class: "bvl-area", role: "img" }, ...parts);
    this.readout = element("p", { class: "bvl-readout" });
    this.title = element("p", { class: "bvl-soft bvl-note" });
    this.box = element("div", { class: "bvl-chart" }, this.title, this.area, this.readout);
    view.life.listen(this.area, "pointermove", (event) => view.hover(this.wordAt(event)));
    view.life.listen(this.area, "pointerleave", () => view.hover(null));
    view.life.listen(this.area, "click", (event) => view.toggleWord(this.wordAt(event)));
  }

  /** @param {PointerEvent} event @returns {string | null} the word of the nearest line */
  wordAt(event) {
    const { left, top, width, height } = this.lines.getBoundingClientRect();
    const [x, y] = [(event.clientX - left) / width, (100 * (event.clientY - top)) / height];
    return x > 1.02 ? null : (this.view.shown[nearestLine(this.heights, x, y)]?.word ?? null);
  }

  draw() {
    const { shown, facts, model } = this.view;
    const scale = model.get("scale");
    const last = facts.layers - 1;
    const values = (/** @type {Row} */ row) => (scale === "rank" ? row.ranks : row.shares);
    const most = Math.max(...shown.flatMap((row) => [...values(row)]));
    const end = scale === "rank" ? rankEnd(most, facts.vocab_size) : axisEnd(most);
    this.heights = shown.map((row) => Array.from(values(row), (value) => heightOf(value, scale, end)));
    this.drawLines();
    this.drawTicks(scale, end);
    this.drawLayers();
    const measure =
      scale === "rank"
        ? say("rank_among", { count: facts.vocab_size.toLocaleString("en") })
        : say("measure_probability");
    setText(this.title, say("measure_by_layers", { measure }));
    const best = shown.slice(0, 5).map((row) => `${quoted(row.word)} ${formatPercent(row.shares[last])}`);
    const counts = { count: shown.length, readings: last + 1, best: best.join(sayCommon("comma")) };
    this.area.setAttribute("aria-label", say(scale === "rank" ? "chart_ranks" : "chart_probabilities", counts));
  }

  /** Where a layer stands from the left, in hundredths. @param {number} layer */
  across(layer) {
    const last = this.view.facts.layers - 1;
    return last > 0 ? (100 * layer) / last : 50;
  }

  drawLines() {
    const { shown, facts } = this.view;
    const last = facts.layers - 1;
    const height = Math.max(CHART_HEIGHT, LABEL_HEIGHT * shown.length);
    this.area.style.height = `${height}em`;
    const ends = this.heights.map((heights) => heights[last]);
    const places = spread(ends, (100 * LABEL_HEIGHT) / height, 100);
    const paths = this.heights.map((heights, i) => {
      const points = heights.map((y, at) => `${this.across(at).toFixed(2)} ${y.toFixed(2)}`);
      return svgElement(
        "g",
        { class: lineClass(i) },
        svgElement("path", { class: "bvl-line", d: `M${points.join("L")}` }),
        svgElement("path", { class: "bvl-dot", d: points.map((point) => `M${point}h0`).join("") }),
        svgElement("path", { class: "bvl-leader", d: `M${points[last]}L102.3 ${places[i].toFixed(2)}` }),
      );
    });
    this.lines.replaceChildren(...paths);
    this.names.replaceChildren(
      ...shown.map((row, i) => {
        const name = element("span", { class: "bvl-mono" }, quoted(row.word));
        name.style.top = `${places[i]}%`;
        return name;
      }),
    );
  }

  /**
   * @param {string} scale
   * @param {number} end of the axis
   */
  drawTicks(scale, end) {
    const marks = scale === "rank" ? rankMarks(end) : [0, 0.25, 0.5, 0.75, 1].map((part) => part * end);
    this.ticks.replaceChildren(
      ...marks.map((mark) => {
        const name = scale === "rank" ? mark.toLocaleString("en") : `${Number((100 * mark).toPrecision(3))}\u00a0%`;
        const tick = element("span", {}, element("span", {}, name));
        tick.style.top = `${heightOf(mark, scale, end)}%`;
        return tick;
      }),
    );
  }

  drawLayers() {
    const { facts, layer } = this.view;
    this.layers.classList.toggle("bvl-many", facts.layers > 9);
    this.layers.replaceChildren(
      ...Array.from({ length: facts.layers }, (_, at) => {
        const name = element("span", { class: at === layer ? "bvl-here" : "" }, tickName(at));
        name.style.left = `${this.across(at)}%`;
        return name;
      }),
    );
    this.cursor.style.left = `${this.across(layer)}%`;
  }

  /** Say how the picked word rises. */
  drawReadout() {
    const { picked, facts } = this.view;
    if (!picked) {
      setText(this.readout, say("point_at", { layers: facts.layers - 1 }));
      return;
    }
    const path = [...picked.shares].map(
      (share, at) => `${tickName(at)}: ${formatPercent(share)} (#${picked.ranks[at].toLocaleString("en")})`,
    );
    setText(this.readout, say("picked_by_layers", { word: picked.word, path: path.join(" · ") }));
  }
}
