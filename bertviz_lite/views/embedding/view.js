// The embedding view: one token's three vectors, their sum, LayerNorm's result, and what each part contributes.
// See view.py for the traits.

import { DrawnView } from "../base/js/drawn_view.js";
import { element, setAttributes, setText, svgElement } from "../base/js/elements.js";
import { sayCommon } from "../base/js/language/common.js";
import { inLanguage } from "../base/js/language/shown.js";
import { whenPlaced } from "../base/js/life.js";
import { cosine, formatNumber, formatPercent, minus, norm } from "../base/js/numbers.js";
import { FoldedTable } from "../base/js/parts/folded_table.js";
import { StateLink, isIndexIn } from "../base/js/parts/link.js";
import { ListBox } from "../base/js/parts/list_box.js";
import { Tools } from "../base/js/parts/tools.js";
import { followTheme } from "../base/js/theme.js";
import { PARTS, ROWS, SHARED, anatomy, readModel, signOf } from "./js/anatomy.js";
import { rowName, say } from "./language/say.js";
import { NearPanel } from "./js/near.js";
import { barPath, componentAt, limits, scaleNote, stack } from "./js/strips.js";

/** @import { Anatomy, PartName } from "./js/anatomy.js" */

/** @returns {[string, string][]} */
const embeddingKeys = () => [
  ["← + →", say("key_token")],
  ["Space", say("key_pin")],
  ["Esc", say("key_unpin")],
];

