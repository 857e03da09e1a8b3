// The time-lapse: a training run, moment by moment. See view.py for the traits.

import { Blocks } from "../base/js/blocks.js";
import { DrawnView } from "../base/js/drawn_view.js";
import { element, setAttributes, setText, svgElement } from "../base/js/elements.js";
import { indexAfterKey } from "../base/js/keys.js";
import { formatNumber } from "../base/js/numbers.js";
import { followTheme } from "../base/js/theme.js";
import { abilitiesOf, absenceOf, lossesAt } from "./js/abilities.js";
import { paletteOf, strongestOf, weightOf } from "./js/maps.js";
import { formatCount, formatLarge, heightOf, momentAt, pathsOf, placeOf, tickSteps } from "./js/steps.js";

/** @import { Ability, Moment } from "./js/abilities.js" */

const TIME_LAPSE_TRAITS = ["moment", "text", "layer", "head", "threshold"];

const LOSSES = /** @type {const} */ ([
  ["mlm_loss", "loss: masked words"],
  ["nsp_loss", "loss: next sentence"],
]);
const MOMENT_MS = 1000; // how long a moment stays while the run is played

/**
 * @typedef {object} Panel a small chart over the run
 * @property {HTMLElement} box
 * @property {SVGElement} line
 * @property {SVGElement} dots
 * @property {SVGElement} level
 * @property {HTMLElement} now the mark at the present moment
 */

