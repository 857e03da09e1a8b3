// The embedding view: one token's three vectors, their sum, LayerNorm's result, and what each part contributes.
// Follows common.js in one module; see view.py for the traits.

import { DrawnView } from "../base/js/drawn_view.js";
import { element, setAttributes, setText, svgElement } from "../base/js/elements.js";
import { indexAfterKey } from "../base/js/keys.js";
import { whenPlaced } from "../base/js/life.js";
import {
  cosine,
  decodeFloats,
  dot,
  formatNumber,
  formatPercent,
  largest,
  minus,
  norm,
  rowsOf,
} from "../base/js/numbers.js";
import { followTheme } from "../base/js/theme.js";

/** @import { Vector } from "../base/js/numbers.js" */

/** @typedef {"token" | "position" | "segment"} PartName */

/** The three vectors that are added. @type {PartName[]} */
export const PARTS = ["token", "position", "segment"];

/** The six rows of the picture, top to bottom. */
export const ROWS = ["token", "position", "segment", "sum", "bias", "result"];

/** What the result is made of. */
export const SHARED = ["token", "position", "segment", "bias"];

/**
 * @typedef {object} LayerNorm
 * @property {Vector} gain
 * @property {Vector} bias
 * @property {number} eps
 */

/**
 * @typedef {object} Anatomy
 * @property {Record<string, Vector>} vectors the six rows as they are; parts that are off are shown, but not in the sum
 * @property {Record<string, Vector>} scaled the six rows as they arrive in the result: a part, centred, over the standard
 *   deviation, times gain; their sum and the bias add up to the result
 * @property {Record<string, number>} shares of token, position, segment and bias in the result, together 1
 * @property {number} std what LayerNorm divides by
 */

/**
 * Take one input embedding apart.
 *
 * The share of a part is the projection of its contribution c on the result r: (c · r) / (r · r). A part that is off
 * contributes nothing.
 * @param {Record<PartName, Vector>} parts
 * @param {string[]} on names of the parts that are added
 * @param {LayerNorm} layerNorm
 * @returns {Anatomy}
 */
export function anatomy(parts, on, layerNorm) {
  const { gain, bias, eps } = layerNorm;
  const size = gain.length;
  const sum = new Float64Array(size);
  for (const name of PARTS) {
    if (on.includes(name)) for (let i = 0; i < size; i += 1) sum[i] += parts[name][i];
  }
  const mean = average(sum);
  let variance = 0;
  for (let i = 0; i < size; i += 1) variance += (sum[i] - mean) ** 2;
  const std = Math.sqrt(variance / size + eps);
  /** @type {Record<string, Vector>} */
  const scaled = { bias };
  for (const name of [...PARTS, "sum"]) {
    const vector = name === "sum" ? sum : parts[/** @type {PartName} */ (name)];
    const off = name !== "sum" && !on.includes(name);
    const centre = average(vector);
    scaled[name] = Float64Array.from({ length: size }, (_, i) => (off ? 0 : (gain[i] * (vector[i] - centre)) / std));
  }
  const result = Float64Array.from({ length: size }, (_, i) => scaled.sum[i] + bias[i]);
  scaled.result = result;
  const whole = dot(result, result);
  const shares = Object.fromEntries(SHARED.map((name) => [name, whole > 0 ? dot(scaled[name], result) / whole : 0]));
  return { vectors: { ...parts, sum, bias, result }, scaled, shares, std };
}

/**
 * @param {Vector} vector
 * @returns {number}
 */
export function average(vector) {
  let sum = 0;
  for (let i = 0; i < vector.length; i += 1) sum += vector[i];
  return sum / vector.length;
}

/**
 * Stack shares from zero: positive ones upwards, negative ones downwards.
 * @param {Record<string, number>} shares
 * @returns {{name: string, from: number, to: number}[]} with from < to
 */
export function stack(shares) {
  let top = 0;
  let bottom = 0;
  return SHARED.map((name) => {
    const share = shares[name];
    if (share >= 0) {
      top += share;
      return { name, from: top - share, to: top };
    }
    bottom += share;
    return { name, from: bottom, to: bottom - share };
  });
}

