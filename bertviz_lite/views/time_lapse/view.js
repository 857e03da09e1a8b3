// The time-lapse: a training run, moment by moment. See view.py for the traits.

import { DrawnView } from "../base/js/drawn_view.js";
import { element, setAttributes, setText } from "../base/js/elements.js";
import { inLanguage } from "../base/js/language/shown.js";
import { FoldedTable } from "../base/js/parts/folded_table.js";
import { StateLink, isIndexIn } from "../base/js/parts/link.js";
import { Tools } from "../base/js/parts/tools.js";
import { followTheme } from "../base/js/theme.js";
import { abilitiesOf, absenceOf } from "./js/abilities.js";
import { say, titleOf } from "./language/say.js";
import { AttentionCodes } from "./js/attention_codes.js";
import { MOMENT_MS, RunChart } from "./js/chart.js";
import { HeadMaps } from "./js/head_maps.js";
import { LargeMap } from "./js/large_map.js";
import { formatCount, formatLarge, placeOf } from "./js/steps.js";

/** @import { Ability, Moment } from "./js/abilities.js" */

/** @returns {[string, string][]} */
const timeLapseKeys = () => [
  ["← + →", say("key_moment")],
  ["Space", say("key_play")],
  ["↑ + ↓ + ← + →", say("key_head")],
];

const TIME_LAPSE_TRAITS = ["moment", "text", "layer", "head", "threshold"];

export class TimeLapse extends DrawnView {
  /**
   * @param {any} model
   * @param {HTMLElement} el
   */
  constructor(model, el) {
    super(model, "time-lapse", say("view"));
    this.run = model.get("_run");
    /** @type {Moment[]} */
    this.moments = this.run.moments;
    this.steps = this.moments.map(({ step }) => step);
    this.places = this.steps.map((step) => placeOf(step, this.steps));
    /** @type {Ability[]} */
    this.abilities = [];
    this.abilitiesFor = NaN;
    this.codes = new AttentionCodes(this);
    this.timer = 0;
    this.reduced = window.matchMedia("(prefers-reduced-motion: reduce)");
    this.controls = this.makeControls();
    this.heading = element("h4", { class: "bvl-heading", "aria-live": "polite" });
    this.news = element("p", { class: "bvl-news", "aria-live": "polite" });
    this.chart = new RunChart(this);
    this.maps = new HeadMaps(this);
    this.large = new LargeMap(this);
    this.table = new FoldedTable(this.life, {
      summary: say("every_score"),
      label: say("every_score"),
      read: () => this.readTable(),
    });
    this.table.box.append(
      ...this.run.notes.map((/** @type {string} */ note) => element("p", { class: "bvl-soft" }, note)),
    );
    this.link = new StateLink(model, this.life, TIME_LAPSE_TRAITS, (name, value) => this.accepts(name, value));
    this.link.take();
    this.tools = new Tools(this, {
      keys: timeLapseKeys(),
      name: () => say("file_name", { step: this.moments[this.moment].step }),
      numbers: () => [
        [say("score"), ...this.steps.map((step) => say("step", { step }))],
        ...this.abilities.map(({ name, values }) => [name, ...values.map((value) => value ?? "")]),
      ],
      link: this.link,
    });
    for (const box of [this.chart.below, this.maps.field, this.table.box]) box.classList.add("bvl-no-show");
    this.root.append(
      element("div", { class: "bvl-first-line" }, this.controls.box, this.tools.box),
      this.tools.panel,
      this.heading,
      this.news,
      element(
        "div",
        { class: "bvl-main" },
        element("div", { class: "bvl-run" }, this.chart.table, this.chart.below),
        element("div", { class: "bvl-attention" }, this.maps.field, this.maps.overview, this.large.box),
      ),
      this.table.box,
    );
    el.append(this.root);
    followTheme(this.root, this.life);
    const theme = new MutationObserver(() => this.soon());
    theme.observe(this.root, { attributes: true, attributeFilter: ["data-theme"] });
    this.life.endings.push(
      () => theme.disconnect(),
      () => clearTimeout(this.timer),
    );
    this.life.listen(this.reduced, "change", () => {
      this.pause();
      this.soon();
    });
    this.life.follow(model, TIME_LAPSE_TRAITS, () => this.soon());
    this.draw();
  }

  get moment() {
    return /** @type {number} */ (this.model.get("moment"));
  }

  /** @type {string[]} */
  get tokens() {
    return this.run.tokens[this.model.get("text")];
  }