class TimeLapse extends DrawnView {
  /**
   * @param {any} model
   * @param {HTMLElement} el
   */
  constructor(model, el) {
    super(model, "time-lapse", "A training run, moment by moment");
    this.blocks = new Blocks(model, this.life);
    this.run = model.get("_run");
    /** @type {Moment[]} */
    this.moments = this.run.moments;
    this.steps = this.moments.map(({ step }) => step);
    this.places = this.steps.map((step) => placeOf(step, this.steps));
    /** @type {Ability[]} */
    this.abilities = [];
    this.abilitiesFor = NaN;
    /** Codes of the texts that have come. @type {Map<number, Uint8Array>} */
    this.codes = new Map();
    this.problem = "";
    /** The weight that the reader picked, in the text that was shown then. @type {{text: number, query: number, key: number} | null} */
    this.picked = null;
    /** The weight under the pointer. @type {{query: number, key: number} | null} */
    this.hovered = null;
    this.timer = 0;
    this.mapsKey = "";
    this.namesKey = -1;
    this.reduced = window.matchMedia("(prefers-reduced-motion: reduce)");
    this.controls = this.makeControls();
    this.heading = element("h4", { class: "bvl-heading", "aria-live": "polite" });
    this.news = element("p", { class: "bvl-news", "aria-live": "polite" });
    this.chart = this.makeChart();
    this.maps = this.makeMaps();
    this.large = this.makeLarge();
    this.numbers = this.makeNumbers();
    this.root.append(
      this.controls.box,
      this.heading,
      this.news,
      element(
        "div",
        { class: "bvl-main" },
        element("div", { class: "bvl-run" }, this.chart.table, this.chart.below),
        element("div", { class: "bvl-attention" }, this.maps.choice, this.maps.overview, this.large.box),
      ),
      this.numbers.box,
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

  // ---- the run

  makeControls() {
    const play = /** @type {HTMLButtonElement} */ (element("button", { type: "button", class: "bvl-play" }));
    const slider = /** @type {HTMLInputElement} */ (
      element("input", {
        type: "range",
        min: 0,
        max: this.moments.length - 1,
        step: 1,
        "aria-label": "Moment of the run",
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

  makeChart() {
    const axis = element("div", { class: "bvl-axis", "aria-hidden": "true" });
    for (const step of tickSteps(this.steps)) {
      const tick = element("span", {}, formatCount(step));
      tick.style.insetInlineStart = `${100 * placeOf(step, this.steps)}%`;
      axis.append(tick);
    }
    const head = (/** @type {string} */ name) => element("th", { scope: "col" }, name);
    const over = element("th", { scope: "col" }, element("span", {}, "step"), axis);
    const body = element("tbody");
    const losses = LOSSES.map(([name, title]) => {
      /** @type {number[]} */
      const values = this.run.losses.map((/** @type {any} */ entry) => entry[name]);
      const row = this.makeRow(title, `0 to ${formatNumber(Math.max(...values, 0))}`);
      const places = this.run.losses.map((/** @type {any} */ entry) => placeOf(entry.step, this.steps));
      row.panel.line.setAttribute("d", pathsOf(values, places, Math.max(...values, 0)).line);
      row.row.classList.add("bvl-loss");
      body.append(row.row);
      return { ...row, name, values };
    });
    /** @type {Record<string, ReturnType<TimeLapse["makeRow"]>>} */
    const rows = {};
    for (const [name, title] of Object.entries(this.run.titles)) rows[name] = this.makeRow(String(title), "");
    body.append(...Object.values(rows).map(({ row }) => row));
    const table = element(
      "table",
      { class: "bvl-chart" },
      element("caption", {}, "The run, from left to right; click to choose a moment"),
      element("thead", {}, element("tr", {}, head("what"), over, head("now"), head("appears"))),
      body,
    );
    const choose = (/** @type {PointerEvent} */ event) => {
      const panel = /** @type {Element} */ (event.target).closest(".bvl-panel");
      if (!panel || (event.type === "pointermove" && event.buttons !== 1)) return;
      const { left, width } = panel.getBoundingClientRect();
      this.pause();
      const moment = momentAt((event.clientX - left) / width, this.steps);
      if (moment !== this.moment) this.set({ moment });
    };
    this.life.listen(table, "pointerdown", choose);
    this.life.listen(table, "pointermove", choose);
    const threshold = /** @type {HTMLInputElement} */ (
      element("input", { type: "range", min: 0.05, max: 1, step: 0.05 })
    );
    const share = element("output");
    this.life.listen(threshold, "input", () => this.set({ threshold: Number(threshold.value) }));
    const below = element(
      "div",
      { class: "bvl-below" },
      element("label", {}, "An ability is there at", threshold, share, "of its way"),
      element(
        "p",
        { class: "bvl-soft" },
        "Its way goes from the first score that was measured to the best one of the run; the dashed line says how far it must " +
          "come. Scores are shares of right answers, drawn from 0 to 1. Where a score was not measured, the line has a gap.",
      ),
    );
    return { table, losses, rows, below, threshold, share };
  }

  /**
   * @param {string} title
   * @param {string} scale what the panel's height stands for, where it is not 0 to 1
   */
  makeRow(title, scale) {
    const panel = this.makePanel();
    const [now, there] = [element("td", { class: "bvl-value" }), element("td", { class: "bvl-there" })];
    const name = element("th", { scope: "row" }, title);
    if (scale !== "") name.append(" ", element("small", { class: "bvl-soft" }, scale));
    return { row: element("tr", {}, name, element("td", {}, panel.box), now, there), panel, now, there };
  }

  /** @returns {Panel} */
  makePanel() {
    const [level, line, dots] = ["bvl-level", "bvl-line", "bvl-dots"].map((name) =>
      svgElement("path", { class: name }),
    );
    const ticks = tickSteps(this.steps).map((step) => `M${(100 * placeOf(step, this.steps)).toFixed(2)} 0V100`);
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

  // ---- attention

  makeMaps() {
    const choice = /** @type {HTMLSelectElement} */ (element("select", { class: "bvl-input" }));
    choice.append(
      ...this.run.texts.map((/** @type {string} */ text, /** @type {number} */ i) =>
        element("option", { value: i }, text),
      ),
    );
    this.life.listen(choice, "change", () => this.set({ text: Number(choice.value) }));
    const list = element("div", {
      class: "bvl-heads",
      role: "listbox",
      "aria-label": "Heads, a row for each layer. Arrow keys choose.",
    });
    list.style.setProperty("--bvl-heads", String(this.run.heads));
    list.append(element("span", { "aria-hidden": "true", class: "bvl-soft" }, "head"));
    for (let head = 0; head < this.run.heads; head += 1)
      list.append(element("span", { "aria-hidden": "true", class: "bvl-soft" }, String(head)));
    /** @type {{box: HTMLElement, canvas: HTMLCanvasElement, badge: HTMLElement}[]} */
    const options = [];
    for (let layer = 0; layer < this.run.layers; layer += 1) {
      list.append(element("span", { "aria-hidden": "true", class: "bvl-soft" }, `layer ${layer}`));
      for (let head = 0; head < this.run.heads; head += 1) {
        const canvas = /** @type {HTMLCanvasElement} */ (element("canvas", { "aria-hidden": "true" }));
        const badge = element("span", { class: "bvl-badge" });
        const box = element("div", { role: "option", class: "bvl-head", tabindex: -1 }, canvas, badge);
        options.push({ box, canvas, badge });
        list.append(box);
      }
    }
    const chooseHead = (/** @type {number} */ index) => {
      this.set({ layer: Math.floor(index / this.run.heads), head: index % this.run.heads });
      options[index].box.focus({ preventScroll: true });
    };
    this.life.listen(list, "click", (event) => {
      const index = options.findIndex(({ box }) => box.contains(event.target));
      if (index >= 0) chooseHead(index);
    });
    this.life.listen(list, "keydown", (event) => {
      if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
      const next = indexAfterKey(event.key, this.option, options.length, this.run.heads);
      if (next === null) return;
      chooseHead(next);
      event.preventDefault();
    });
    const label = element("label", { class: "bvl-field" }, element("span", {}, "Attention while it read"), choice);
    const note = element("p", { class: "bvl-soft bvl-note" });
    return {
      choice: label,
      select: choice,
      overview: element("div", { class: "bvl-overview" }, list, note),
      options,
      note,
    };
  }

  /** The chosen head's number among all. */
  get option() {
    return this.model.get("layer") * this.run.heads + this.model.get("head");
  }

  /** @param {number} option */
  nameOf(option) {
    return `layer ${Math.floor(option / this.run.heads)}, head ${option % this.run.heads}`;
  }

  makeLarge() {
    const title = element("h4", { class: "bvl-heading" });
    const canvas = /** @type {HTMLCanvasElement} */ (element("canvas", { "aria-hidden": "true" }));
    const cell = element("span", { class: "bvl-cell" });
    const map = element("div", { class: "bvl-map", role: "application", tabindex: 0 }, canvas, cell);
    const [queries, keys] = ["bvl-queries", "bvl-keys"].map((name) =>
      element("div", { class: `${name} bvl-mono`, "aria-hidden": "true" }),
    );
    const readout = element("p", { class: "bvl-readout", "aria-live": "polite" });
    const panel = this.makePanel();
    const at = (/** @type {PointerEvent} */ event) => {
      const { left, top, width, height } = canvas.getBoundingClientRect();
      const size = this.tokens.length;
      const within = (/** @type {number} */ share) => Math.min(size - 1, Math.max(0, Math.floor(share * size)));
      return { query: within((event.clientY - top) / height), key: within((event.clientX - left) / width) };
    };
    this.life.listen(map, "pointermove", (event) => {
      this.hovered = at(event);
      this.soon();
    });
    this.life.listen(map, "pointerleave", () => {
      this.hovered = null;
      this.soon();
    });
    this.life.listen(map, "click", (event) => this.pick(at(event)));
    this.life.listen(map, "keydown", (event) => {
      if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
      const { query, key } = this.weight;
      const size = this.tokens.length;
      const next = indexAfterKey(event.key, query * size + key, size * size, size);
      if (next === null) return;
      const isAcross = event.key === "ArrowLeft" || event.key === "ArrowRight";
      // Left and right stay in the row.
      if (!isAcross || Math.floor(next / size) === query)
        this.pick({ query: Math.floor(next / size), key: next % size });
      event.preventDefault();
    });
    const box = element(
      "div",
      { class: "bvl-large" },
      title,
      element("div", { class: "bvl-matrix" }, queries, map, element("span"), keys),
      readout,
      panel.box,
    );
    return { box, title, canvas, cell, map, queries, keys, readout, panel };
  }

  /** @param {{query: number, key: number}} weight */
  pick(weight) {
    this.picked = { text: this.model.get("text"), ...weight };
    this.hovered = null;
    this.soon();
  }

  /** The weight that is read out: under the pointer, else picked, else the strongest of this head at the end. */
  get weight() {
    if (this.hovered) return this.hovered;
    if (this.picked?.text === this.model.get("text")) return /** @type {{query: number, key: number}} */ (this.picked);
    const last = this.mapOf(this.option, this.moments.length - 1);
    return last ? strongestOf(last, this.tokens) : { query: 0, key: 0 };
  }

  /**
   * The codes of one head; null until they have come.
   * @param {number} option
   * @param {number} moment
   * @returns {Uint8Array | null}
   */
  mapOf(option, moment) {
    const codes = this.codes.get(this.model.get("text"));
    const size = this.tokens.length ** 2;
    const at = (moment * this.run.layers * this.run.heads + option) * size;
    return codes ? codes.subarray(at, at + size) : null;
  }

  /** Have the codes of the chosen text come. */
  fetch() {
    const text = this.model.get("text");
    if (this.codes.has(text)) return;
    this.blocks.get(`text/${text}`).then(
      (bytes) => {
        this.codes.set(text, new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength));
        this.soon();
      },
      (error) => {
        this.problem = String(error.message);
        this.soon();
      },
    );
  }

  makeNumbers() {
    const table = element("table");
    const notes = this.run.notes.map((/** @type {string} */ note) => element("p", { class: "bvl-soft" }, note));
    const box = element(
      "details",
      {},
      element("summary", {}, "Every score at every moment"),
      element(
        "div",
        { class: "bvl-scroll", tabindex: 0, role: "region", "aria-label": "Every score at every moment" },
        table,
      ),
      ...notes,
    );
    this.life.listen(box, "toggle", () => this.drawNumbers());
    return { box, table };
  }

  // ---- draw

  draw() {
    const threshold = this.model.get("threshold");
    if (this.abilitiesFor !== threshold) {
      this.abilitiesFor = threshold;
      this.abilities = abilitiesOf(this.moments, threshold, this.run.least_rise);
      for (const { name } of this.abilities) this.chart.rows[name].row.parentElement?.append(this.chart.rows[name].row);
    }
    this.fetch();
    this.drawTop();
    this.drawLosses();
    this.drawAbilities();
    this.drawMaps();
    this.drawLarge();
    this.drawNumbers();
  }

  drawTop() {
    const { moment, moments, controls, reduced } = this;
    const { step, tokens } = moments[moment];
    const playing = this.timer !== 0;
    setText(controls.play, playing ? "Pause" : reduced.matches ? "Next moment" : "Play");
    controls.slider.value = String(moment);
    const read = tokens === null ? "" : `, ${formatLarge(tokens)} tokens read`;
    const text = `Step ${formatCount(step)} of ${formatCount(this.steps[this.steps.length - 1])}${read}`;
    controls.slider.setAttribute("aria-valuetext", `moment ${moment + 1} of ${moments.length}: ${text}`);
    // While it plays, a screen reader would never come to an end.
    for (const told of [this.heading, this.news, this.large.readout])
      setAttributes(told, { "aria-live": playing ? "off" : "polite" });
    setText(this.heading, text);
    const there = this.abilities.filter(({ first }) => first !== null && first <= moment);
    const fresh = there.filter(({ first }) => first === moment).map(({ name }) => this.run.titles[name]);
    const news = fresh.length > 0 ? `New: ${fresh.join("; ")}.` : "Nothing new since the moment before.";
    setText(
      this.news,
      `${there.length} of ${this.abilities.length} abilities are there. ${moment > 0 || fresh.length > 0 ? news : "The model is untrained."}`,
    );
  }

  /**
   * Move a panel's mark to the present moment.
   * @param {Panel} panel
   */
  drawMark(panel) {
    panel.now.style.insetInlineStart = `${100 * this.places[this.moment]}%`;
  }

  drawLosses() {
    const now = lossesAt(this.run.losses, this.steps[this.moment]);
    for (const row of this.chart.losses) {
      this.drawMark(row.panel);
      const value = now ? now[row.name] : NaN;
      setText(row.now, Number.isFinite(value) ? value.toFixed(2) : "–");
      const top = Math.max(...row.values, 0);
      const dot = Number.isFinite(value) ? `M${100 * this.places[this.moment]} ${heightOf(value, top)}h0` : "";
      row.panel.dots.setAttribute("d", dot);
    }
  }

  drawAbilities() {
    const { moment, steps, chart, places } = this;
    const threshold = this.model.get("threshold");
    chart.threshold.value = String(threshold);
    const share = `${Math.round(100 * threshold)}\u00a0%`;
    setText(chart.share, share);
    chart.threshold.setAttribute("aria-valuetext", `${share} of its way`);
    for (const { name, values, level, first, below } of this.abilities) {
      const { row, panel, now, there } = chart.rows[name];
      const { line, dots } = pathsOf(values.slice(0, moment + 1), places, 1);
      panel.line.setAttribute("d", line);
      panel.dots.setAttribute("d", dots);
      panel.level.setAttribute("d", level === null ? "" : `M0 ${heightOf(level, 1)}H100`);
      this.drawMark(panel);
      const value = values[moment];
      setText(now, value === null ? "–" : value.toFixed(2));
      const isThere = first !== null && first <= moment;
      row.classList.toggle("bvl-is-there", isThere);
      const absence = absenceOf(values, first);
      if (absence) setText(there, absence === "no rise" && moment < steps.length - 1 ? "not yet" : absence);
      else if (!isThere) setText(there, "not yet");
      else setText(there, `${below === null ? "at" : `${formatCount(steps[below])} –`} ${formatCount(steps[first])}`);
    }
  }

  /** The heads that are best for a relation now, by their number; only where the score says that the ability is there. */
  bestHeads() {
    /** @type {Map<number, string[]>} */
    const best = new Map();
    for (const [relation, [layer, head]] of Object.entries(this.moments[this.moment].heads)) {
      const ability = this.abilities.find(({ name }) => name === `head.${relation}`);
      const value = ability?.values[this.moment];
      if (!ability || ability.level === null || value === null || value === undefined || value < ability.level)
        continue;
      const option = layer * this.run.heads + head;
      best.set(option, [...(best.get(option) ?? []), relation]);
    }
    return best;
  }

  drawMaps() {
    const { maps, moment } = this;
    const text = this.model.get("text");
    maps.select.value = String(text);
    const best = this.bestHeads();
    for (const [index, { box, badge }] of maps.options.entries()) {
      const isChosen = index === this.option;
      const relations = best.get(index) ?? [];
      setText(badge, relations.map((relation) => relation[0].toUpperCase()).join(""));
      setAttributes(box, {
        "aria-selected": String(isChosen),
        tabindex: isChosen ? 0 : -1,
        "aria-label": [this.nameOf(index), ...relations.map((name) => this.run.titles[`head.${name}`])].join(": "),
        title: this.nameOf(index),
      });
    }
    const marks = [...best].map(([option, relations]) => {
      const told = (/** @type {string} */ relation) =>
        `${relation[0].toUpperCase()}: ${this.run.titles[`head.${relation}`]}, best by ${this.nameOf(option)}.`;
      return relations.map(told).join(" ");
    });
    const scale = "The darker a cell, the larger the weight (colour by its square root).";
    const light = this.root.dataset.theme === "dark" ? scale.replace("darker", "brighter") : scale;
    setText(maps.note, this.problem || [...marks, light].join(" "));
    const key = [moment, text, this.root.dataset.theme, this.codes.has(text)].join();
    if (key === this.mapsKey || !this.codes.has(text)) return;
    this.mapsKey = key;
    for (const [index, { canvas }] of maps.options.entries()) this.paint(canvas, index);
  }

  /**
   * @param {HTMLCanvasElement} canvas a pixel for each weight
   * @param {number} option
   */
  paint(canvas, option) {
    const map = this.mapOf(option, this.moment);
    const context = canvas.getContext("2d");
    if (!map || !context) return;
    const size = this.tokens.length;
    if (canvas.width !== size) [canvas.width, canvas.height] = [size, size];
    const image = context.createImageData(size, size);
    const table = paletteOf(this.root.dataset.theme === "dark");
    for (const [at, code] of map.entries()) image.data.set(table.subarray(4 * code, 4 * code + 4), 4 * at);
    context.putImageData(image, 0, 0);
  }

  drawLarge() {
    const { large, tokens } = this;
    const [layer, head] = [this.model.get("layer"), this.model.get("head")];
    setText(large.title, `Layer ${layer}, head ${head}`);
    if (this.namesKey !== this.model.get("text")) {
      this.namesKey = this.model.get("text");
      large.queries.replaceChildren(...tokens.map((token) => element("span", {}, token)));
      large.keys.replaceChildren(...tokens.map((token) => element("span", {}, token)));
      large.box.style.setProperty("--bvl-size", String(tokens.length));
    }
    this.paint(large.canvas, this.option);
    const { query, key } = this.weight;
    large.cell.style.inset = `${(100 * query) / tokens.length}% auto auto ${(100 * key) / tokens.length}%`;
    for (const [names, index] of /** @type {[HTMLElement, number][]} */ ([
      [large.queries, query],
      [large.keys, key],
    ])) {
      for (const [i, name] of [...names.children].entries()) name.classList.toggle("bvl-picked", i === index);
    }
    const values = this.moments.map((_, moment) => {
      const map = this.mapOf(this.option, moment);
      return map ? weightOf(map[query * tokens.length + key]) : null;
    });
    const { line, dots } = pathsOf(values.slice(0, this.moment + 1), this.places, 1);
    large.panel.line.setAttribute("d", line);
    large.panel.dots.setAttribute("d", dots);
    this.drawMark(large.panel);
    const say = (/** @type {number | null} */ value) => (value === null ? "–" : value.toFixed(2));
    const pair = `“${tokens[query]}” (${query}) looks at “${tokens[key]}” (${key})`;
    setText(
      large.readout,
      `${pair}: weight ${say(values[this.moment])} now, ${say(values[0])} at step ${formatCount(this.steps[0])}. Its line over the run, from 0 to 1:`,
    );
    setAttributes(large.map, {
      "aria-label": `Weights of layer ${layer}, head ${head}: a row for each token that looks, a column for each that is looked at. Arrow keys move. ${pair}.`,
    });
  }

  /** Fill the table only while it is open. */
  drawNumbers() {
    const { box, table } = this.numbers;
    if (!(/** @type {HTMLDetailsElement} */ (box).open)) {
      table.replaceChildren();
      return;
    }
    const head = ["", ...this.steps.map((step) => `step ${formatCount(step)}`), "there at", "from step"];
    const rows = this.abilities.map(({ name, values, level, first }) =>
      element(
        "tr",
        {},
        element("th", { scope: "row" }, this.run.titles[name]),
        ...values.map((value) => element("td", {}, value === null ? "–" : value.toFixed(4))),
        element("td", {}, level === null ? "–" : level.toFixed(4)),
        element("td", {}, first === null ? absenceOf(values, first) : formatCount(this.steps[first])),
      ),
    );
    const names = head.map((name) => (name === "" ? element("td") : element("th", { scope: "col" }, name)));
    table.replaceChildren(element("thead", {}, element("tr", {}, ...names)), element("tbody", {}, ...rows));
  }
}

/**
 * anywidget's entry; the saved page calls the same.
 * @param {{model: any, el: HTMLElement}} place
 * @returns {() => void} takes the view down again
 */
function render({ model, el }) {
  const view = new TimeLapse(model, el);
  return () => view.end();
}

export default { render };