/**
 * Bars for an SVG of width vector.length and height 2 around zero: one bar a component, the largest reaching 1.
 * @param {Vector} vector
 * @param {number} limit the value that reaches the edge
 * @returns {string} path data; empty bars are left out
 */
export function barPath(vector, limit) {
  const parts = [];
  for (let i = 0; i < vector.length; i += 1) {
    const height = limit > 0 ? vector[i] / limit : 0;
    if (Math.abs(height) > 1e-4) parts.push(`M${i} 0V${(-height).toFixed(4)}h1V0z`);
  }
  return parts.join("");
}

/**
 * Which component lies under the pointer.
 * @param {number} x from the left edge of the strip
 * @param {number} width of the strip
 * @param {number} size number of components
 * @returns {number}
 */
export function componentAt(x, width, size) {
  return Math.min(size - 1, Math.max(0, Math.floor((x / width) * size)));
}

/**
 * Each row's limit, the value that fills its height. The parts and their sum always share one.
 * @param {Record<string, Vector>} rows
 * @param {boolean} one whether bias and result share it too
 * @returns {Record<string, number>}
 */
export function limits(rows, one) {
  const before = largest([rows.token, rows.position, rows.segment, rows.sum]);
  const after = largest([rows.bias, rows.result]);
  const [upper, lower] = one ? [Math.max(before, after), Math.max(before, after)] : [before, after];
  return { token: upper, position: upper, segment: upper, sum: upper, bias: lower, result: lower };
}

/**
 * How the scale of bias and result compares with that of the rows above them.
 * @param {Record<string, number>} limit as limits() gives it
 * @returns {string}
 */
export function scaleNote(limit) {
  const times = limit.result / limit.sum;
  if (times === 1) return "on the same scale";
  const drawn = `drawn to ±${formatNumber(limit.result)}`;
  return Number.isFinite(times) ? `${drawn}, a scale ${times.toFixed(1)} times coarser` : drawn;
}

/**
 * The data behind the view, from the bytes that Python sent.
 * @param {any} model
 */
export function readModel(model) {
  const size = model.get("_hidden_size");
  const tables = Object.fromEntries(
    PARTS.map((name) => [name, rowsOf(decodeFloats(model.get(`_${name}_rows`)), size)]),
  );
  const [gain, bias] = rowsOf(decodeFloats(model.get("_layer_norm")), size);
  /** @type {Record<string, number[]>} */
  const index = model.get("_row_of");
  return {
    size,
    /** @type {string[]} */
    tokens: model.get("_tokens"),
    /** @type {Record<string, number[]>} */
    ids: model.get("_ids"),
    layerNorm: { gain, bias, eps: model.get("_eps") },
    /** @param {number} i */
    parts: (i) =>
      /** @type {Record<PartName, Vector>} */ (
        /** @type {unknown} */ (Object.fromEntries(PARTS.map((name) => [name, tables[name][index[name][i]]])))
      ),
  };
}

// ---------------------------------------------------------------------------------------------------- drawing

const TRAITS = ["token", "pinned", "parts_on", "component", "scaled", "one_scale"];
/** @type {Record<string, string>} */
const SIGNS = { token: "", position: "+", segment: "+", sum: "=", bias: "+", result: "=" };
/** @type {Record<string, string>} */
const ID_OF = { token: "input_ids", position: "position_ids", segment: "token_type_ids" };

/** A token in words: spaces made visible. @param {string} token */
const quoted = (token) => `“${token}”`;

/**
 * @typedef {object} Option one token of the list
 * @property {HTMLElement} box
 * @property {SVGElement[]} rects its shares, stacked
 * @property {SVGElement} zero the line that they stand on
 * @property {string} words its shares, said
 */