const TRAITS = ["token", "pinned", "parts_on", "component", "scaled", "one_scale"];

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
    super(model, "embedding", say("view"));
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
    this.near = new NearPanel(model, this.life);
    this.table = new FoldedTable(this.life, {
      summary: say("as_table"),
      label: say("components"),
      read: () => this.readTable(),
      isTall: true,
      className: "bvl-numbers",
    });
    this.link = new StateLink(model, this.life, TRAITS, (name, value) => this.accepts(name, value));
    this.link.take();
    this.tools = new Tools(this, {
      keys: embeddingKeys(),
      name: () => say("file_name", { token: this.data.tokens[model.get("token")] }),
      numbers: () => [
        ["component", ...ROWS],
        ...Array.from({ length: this.data.size }, (_, i) => [i, ...ROWS.map((name) => this.rows[name][i])]),
      ],
      link: this.link,
    });
    const nearOnly = model.get("_near_only");
    const legend = nearOnly ? element("span") : this.makeLegend();
    const first = element("div", { class: "bvl-first-line" }, legend, this.tools.box);
    for (const box of [this.controls.box, this.table.box, this.facts]) box.classList.add("bvl-no-show");
    this.root.append(first, this.tools.panel, ...(nearOnly ? [this.near.box] : this.taken()));
    el.append(this.root);
    followTheme(this.root, this.life);
    if (!nearOnly) whenPlaced(this.root, this.life, () => this.tokenList.reveal(model.get("token")));
    this.life.follow(model, TRAITS, () => this.soon());
    this.draw();
  }

  /** The boxes that take an input embedding apart, and what is near its token. */
  taken() {
    return [
      this.tokenList.box,
      element("div", { class: "bvl-bar" }, this.heading, this.controls.box),
      element("div", { class: "bvl-beside" }, this.strips.box, this.near.box),
      element("div", { class: "bvl-below" }, element("div", { class: "bvl-scroll" }, this.cosines), this.facts),
      this.table.box,
    ];
  }

  /** @param {string} name @param {any} value */
  accepts(name, value) {
    if (name === "component") return isIndexIn(value, this.data.size);
    if (name === "parts_on") return PARTS.filter((part) => value.includes(part)).length === value.length;
    if (name === "token" || name === "pinned")
      return (name === "pinned" && value === null) || isIndexIn(value, this.data.tokens.length);
    return typeof value === "boolean";
  }

  makeLegend() {
    const entries = SHARED.map((name) =>
      element("span", { class: `bvl-key bvl-${name}` }, name === "bias" ? say("norm_bias") : rowName(name)),
    );
    return element("div", { class: "bvl-legend" }, element("span", {}, say("legend")), ...entries);
  }

  makeTokenList() {
    const list = new ListBox(this.life, {
      className: "bvl-tokens",
      label: say("list_label"),
      isHorizontal: true,
      chosen: () => this.model.get("token"),
      choose: (index) => {
        this.set({ token: index });
        list.options[index].focus({ preventScroll: true });
      },
      click: (index, { shiftKey }) => {
        if (shiftKey) this.togglePin(index);
        else this.set({ token: index });
        list.options[this.model.get("token")].focus({ preventScroll: true });
      },
      press: (key) => {
        if (key === " " || key === "Enter") this.togglePin(this.model.get("token"));
        else if (key === "Escape") this.set({ pinned: null });
        else return false;
        return true;
      },
    });
    this.options = this.data.tokens.map((token) => makeOption(token));
    list.put(this.options.map(({ box }) => box));
    return list;
  }

  /** @param {number} index */
  togglePin(index) {
    this.set({ pinned: this.model.get("pinned") === index ? null : index });
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
      element("label", {}, scaled, say("as_scaled")),
      element("label", {}, oneScale, say("one_scale")),
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
      element("input", { type: "range", min: 0, max: size - 1, step: 1, "aria-label": say("slider") })
    );
    this.life.listen(slider, "input", () => this.set({ component: Number(slider.value) }));
    const readout = element("p", { class: "bvl-readout" });
    box.append(
      element("span", { class: "bvl-slider-name bvl-soft" }, say("component")),
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
    const title = element("span", { class: "bvl-row-name" });
    /** @type {HTMLInputElement | null} */
    let toggle = null;
    const label = element(part ? "label" : "span", { class: `bvl-row-label bvl-key bvl-${name}` });
    if (part) {
      toggle = /** @type {HTMLInputElement} */ (
        element("input", { type: "checkbox", "aria-label": say("add_vector", { name: rowName(name) }) })
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
    return { name, label, title, toggle, note, cursor, path, picture, strip, length, last };
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
    this.near.follow(this.data.tokens[get("token")]);
    this.table.draw();
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
        const words = SHARED.map((name) => `${rowName(name)} ${formatPercent(this.shares[i][name])}`).join(
          sayCommon("comma"),
        );
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
    if (this.marked && this.marked.token !== token) this.tokenList.reveal(token);
    this.marked = { token, pinned };
    for (const [index, { box, words }] of options.entries()) {
      const told = { token: data.tokens[index], place: index, shares: words };
      const name = say(index === pinned ? "option_pinned" : "option", told);
      if (box.getAttribute("aria-label") !== name) box.setAttribute("aria-label", name);
    }
  }

  drawHeading() {
    const { model, data } = this;
    const [token, pinned] = [model.get("token"), model.get("pinned")];
    const name = (/** @type {number} */ i) => say("name", { i, token: quoted(data.tokens[i]) });
    let text = name(token);
    if (this.compared) text += say("minus", { name: name(pinned) });
    else if (pinned !== null) text += say("pinned_choose");
    setText(this.heading, text);
    const { scaled, oneScale, pin } = this.controls;
    scaled.checked = model.get("scaled");
    oneScale.checked = model.get("one_scale") || model.get("scaled");
    oneScale.disabled = model.get("scaled");
    setText(pin, pinned === null ? say("pin") : say("unpin"));
    pin.setAttribute("aria-pressed", String(pinned !== null));
  }

  drawStrips() {
    const { model, data, strips, chosen, other } = this;
    const token = model.get("token");
    const scaled = model.get("scaled");
    const limit = limits(this.rows, model.get("one_scale") || scaled);
    const same = scaleNote(limit);
    setText(strips.upperScale, say("upper_scale", { last: data.size - 1, limit: formatNumber(limit.sum) }));
    setText(strips.lowerScale, scaled ? say("lower_scaled", { scale: same }) : say("lower", { scale: same }));
    setText(strips.lengthHead, say(this.compared ? "distance" : "length"));
    setText(strips.lastHead, say(this.compared ? "cosine" : "share"));
    const kind = scaled ? "scaled" : "vectors";
    for (const row of strips.rows) {
      const { name } = row;
      setText(row.title, `${signOf(name, scaled)} ${rowName(name)}`.trim());
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
      else setText(row.last, share === undefined ? "" : off ? say("off") : formatPercent(share));
      setText(row.note, this.noteOf(name, token, scaled));
      row.picture.setAttribute(
        "aria-label",
        say("picture", {
          ...{ name: rowName(name), what: say(this.compared ? "distance" : "length") },
          length: formatNumber(length),
        }),
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
    if (name === "sum") return scaled ? say("scaling") : this.on.length === 3 ? say("of_three") : say("of_those_on");
    return name === "bias" ? say("of_norm") : scaled ? say("of_norm") : say("norm_of_sum");
  }

  drawComponent() {
    const { strips, rows, data } = this;
    const component = this.hovered ?? this.model.get("component");
    const wide = Math.max(1, data.size / 400);
    for (const { cursor } of strips.rows) setAttributes(cursor, { x: component + 0.5 - wide / 2, width: wide });
    const value = (/** @type {string} */ name) => formatNumber(rows[name][component], true);
    const on = /** @type {string[]} */ (this.on);
    const terms = PARTS.filter((name) => on.includes(name)).map((name) => `${rowName(name)} ${value(name)}`);
    const text = say(this.compared ? "read_difference" : "read", {
      ...{ component, terms: terms.join(sayCommon("comma")) || say("nothing") },
      ...{ sum: value("sum"), bias: value("bias"), result: value("result") },
    });
    setText(strips.readout, text);
    strips.slider.value = String(this.model.get("component"));
    strips.slider.setAttribute("aria-valuetext", text);
  }

  drawCosines() {
    const names = ["token", "position", "segment", "sum", "result"];
    const { vectors } = this.chosen;
    const head = element("tr", {}, element("td"));
    head.append(...names.slice(0, -1).map((name) => element("th", { scope: "col" }, rowName(name))));
    const body = names.slice(1).map((row, i) => {
      const line = element("tr", {}, element("th", { scope: "row" }, rowName(row)));
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
      element("caption", {}, say("cosines", { token: quoted(this.data.tokens[this.model.get("token")]) })),
      element("thead", {}, head),
      element("tbody", {}, ...body),
    );
  }

  drawFacts() {
    const { chosen, data } = this;
    const whole = anatomy(data.parts(this.model.get("token")), PARTS, data.layerNorm);
    const lines = [say("what_norm_does", { std: formatNumber(chosen.std) }), say("what_share_is")];
    if (this.on.length < 3) {
      lines.unshift(
        say("only_some", {
          parts: this.on.map(rowName).join(" + ") || say("nothing"),
          length: formatNumber(norm(chosen.vectors.sum)),
          whole: formatNumber(norm(whole.vectors.sum)),
          cosine: formatNumber(cosine(chosen.vectors.result, whole.vectors.result)),
        }),
      );
    }
    this.facts.replaceChildren(...lines.map((line) => element("p", {}, line)));
  }

  readTable() {
    const rows = Array.from({ length: this.data.size }, (_, i) => [
      String(i),
      ...ROWS.map((name) => formatNumber(this.rows[name][i], true)),
    ]);
    return { columns: [say("component"), ...ROWS.map(rowName)], rows };
  }
}

/** @param {string} token @returns {Option} */
function makeOption(token) {
  const bar = svgElement("svg", { viewBox: "0 0 1 1", preserveAspectRatio: "none", "aria-hidden": "true" });
  const rects = SHARED.map((name) => svgElement("rect", { x: 0, width: 1, class: `bvl-${name}` }));
  const zero = svgElement("path", { class: "bvl-zero" });
  bar.append(...rects, zero);
  const name = element("span", { class: "bvl-mono" }, token);
  const box = element("div", { class: "bvl-token-box", role: "option", tabindex: -1 }, bar, name);
  return { box, rects, zero, words: "" };
}

/**
 * anywidget's entry; the saved page calls the same.
 * @param {{model: any, el: HTMLElement}} place
 * @returns {() => void} takes the view down again
 */
function render({ model, el }) {
  return inLanguage(model, el, () => new EmbeddingView(model, el)).end;
}

export default { render };