  /** @param {string} name @param {any} value */
  accepts(name, value) {
    const { layers, heads, tokens } = this.run;
    /** @type {Record<string, number>} */
    const sizes = { moment: this.moments.length, text: tokens.length, layer: layers, head: heads };
    return name in sizes ? isIndexIn(value, sizes[name]) : value > 0 && value <= 1;
  }

  // ---- the run

  makeControls() {
    const play = /** @type {HTMLButtonElement} */ (element("button", { type: "button", class: "bvl-play" }));
    const slider = /** @type {HTMLInputElement} */ (
      element("input", {
        type: "range",
        min: 0,
        max: this.moments.length - 1,
        step: 1,
        "aria-label": say("moment_label"),
      })
    );
    this.life.listen(play, "click", () => this.play());
    this.life.listen(slider, "input", () => {
      this.pause();
      this.set({ moment: Number(slider.value) });
    });
    return {
      box: element("div", { class: "bvl-bar" }, play, element("span", { class: "bvl-slider" }, slider)),
      play,
      slider,
    };
  }

  /** Play or pause; where a reader wants no motion, go on by one moment. */
  play() {
    if (this.timer !== 0) {
      this.pause();
      return;
    }
    const isLast = this.moment === this.moments.length - 1;
    this.set({ moment: isLast ? 0 : this.moment + 1 });
    if (!this.reduced.matches) this.goOn();
    this.soon();
  }

  goOn() {
    this.timer = setTimeout(() => {
      this.timer = 0;
      if (this.moment < this.moments.length - 1) {
        this.set({ moment: this.moment + 1 });
        this.goOn();
      }
      this.soon();
    }, MOMENT_MS);
  }

  pause() {
    clearTimeout(this.timer);
    this.timer = 0;
    this.soon();
  }

  /** The chosen head's number among all. */
  get option() {
    return this.model.get("layer") * this.run.heads + this.model.get("head");
  }

  /** @param {number} option */
  nameOf(option) {
    return say("name_of", { layer: Math.floor(option / this.run.heads), head: option % this.run.heads });
  }

  // ---- draw

  draw() {
    const threshold = this.model.get("threshold");
    if (this.abilitiesFor !== threshold) {
      this.abilitiesFor = threshold;
      this.abilities = abilitiesOf(this.moments, threshold, this.run.least_rise);
      this.chart.sort();
    }
    this.codes.fetch(this.model.get("text"));
    this.drawTop();
    this.chart.draw();
    this.maps.draw();
    this.large.draw();
    this.table.draw();
  }

  drawTop() {
    const { moment, moments, controls, reduced } = this;
    const { step, tokens } = moments[moment];
    const playing = this.timer !== 0;
    setText(controls.play, playing ? say("pause") : reduced.matches ? say("next") : say("play"));
    controls.slider.value = String(moment);
    const last = this.steps[this.steps.length - 1];
    const text = say(tokens === null ? "heading" : "heading_read", {
      ...{ step: formatCount(step), last: formatCount(last) },
      tokens: formatLarge(tokens ?? 0),
    });
    controls.slider.setAttribute(
      "aria-valuetext",
      say("moment_of", { moment: moment + 1, count: moments.length, text }),
    );
    // While it plays, a screen reader would never come to an end.
    for (const spoken of [this.heading, this.news, this.large.readout])
      setAttributes(spoken, { "aria-live": playing ? "off" : "polite" });
    setText(this.heading, text);
    const there = this.abilities.filter(({ first }) => first !== null && first <= moment);
    const fresh = there.filter(({ first }) => first === moment).map(({ name }) => titleOf(name, this.run.titles));
    const news = fresh.length > 0 ? say("new", { abilities: fresh.join("; ") }) : say("nothing_new");
    setText(
      this.news,
      say("there", { there: there.length, all: this.abilities.length }) +
        (moment > 0 || fresh.length > 0 ? news : say("untrained")),
    );
  }

  readTable() {
    const columns = [
      "",
      ...this.steps.map((step) => say("step", { step: formatCount(step) })),
      say("there_at"),
      say("from_step"),
    ];
    const rows = this.abilities.map(({ name, values, level, first }) => [
      titleOf(name, this.run.titles),
      ...values.map((value) => (value === null ? "–" : value.toFixed(4))),
      level === null ? "–" : level.toFixed(4),
      first === null ? say(absenceOf(values)) : formatCount(this.steps[first]),
    ]);
    return { columns, rows };
  }
}

/**
 * anywidget's entry; the saved page calls the same.
 * @param {{model: any, el: HTMLElement}} place
 * @returns {() => void} takes the view down again
 */
function render({ model, el }) {
  return inLanguage(model, el, () => new TimeLapse(model, el)).end;
}

export default { render };