class EmbeddingView extends DrawnView {
  /**
   * @param {any} model
   * @param {HTMLElement} el
   */
  constructor(model, el) {
    super(model, "embedding", "Input embedding, taken apart");
    this.data = readModel(model);
    /** The component under the pointer, before it is chosen. @type {number | null} */
    this.hovered = null;
    /** Every token's shares, for the parts that are on. @type {Record<string, number>[]} */
    this.shares = [];
    this.sharesFor = "";
    /** The parts that are added, in their order. */
    this.on = PARTS;
    this.chosen = anatomy(this.data.parts(0), PARTS, this.data.layerNorm);
    /** The token that it is compared with. @type {Anatomy | null} */
    this.other = null;
    /** The six rows as drawn. */
    this.rows = this.chosen.vectors;
    /** @type {Option[]} */
    this.options = [];
    /** The options that are marked now. @type {{token: number, pinned: number | null} | null} */
    this.marked = null;
    this.tokenList = this.makeTokenList();
    this.heading = element("h4", { class: "bvl-heading", "aria-live": "polite" });
    this.controls = this.makeControls();
    this.strips = this.makeStrips();
    this.cosines = element("table", { class: "bvl-cosines" });
    this.facts = element("div", { class: "bvl-facts" });
    this.numbers = this.makeNumbers();
    this.root.append(
      this.makeLegend(),
      this.tokenList,
      element("div", { class: "bvl-bar" }, this.heading, this.controls.box),
      this.strips.box,
      element("div", { class: "bvl-below" }, element("div", { class: "bvl-scroll" }, this.cosines), this.facts),
      this.numbers.box,
    );
    el.append(this.root);
    followTheme(this.root, this.life);
    whenPlaced(this.root, this.life, () => this.reveal(model.get("token")));
    this.life.follow(model, TRAITS, () => this.soon());
    this.draw();
  }

  makeLegend() {
    const entries = SHARED.map((name) =>
      element("span", { class: `bvl-key bvl-${name}` }, name === "bias" ? "LayerNorm’s bias" : name),
    );
    return element(
      "div",
      { class: "bvl-legend" },
      element("span", {}, "Share of each part in the result:"),
      ...entries,
    );
  }

  makeTokenList() {
    const list = element("div", {
      class: "bvl-tokens",
      role: "listbox",
      "aria-label": "Tokens. Arrow keys choose, Space pins for comparison, Escape unpins.",
      "aria-orientation": "horizontal",
    });
    this.options = this.data.tokens.map((token) => {
      const bar = svgElement("svg", { viewBox: "0 0 1 1", preserveAspectRatio: "none", "aria-hidden": "true" });
      const rects = SHARED.map((name) => svgElement("rect", { x: 0, width: 1, class: `bvl-${name}` }));
      const zero = svgElement("path", { class: "bvl-zero" });
      bar.append(...rects, zero);
      const box = element(
        "div",
        { class: "bvl-token-box", role: "option", tabindex: -1 },
        bar,
        element("span", { class: "bvl-mono" }, token),
      );
      return { box, rects, zero, words: "" };
    });
    list.append(...this.options.map(({ box }) => box));
    this.life.listen(list, "click", (event) => {
      const index = this.options.findIndex(({ box }) => box.contains(event.target));
      if (index < 0) return;
      if (event.shiftKey) this.set({ pinned: this.model.get("pinned") === index ? null : index });
      else this.set({ token: index });
      this.options[this.model.get("token")].box.focus({ preventScroll: true });
    });
    this.life.listen(list, "keydown", (event) => {
      if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
      const now = this.model.get("token");
      const next = indexAfterKey(event.key, now, this.options.length, this.perLine());
      if (next !== null) {
        this.set({ token: next });
        this.options[next].box.focus({ preventScroll: true });
      } else if (event.key === " " || event.key === "Enter") {
        this.set({ pinned: this.model.get("pinned") === now ? null : now });
      } else if (event.key === "Escape") {
        this.set({ pinned: null });
      } else return;
      event.preventDefault();
    });
    return list;
  }

