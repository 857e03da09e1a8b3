// The run from left to right: its losses, and when each ability appears.

import { element, setAttributes, setText } from "../../base/js/elements.js";
import { formatNumber } from "../../base/js/numbers.js";
import { titleOf } from "../language/say.js";
import { absenceOf, lossesAt } from "./abilities.js";
import { makePanel, markPanel } from "./panel.js";
import { formatCount, heightOf, momentAt, pathsOf, placeOf, tickSteps } from "./steps.js";
import { say } from "../language/say.js";

/** @import { TimeLapse } from "../view.js" */

const lossNames = () =>
  /** @type {const} */ ([
    ["mlm_loss", say("loss_words")],
    ["nsp_loss", say("loss_next")],
  ]);
export const MOMENT_MS = 1000; // how long a moment stays while the run is played

export class RunChart {
  /** @param {TimeLapse} view */
  constructor(view) {
    this.view = view;
    const axis = element("div", { class: "bvl-axis", "aria-hidden": "true" });
    for (const step of tickSteps(view.steps)) {
      const tick = element("span", {}, formatCount(step).replace(/,000$/, "k"));
      tick.style.insetInlineStart = `${100 * placeOf(step, view.steps)}%`;
      axis.append(tick);
    }
    const head = (/** @type {string} */ name) => element("th", { scope: "col" }, name);
    const over = element("th", { scope: "col" }, element("span", {}, say("axis_step")), axis);
    const body = element("tbody");
    this.losses = lossNames().map(([name, title]) => {
      /** @type {number[]} */
      const values = view.run.losses.map((/** @type {any} */ entry) => entry[name]);
      const row = this.makeRow(title, say("range", { most: formatNumber(Math.max(...values, 0)) }));
      const places = view.run.losses.map((/** @type {any} */ entry) => placeOf(entry.step, view.steps));
      row.panel.line.setAttribute("d", pathsOf(values, places, Math.max(...values, 0)).line);
      row.row.classList.add("bvl-loss");
      body.append(row.row);
      return { ...row, name, values };
    });
    /** @type {Record<string, ReturnType<RunChart["makeRow"]>>} */
    this.rows = {};
    for (const name of Object.keys(view.run.titles)) this.rows[name] = this.makeRow(titleOf(name, view.run.titles), "");
    body.append(...Object.values(this.rows).map(({ row }) => row));
    this.table = element(
      "table",
      { class: "bvl-chart" },
      element("caption", {}, say("caption")),
      element("thead", {}, element("tr", {}, head(say("what")), over, head(say("now")), head(say("appears")))),
      body,
    );
    const choose = (/** @type {PointerEvent} */ event) => {
      const panel = /** @type {Element} */ (event.target).closest(".bvl-panel");
      if (!panel || (event.type === "pointermove" && event.buttons !== 1)) return;
      const { left, width } = panel.getBoundingClientRect();
      view.pause();
      const moment = momentAt((event.clientX - left) / width, view.steps);
      if (moment !== view.moment) view.set({ moment });
    };
    view.life.listen(this.table, "pointerdown", choose);
    view.life.listen(this.table, "pointermove", choose);
    this.threshold = /** @type {HTMLInputElement} */ (
      element("input", { type: "range", min: 0.05, max: 1, step: 0.05 })
    );
    this.share = element("output");
    view.life.listen(this.threshold, "input", () => view.set({ threshold: Number(this.threshold.value) }));
    this.below = element(
      "div",
      { class: "bvl-below" },
      element("label", {}, say("ability_there"), this.threshold, this.share, say("of_its_way")),
      element("p", { class: "bvl-soft" }, say("way_note")),
    );
  }

  /**
   * @param {string} title
   * @param {string} scale what the panel's height stands for, where it is not 0 to 1
   */
  makeRow(title, scale) {
    const panel = makePanel(this.view.steps);
    const [now, there] = [element("td", { class: "bvl-value" }), element("td", { class: "bvl-there" })];
    const name = element("th", { scope: "row" }, title);
    if (scale !== "") name.append(" ", element("small", { class: "bvl-soft" }, scale));
    return { row: element("tr", {}, name, element("td", {}, panel.box), now, there), panel, now, there };
  }

  /** Put the abilities in the order in which they appear. */
  sort() {
    for (const { name } of this.view.abilities) {
      const { row } = this.rows[name];
      row.parentElement?.append(row);
    }
  }

  draw() {
    this.drawLosses();
    this.drawAbilities();
  }

  drawLosses() {
    const now = lossesAt(this.view.run.losses, this.view.steps[this.view.moment]);
    for (const row of this.losses) {
      markPanel(row.panel, this.view.places[this.view.moment]);
      const value = now ? now[row.name] : NaN;
      setText(row.now, Number.isFinite(value) ? value.toFixed(2) : "–");
      const top = Math.max(...row.values, 0);
      const dot = Number.isFinite(value)
        ? `M${100 * this.view.places[this.view.moment]} ${heightOf(value, top)}h0`
        : "";
      row.panel.dots.setAttribute("d", dot);
    }
  }

  drawAbilities() {
    const { moment, steps, places } = this.view;
    const threshold = this.view.model.get("threshold");
    this.threshold.value = String(threshold);
    const share = `${Math.round(100 * threshold)}\u00a0%`;
    setText(this.share, share);
    this.threshold.setAttribute("aria-valuetext", say("share_of_way", { share }));
    for (const { name, values, level, first, below } of this.view.abilities) {
      const { row, panel, now, there } = this.rows[name];
      const { line, dots } = pathsOf(values.slice(0, moment + 1), places, 1);
      panel.line.setAttribute("d", line);
      panel.dots.setAttribute("d", dots);
      panel.level.setAttribute("d", level === null ? "" : `M0 ${heightOf(level, 1)}H100`);
      markPanel(panel, this.view.places[this.view.moment]);
      const value = values[moment];
      setText(now, value === null ? "–" : value.toFixed(2));
      const isThere = first !== null && first <= moment;
      row.classList.toggle("bvl-is-there", isThere);
      /** @type {string | null} */
      let title = null;
      if (first === null) {
        const absence = absenceOf(values);
        setText(there, say(absence === "no_rise" && moment < steps.length - 1 ? "not_yet" : absence));
      } else if (!isThere) setText(there, say("not_yet"));
      else {
        const step = formatCount(steps[first]);
        setText(there, below === null ? `${say("at")} ${step}` : `${formatCount(steps[below])} – ${step}`);
        if (below !== null) title = say("between", { before: formatCount(steps[below]), step });
      }
      setAttributes(there, { title });
    }
  }
}