  /** Tokens in the line of the chosen one, for the up and down arrows. */
  perLine() {
    const top = this.options[0].box.offsetTop;
    const first = this.options.findIndex(({ box }) => box.offsetTop > top);
    return first < 0 ? this.options.length : first;
  }

  /** Scroll the token list, and nothing but it. @param {number} index */
  reveal(index) {
    const { box } = this.options[index];
    const list = this.tokenList;
    if (box.offsetTop < list.scrollTop) list.scrollTop = box.offsetTop;
    const below = box.offsetTop + box.offsetHeight - list.clientHeight;
    if (below > list.scrollTop) list.scrollTop = below;
  }

  makeControls() {
    const scaled = /** @type {HTMLInputElement} */ (element("input", { type: "checkbox" }));
    const oneScale = /** @type {HTMLInputElement} */ (element("input", { type: "checkbox" }));
    const pin = /** @type {HTMLButtonElement} */ (element("button", { type: "button" }));
    this.life.listen(scaled, "change", () => this.set({ scaled: scaled.checked }));
    this.life.listen(oneScale, "change", () => this.set({ one_scale: oneScale.checked }));
    this.life.listen(pin, "click", () =>
      this.set({ pinned: this.model.get("pinned") === null ? this.model.get("token") : null }),
    );
    const box = element(
      "div",
      { class: "bvl-controls" },
      element("label", {}, scaled, "as LayerNorm scales them"),
      element("label", {}, oneScale, "one scale for all rows"),
      pin,
    );
    return { box, scaled, oneScale, pin };
  }

  makeStrips() {
    const { size } = this.data;
    const upperScale = element("span", { class: "bvl-wide bvl-soft" });
    const lowerScale = element("span", { class: "bvl-wide bvl-soft bvl-norm" });
    const lastHead = element("span", { class: "bvl-number bvl-last bvl-soft" });
    const lengthHead = element("span", { class: "bvl-number bvl-length bvl-soft" });
    const box = element(
      "div",
      { class: "bvl-strips" },
      element("span", { class: "bvl-row-label bvl-soft" }),
      upperScale,
      lengthHead,
      lastHead,
    );
    const rows = ROWS.map((name) => {
      if (name === "bias") box.append(element("span"), lowerScale, element("span"), element("span"));
      return this.makeStrip(name, box);
    });
    const slider = /** @type {HTMLInputElement} */ (
      element("input", { type: "range", min: 0, max: size - 1, step: 1, "aria-label": "Component" })
    );
    this.life.listen(slider, "input", () => this.set({ component: Number(slider.value) }));
    const readout = element("p", { class: "bvl-readout" });
    box.append(
      element("span", { class: "bvl-slider-name bvl-soft" }, "component"),
      element("span", { class: "bvl-slider bvl-wide" }, slider),
      readout,
    );
    return { box, rows, slider, readout, upperScale, lowerScale, lengthHead, lastHead };
  }

  /**
   * @param {string} name of the row
   * @param {HTMLElement} box
   */
  makeStrip(name, box) {
    const { size } = this.data;
    const part = /** @type {PartName[]} */ (PARTS).find((known) => known === name);
    const note = element("small", { class: "bvl-soft" });
    const title = element("span", { class: "bvl-row-name" }, `${SIGNS[name]} ${name}`.trim());
    /** @type {HTMLInputElement | null} */
    let toggle = null;
    const label = element(part ? "label" : "span", { class: `bvl-row-label bvl-key bvl-${name}` });
    if (part) {
      toggle = /** @type {HTMLInputElement} */ (
        element("input", { type: "checkbox", "aria-label": `add the ${name} vector` })
      );
      this.life.listen(toggle, "change", () => this.toggle(part));
      label.append(toggle);
    }
    label.append(title, note);
    const cursor = svgElement("rect", { class: "bvl-cursor", y: -1, height: 2 });
    const path = svgElement("path", { class: `bvl-${name}` });
    const picture = svgElement(
      "svg",
      { viewBox: `0 -1 ${size} 2`, preserveAspectRatio: "none", role: "img" },
      cursor,
      svgElement("path", { class: "bvl-zero", d: `M0 0H${size}` }),
      path,
    );
    const strip = element("span", { class: "bvl-strip bvl-wide" }, picture);
    /** @param {PointerEvent} event */
    const under = (event) => {
      const { left, width } = picture.getBoundingClientRect();
      return componentAt(event.clientX - left, width, size);
    };
    this.life.listen(strip, "pointermove", (event) => this.hover(under(event)));
    this.life.listen(strip, "pointerleave", () => this.hover(null));
    this.life.listen(strip, "pointerdown", (event) => this.set({ component: under(event) }));
    const length = element("span", { class: "bvl-number bvl-length" });
    const last = element("span", { class: "bvl-number bvl-last" });
    box.append(label, strip, length, last);
    return { name, label, toggle, note, cursor, path, picture, strip, length, last };
  }

  /** @param {PartName} name */
  toggle(name) {
    const on = this.model.get("parts_on");
    this.set({ parts_on: PARTS.filter((part) => (part === name ? !on.includes(part) : on.includes(part))) });
  }

  /** @param {number | null} component */
  hover(component) {
    if (component === this.hovered) return;
    this.hovered = component;
    this.drawComponent();
  }

  makeNumbers() {
    const body = element("tbody");
    const head = element("thead", {}, element("tr"));
    for (const name of ["component", ...ROWS]) head.firstElementChild?.append(element("th", { scope: "col" }, name));
    const box = element(
      "details",
      { class: "bvl-numbers" },
      element("summary", {}, "Every component as a table"),
      element(
        "div",
        { class: "bvl-scroll bvl-tall", tabindex: 0, role: "group", "aria-label": "Components" },
        element("table", {}, head, body),
      ),
    );
    this.life.listen(box, "toggle", () => this.drawNumbers());
    return { box, body };
  }

  // ---- from state to page

  draw() {
    const get = (/** @type {string} */ name) => this.model.get(name);
    this.on = PARTS.filter((name) => get("parts_on").includes(name));
    const chosen = anatomy(this.data.parts(get("token")), this.on, this.data.layerNorm);
    const pinned = get("pinned");
    this.compared = pinned !== null && pinned !== get("token");
    const other = this.compared ? anatomy(this.data.parts(pinned), this.on, this.data.layerNorm) : null;
    this.chosen = chosen;
    this.other = other;
    const kind = get("scaled") ? "scaled" : "vectors";
    this.rows = other
      ? Object.fromEntries(ROWS.map((name) => [name, minus(chosen[kind][name], other[kind][name])]))
      : chosen[kind];
    this.drawTokens();
    this.drawHeading();
    this.drawStrips();
    this.drawComponent();
    this.drawCosines();
    this.drawFacts();
    this.drawNumbers();
  }

  drawTokens() {
    const { model, options, data } = this;
    if (this.sharesFor !== this.on.join()) {
      this.sharesFor = this.on.join();
      this.shares = data.tokens.map((_, i) => anatomy(data.parts(i), this.on, data.layerNorm).shares);
      const stacks = this.shares.map(stack);
      const top = Math.max(...stacks.flat().map(({ to }) => to), 1e-9);
      const bottom = Math.min(...stacks.flat().map(({ from }) => from), 0);
      const at = (/** @type {number} */ value) => (top - value) / (top - bottom);
      stacks.forEach((pieces, i) => {
        pieces.forEach(({ from, to }, k) =>
          setAttributes(options[i].rects[k], { y: at(to), height: at(from) - at(to) }),
        );
        options[i].zero.setAttribute("d", `M0 ${at(0)}H1`);
        const words = SHARED.map((name) => `${name} ${formatPercent(this.shares[i][name])}`).join(", ");
        options[i].words = words;
        options[i].box.title = `${i}: ${data.tokens[i]}\n${words}`;
      });
    }
    const token = model.get("token");
    const pinned = model.get("pinned");
    const changed = this.marked ? [this.marked.token, this.marked.pinned, token, pinned] : options.keys();
    for (const index of changed) {
      if (index === null) continue;
      setAttributes(options[index].box, {
        "aria-selected": String(index === token),
        tabindex: index === token ? 0 : -1,
      });
      options[index].box.classList.toggle("bvl-pinned", index === pinned);
    }
    if (this.marked && this.marked.token !== token) this.reveal(token);
    this.marked = { token, pinned };
    for (const [index, { box, words }] of options.entries()) {
      const name = `${data.tokens[index]}, ${index}${index === pinned ? ", pinned" : ""}: ${words}`;
      if (box.getAttribute("aria-label") !== name) box.setAttribute("aria-label", name);
    }
  }

  drawHeading() {
    const { model, data } = this;
    const [token, pinned] = [model.get("token"), model.get("pinned")];
    const name = (/** @type {number} */ i) => `token ${i} ${quoted(data.tokens[i])}`;
    let text = name(token);
    if (this.compared) text += ` minus ${name(pinned)}`;
    else if (pinned !== null) text += ", pinned: choose another token to compare";
    setText(this.heading, text);
    const { scaled, oneScale, pin } = this.controls;
    scaled.checked = model.get("scaled");
    oneScale.checked = model.get("one_scale") || model.get("scaled");
    oneScale.disabled = model.get("scaled");
    setText(pin, pinned === null ? "Pin to compare" : "Unpin");
    pin.setAttribute("aria-pressed", String(pinned !== null));
  }

  drawStrips() {
    const { model, data, strips, chosen, other } = this;
    const token = model.get("token");
    const scaled = model.get("scaled");
    const limit = limits(this.rows, model.get("one_scale") || scaled);
    const same = scaleNote(limit);
    setText(strips.upperScale, `components 0 to ${data.size - 1}, drawn to ±${formatNumber(limit.sum)}`);
    setText(
      strips.lowerScale,
      scaled ? `the scaled sum and LayerNorm’s bias, ${same}` : `LayerNorm: (sum − mean) ÷ std × gain + bias, ${same}`,
    );
    setText(strips.lengthHead, this.compared ? "distance" : "length");
    setText(strips.lastHead, this.compared ? "cosine" : "share");
    const kind = scaled ? "scaled" : "vectors";
    for (const row of strips.rows) {
      const { name } = row;
      const vector = this.rows[name];
      const isPart = name in ID_OF;
      const off = isPart && !this.on.includes(/** @type {PartName} */ (name));
      if (row.toggle) row.toggle.checked = !off;
      row.strip.classList.toggle("bvl-off", off);
      row.label.classList.toggle("bvl-off", off);
      row.path.setAttribute("d", barPath(vector, limit[name]));
      const length = norm(vector);
      setText(row.length, formatNumber(length));
      const share = chosen.shares[name];
      if (other) setText(row.last, formatNumber(cosine(chosen[kind][name], other[kind][name])));
      else if (name === "result") setText(row.last, "100\u00a0%");
      else setText(row.last, share === undefined ? "" : off ? "off" : formatPercent(share));
      setText(row.note, this.noteOf(name, token, scaled));
      row.picture.setAttribute(
        "aria-label",
        `${name}: ${this.compared ? "distance" : "length"} ${formatNumber(length)}`,
      );
    }
  }

  /**
   * The small print beside a row: where the vector comes from.
   * @param {string} name
   * @param {number} token
   * @param {boolean} scaled
   */
  noteOf(name, token, scaled) {
    const { data, model } = this;
    if (name in ID_OF) {
      const ids = data.ids[ID_OF[name]];
      return `${ID_OF[name]} ${ids[token]}${this.compared ? `, ${ids[model.get("pinned")]}` : ""}`;
    }
    if (name === "sum") return scaled ? "LayerNorm’s scaling" : this.on.length === 3 ? "of the three" : "of those on";
    return name === "bias" ? "of LayerNorm" : scaled ? "of LayerNorm" : "LayerNorm(sum)";
  }

  drawComponent() {
    const { strips, rows, data } = this;
    const component = this.hovered ?? this.model.get("component");
    const wide = Math.max(1, data.size / 400);
    for (const { cursor } of strips.rows) setAttributes(cursor, { x: component + 0.5 - wide / 2, width: wide });
    const value = (/** @type {string} */ name) => formatNumber(rows[name][component], true);
    const on = /** @type {string[]} */ (this.on);
    const terms = PARTS.filter((name) => on.includes(name)).map((name) => `${name} ${value(name)}`);
    const sums = `${terms.join(", ") || "nothing"} → sum ${value("sum")}`;
    const text = `component ${component}${this.compared ? ", difference" : ""}: ${sums}; bias ${value("bias")} → result ${value("result")}`;
    setText(strips.readout, text);
    strips.slider.value = String(this.model.get("component"));
    strips.slider.setAttribute("aria-valuetext", text);
  }

  drawCosines() {
    const names = ["token", "position", "segment", "sum", "result"];
    const { vectors } = this.chosen;
    const head = element("tr", {}, element("td"));
    head.append(...names.slice(0, -1).map((name) => element("th", { scope: "col" }, name)));
    const body = names.slice(1).map((row, i) => {
      const line = element("tr", {}, element("th", { scope: "row" }, row));
      names.slice(0, -1).forEach((column, k) => {
        const cell = element("td");
        if (k <= i) {
          const value = cosine(vectors[row], vectors[column]);
          cell.textContent = Number.isFinite(value) ? value.toFixed(2).replace("-", "−") : "–";
          const side = value < 0 ? "negative" : "positive";
          if (Number.isFinite(value))
            cell.style.background = `rgb(var(--bvl-${side}) / calc(var(--bvl-tint) * ${Math.abs(value).toFixed(2)}))`;
        }
        line.append(cell);
      });
      return line;
    });
    this.cosines.replaceChildren(
      element("caption", {}, `Cosines between the vectors of ${quoted(this.data.tokens[this.model.get("token")])}`),
      element("thead", {}, head),
      element("tbody", {}, ...body),
    );
  }

  drawFacts() {
    const { chosen, data } = this;
    const whole = anatomy(data.parts(this.model.get("token")), PARTS, data.layerNorm);
    const lines = [
      `LayerNorm centres the sum, divides it by ${formatNumber(chosen.std)} (its standard deviation), multiplies each ` +
        "component by a learned gain and adds a learned bias.",
      "share of a part = (c · r) / (r · r): c is what arrives of the part in the result (centred, divided, times gain), " +
        "r is the result. The three parts and the bias together are 100\u00a0%; a negative share pulls the other way.",
    ];
    if (this.on.length < 3) {
      lines.unshift(
        `With ${this.on.join(" + ") || "nothing"} only, the sum has length ${formatNumber(norm(chosen.vectors.sum))} ` +
          `(all three: ${formatNumber(norm(whole.vectors.sum))}); its result and the full one have cosine ` +
          `${formatNumber(cosine(chosen.vectors.result, whole.vectors.result))}.`,
      );
    }
    this.facts.replaceChildren(...lines.map((line) => element("p", {}, line)));
  }

  /** Fill the table only while it is open: at 768 components it is the largest thing on the page. */
  drawNumbers() {
    const { box, body } = this.numbers;
    if (!(/** @type {HTMLDetailsElement} */ (box).open)) return body.replaceChildren();
    const lines = Array.from({ length: this.data.size }, (_, i) =>
      element(
        "tr",
        {},
        element("th", { scope: "row" }, String(i)),
        ...ROWS.map((name) => element("td", {}, formatNumber(this.rows[name][i], true))),
      ),
    );
    return body.replaceChildren(...lines);
  }
}

/**
 * anywidget's entry; the saved page calls the same.
 * @param {{model: any, el: HTMLElement}} place
 * @returns {() => void} takes the view down again
 */
function render({ model, el }) {
  const view = new EmbeddingView(model, el);
  return () => view.end();
}

export default { render };
