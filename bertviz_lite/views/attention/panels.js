// The attention explorer's panels beside the canvases: why a pair has its weight, trying another input, controls.
// One module with common.js and view.js, see views/base/view.py.

import { element, setAttributes, setText, svgElement } from "../base/js/elements.js";
import { formatNumber, formatPercent, largest } from "../base/js/numbers.js";
import { formatWeight, pushers, readable } from "./weights.js";

/** @import { Life } from "../base/js/life.js" */
/** @import { Vector } from "../base/js/numbers.js" */
/** @import { AttentionView } from "./view.js" */
/** @import { Why } from "./weights.js" */

/**
 * Bars for an SVG of width vector.length and height 2 around zero, those with the asked sign only.
 * @param {Vector} vector
 * @param {number} limit the value that reaches the edge
 * @param {(value: number) => boolean} chosen
 */
function bars(vector, limit, chosen) {
  const parts = [];
  for (let i = 0; i < vector.length; i += 1) {
    const height = limit > 0 ? vector[i] / limit : 0;
    if (chosen(vector[i]) && Math.abs(height) > 1e-4) parts.push(`M${i + 0.07} 0V${(-height).toFixed(4)}h.86V0z`);
  }
  return parts.join("");
}

/** A score; the mask's −10³⁸ is −∞ for reading. @param {number} score @param {boolean} [signed] */
const formatScore = (score, signed = false) => (score < -9000 ? "−∞" : formatNumber(score, signed));

/** One pair of tokens, step by step. */
export class WhyPanel {
  /** @param {Life} life */
  constructor(life) {
    this.note = element("p", { class: "bvl-why-note" });
    this.title = element("p", { class: "bvl-why-title" });
    const strip = (/** @type {string} */ name) => {
      const plus = svgElement("path", { class: "bvl-plus" });
      const minus = svgElement("path", { class: "bvl-minus" });
      const cursor = svgElement("rect", { class: "bvl-cursor", y: -1, height: 2 });
      const zero = svgElement("path", { class: "bvl-zero" });
      const picture = svgElement("svg", { role: "img", preserveAspectRatio: "none" }, plus, minus, zero, cursor);
      const label = element("span", { class: "bvl-strip-name" });
      return {
        name,
        plus,
        minus,
        zero,
        cursor,
        picture,
        label,
        row: element("div", { class: `bvl-strip bvl-${name}` }, label, picture),
      };
    };
    this.strips = ["q", "k", "product"].map(strip);
    this.component = element("p", { class: "bvl-component bvl-soft" });
    this.steps = element("ol", { class: "bvl-steps" });
    this.row = element("table", { class: "bvl-softmax" });
    this.parts = element(
      "div",
      { class: "bvl-why-parts" },
      element("div", { class: "bvl-why-bars" }, ...this.strips.map(({ row }) => row), this.component),
      element("div", { class: "bvl-why-sums" }, this.steps),
      element(
        "div",
        { class: "bvl-why-row", tabindex: 0, role: "region", "aria-label": "Softmax over the row" },
        this.row,
      ),
    );
    this.box = element(
      "section",
      { class: "bvl-why", "aria-label": "One pair of tokens: why this weight" },
      element("h4", { class: "bvl-title" }, "Why this weight? One pair of tokens"),
      this.title,
      this.note,
      this.parts,
    );
    /** @type {Why | null} */
    this.why = null;
    for (const { picture } of this.strips) {
      life.listen(picture, "pointermove", (event) => {
        const { left, width } = picture.getBoundingClientRect();
        if (this.why)
          this.point(
            Math.min(
              this.why.product.length - 1,
              Math.max(0, Math.floor(((event.clientX - left) / width) * this.why.product.length)),
            ),
          );
      });
      life.listen(picture, "pointerleave", () => this.point(null));
    }
  }

  /** @param {string} text */
  say(text) {
    this.why = null;
    this.title.hidden = true;
    this.note.hidden = false;
    this.parts.hidden = true;
    setText(this.note, text);
  }

  /**
   * @param {Why} why
   * @param {object} about
   * @param {string} about.query
   * @param {string} about.key
   * @param {number} about.queryAt
   * @param {number} about.keyAt
   * @param {string[]} about.names of all keys
   * @param {number} about.layer
   * @param {number} about.head
   * @param {string} about.side
   * @param {number} about.scaling
   * @param {string} about.weight the model's own weight, in words
   */
  show(why, about) {
    this.why = why;
    const { query, key, keyAt, names } = about;
    this.note.hidden = true;
    this.title.hidden = false;
    this.parts.hidden = false;
    this.title.replaceChildren(
      "Query ",
      element("bdi", { class: "bvl-token-name" }, query),
      ` (${about.queryAt}) asks, key `,
      element("bdi", { class: "bvl-token-name" }, key),
      ` (${keyAt}) answers: layer ${about.layer}, head ${about.head}${about.side ? `, ${about.side}` : ""}`,
    );
    const size = why.product.length;
    const scale = largest([why.query, why.key]);
    const scales = [scale, scale, largest([why.product])];
    [why.query, why.key, why.product].forEach((vector, i) => {
      const { plus, minus: under, zero, cursor, picture, label } = this.strips[i];
      setAttributes(picture, {
        viewBox: `0 -1 ${size} 2`,
        "aria-label": `${["query vector", "key vector", "products"][i]}, ${size} components, drawn to ±${formatNumber(scales[i])}`,
      });
      setAttributes(plus, { d: bars(vector, scales[i], (value) => value > 0) });
      setAttributes(under, { d: bars(vector, scales[i], (value) => value < 0) });
      setAttributes(zero, { d: `M0 0H${size}` });
      setAttributes(cursor, { width: 1 });
      label.replaceChildren(
        element("b", {}, ["q", "k", "q × k"][i]),
        element(
          "small",
          { class: "bvl-soft" },
          [
            ` of the query, drawn to ±${formatNumber(scales[0])}`,
            " of the key, same scale",
            ` by component, drawn to ±${formatNumber(scales[2])}`,
          ][i],
        ),
      );
    });
    this.point(null);
    this.drawSteps(why, about);
    this.drawRow(why, keyAt, names);
  }

  /** @param {number | null} component */
  point(component) {
    const { why } = this;
    for (const { cursor } of this.strips)
      setAttributes(cursor, { x: component ?? 0, visibility: component === null ? "hidden" : "visible" });
    if (!why) return;
    if (component === null) {
      const { up, down } = pushers(why.product, 3);
      const list = (/** @type {number[]} */ places) =>
        places.map((i) => `${i} (${formatNumber(why.product[i], true)})`).join(", ") || "none";
      setText(this.component, `Components that push up most: ${list(up)}; down most: ${list(down)}.`);
    } else {
      const [a, b] = [why.query[component], why.key[component]];
      setText(
        this.component,
        `Component ${component}: ${formatNumber(a)} × ${formatNumber(b)} = ${formatNumber(why.product[component], true)}`,
      );
    }
  }

  /** @param {Why} why @param {{keyAt: number, scaling: number, weight: string}} about */
  drawSteps(why, { keyAt, scaling, weight }) {
    const [up, down] = [1, -1].map((sign) =>
      why.product.reduce((sum, value) => sum + (value * sign > 0 ? value : 0), 0),
    );
    const root = Math.sqrt(why.product.length);
    const scale = Math.abs(scaling * root - 1) < 1e-4 ? `÷ √${why.product.length}` : `× ${formatNumber(scaling)}`;
    const step = (/** @type {string} */ name, /** @type {string} */ how, /** @type {string} */ result) =>
      element(
        "li",
        {},
        element("span", { class: "bvl-step-name" }, name),
        element("span", { class: "bvl-soft" }, how),
        element("b", {}, result),
      );
    this.steps.replaceChildren(
      step("q · k", `${formatNumber(up, true)} up, ${formatNumber(down)} down`, formatNumber(why.sum)),
      step("scaled", scale, formatNumber(why.scaled)),
      step(
        "mask, bias",
        why.bias === 0 ? "nothing is added" : why.bias < -9000 ? "the key is masked" : "is added",
        formatScore(why.bias, true),
      ),
      step("score", "what the softmax sees", formatScore(why.scores[keyAt])),
      step("weight", "its share of e^score over all keys", formatWeight(why.weights[keyAt], true)),
    );
    this.steps.append(element("li", { class: "bvl-soft bvl-check" }, weight));
  }

  /** @param {Why} why @param {number} keyAt @param {string[]} names */
  drawRow(why, keyAt, names) {
    const order = Array.from(why.weights.keys()).sort((a, b) => why.weights[b] - why.weights[a]);
    const shown = order.slice(0, 6);
    if (!shown.includes(keyAt)) shown.splice(5, 1, keyAt);
    const rest = order.filter((i) => !shown.includes(i));
    const top = why.weights[order[0]] || 1;
    const line = (
      /** @type {Node} */ name,
      /** @type {string} */ score,
      /** @type {number} */ weight,
      /** @type {string | null} */ mark,
    ) =>
      element(
        "tr",
        { class: mark },
        element("th", { scope: "row" }, name),
        element("td", {}, score),
        element("td", {}, Number.isNaN(weight) ? "" : formatNumber(weight / top)),
        element(
          "td",
          { class: "bvl-bar-cell" },
          element("span", { class: "bvl-weight-bar", style: `inline-size:${(100 * Math.min(1, weight)).toFixed(1)}%` }),
          element("span", {}, formatWeight(weight, true)),
        ),
      );
    const sum = (/** @type {number[]} */ places) => places.reduce((total, i) => total + why.weights[i], 0);
    const body = shown.map((i) => {
      const name = element("span", {}, `${i} `, element("bdi", {}, names[i]));
      return line(name, formatScore(why.scores[i]), why.weights[i], i === keyAt ? "bvl-this" : null);
    });
    if (rest.length > 0)
      body.push(
        line(element("span", {}, `${rest.length} other${rest.length > 1 ? "s" : ""}`), "", sum(rest), "bvl-rest"),
      );
    body.push(
      element(
        "tr",
        { class: "bvl-sum" },
        element("th", { scope: "row" }, "sum"),
        element("td"),
        element("td", {}, formatNumber(1 / top)),
        element("td", { class: "bvl-bar-cell" }, element("span", {}, formatWeight(sum(order), true))),
      ),
    );
    this.row.replaceChildren(
      element("caption", {}, "Softmax over the row: this key against the others"),
      element(
        "thead",
        {},
        element(
          "tr",
          {},
          ...["key", "score", "e^(score − best)", "weight"].map((text) => element("th", { scope: "col" }, text)),
        ),
      ),
      element("tbody", {}, ...body),
    );
  }
}

/** Change the input and run the model again; in a saved page, say that this cannot be done there. */
export class TryPanel {
  /** @param {AttentionView} view */
  constructor(view) {
    this.view = view;
    const button = (/** @type {string} */ name, /** @type {() => void} */ act) => {
      const made = /** @type {HTMLButtonElement} */ (element("button", { type: "button" }, name));
      view.life.listen(made, "click", act);
      return made;
    };
    this.token = element("p", { class: "bvl-chosen-token" });
    this.mask = button("[MASK] it", () => this.replace(this.maskToken));
    this.typed = /** @type {HTMLInputElement} */ (
      element("input", { type: "text", autocomplete: "off", spellcheck: "false", maxlength: 200, size: 12 })
    );
    this.send = /** @type {HTMLButtonElement} */ (element("button", {}, "Replace"));
    this.form = element(
      "form",
      { class: "bvl-type" },
      element("label", {}, element("span", {}, "or type another token"), this.typed),
      this.send,
    );
    view.life.listen(this.form, "submit", (event) => {
      event.preventDefault();
      if (this.typed.value !== "") this.replace(this.typed.value);
    });
    this.restore = button("Restore", () => {
      const edits = { ...view.model.get("edits") };
      delete edits[String(this.position)];
      view.set({ edits });
    });
    this.off = button("Switch this head off", () => {
      const { layer, head, heads_off: off } = view.state;
      const rest = off.filter((/** @type {number[]} */ pair) => pair[0] !== layer || pair[1] !== head);
      view.set({
        heads_off: rest.length < off.length ? rest : [...off, [layer, head]].sort((a, b) => a[0] - b[0] || a[1] - b[1]),
      });
    });
    this.all = button("Restore everything", () => view.set({ edits: {}, heads_off: [] }));
    this.changes = element("ul", { class: "bvl-changes", "aria-label": "Changes" });
    this.predictions = element("div", { class: "bvl-predictions" });
    this.controls = element(
      "div",
      { class: "bvl-try-controls" },
      element("div", { class: "bvl-try-line" }, this.token, this.mask, this.form, this.restore),
      element("div", { class: "bvl-try-line" }, this.off, this.changes, this.all),
    );
    this.note = element("p", { class: "bvl-soft bvl-try-note" });
    this.box = element(
      "section",
      { class: "bvl-try", "aria-label": "Try it: change the input and run the model again" },
      element("h4", { class: "bvl-title" }, "Try it: change the input, run again"),
      this.note,
      this.controls,
      this.predictions,
    );
    /** @type {number | null} */
    this.position = null;
    /** What is shown now, so that buttons are not made anew under the reader's finger. */
    this.changesKey = "";
    this.predictionsKey = "";
    view.life.listen(this.changes, "click", (event) => {
      const change = event.target.closest("button")?.dataset.change;
      if (change === undefined) return;
      const [name, a, b] = change.split(" ");
      const { edits, heads_off: off } = view.state;
      if (name === "edit")
        view.set({ edits: Object.fromEntries(Object.entries(edits).filter(([place]) => place !== a)) });
      else
        view.set({
          heads_off: off.filter((/** @type {number[]} */ pair) => pair[0] !== Number(a) || pair[1] !== Number(b)),
        });
    });
  }

  /** What masks a token, as the tokenizer writes it; null if the model knows no such thing. @returns {string | null} */
  get maskToken() {
    return this.view.state._meta.mask_token;
  }

  /** @param {string | null} token */
  replace(token) {
    if (this.position === null || token === null) return;
    this.view.set({ edits: { ...this.view.model.get("edits"), [String(this.position)]: token } });
    this.typed.value = "";
  }

  draw() {
    const { view } = this;
    const {
      _meta: meta,
      kind,
      layer,
      head,
      edits,
      heads_off: off,
      query,
      key,
      _busy: busy,
      aggregate,
      _predictions: predictions,
    } = view.state;
    const [first] = Object.keys(meta.sides[0].kinds);
    const can = meta.can_run;
    const here = kind === first;
    this.controls.hidden = !can;
    const reason = meta.live
      ? "These are plain arrays without a model: capture(model, tokenizer, text) can run again."
      : "Replacing tokens and switching heads off needs a running notebook; this page is a saved copy.";
    setText(
      this.note,
      can ? (here ? "" : `Tokens and heads are changed in the ${first} attention: choose it above.`) : reason,
    );
    this.note.hidden = this.note.textContent === "";
    if (can) {
      const tokens = meta.sides[0].kinds[first].queries.tokens;
      this.position = here ? (query ?? key) : null;
      const at = this.position;
      if (at === null) this.token.replaceChildren("Choose a token (click it, or Enter) to replace it.");
      else
        this.token.replaceChildren(`Token ${at} `, element("bdi", { class: "bvl-token-name" }, readable(tokens[at])));
      setText(this.mask, `${this.maskToken} it`);
      this.mask.hidden = this.maskToken === null;
      const edited = at !== null && Object.hasOwn(edits, String(at));
      this.mask.disabled = busy || at === null || edits[String(at)] === this.maskToken || tokens[at] === this.maskToken;
      for (const control of [this.typed, this.send]) control.disabled = busy || at === null;
      this.restore.disabled = busy || !edited;
      const isOff = off.some((/** @type {number[]} */ pair) => pair[0] === layer && pair[1] === head);
      setText(this.off, `Switch layer ${layer}, head ${head} ${isOff ? "on again" : "off"}`);
      this.off.disabled = busy || !here || aggregate !== "none";
      this.all.disabled = busy;
      this.all.hidden = off.length === 0 && Object.keys(edits).length === 0;
      this.drawChanges(tokens, edits, off, busy);
    }
    this.drawPredictions(predictions?.positions ?? []);
  }

  /**
   * @param {string[]} tokens
   * @param {Record<string, string>} edits
   * @param {number[][]} off
   * @param {boolean} busy
   */
  drawChanges(tokens, edits, off, busy) {
    const key = JSON.stringify([edits, off, busy]);
    if (key === this.changesKey) return;
    this.changesKey = key;
    const chip = (/** @type {string} */ change, /** @type {(Node | string)[]} */ text, /** @type {string} */ name) =>
      element(
        "li",
        {},
        element(
          "button",
          { type: "button", "data-change": change, "aria-label": name, title: name, disabled: busy },
          ...text,
          element("span", { "aria-hidden": "true" }, " ×"),
        ),
      );
    this.changes.replaceChildren(
      ...Object.entries(edits).map(([place, token]) =>
        chip(
          `edit ${place}`,
          [element("bdi", {}, readable(tokens[Number(place)])), " → ", element("bdi", {}, readable(token))],
          `Restore token ${place}`,
        ),
      ),
      ...off.map(([layer, head]) =>
        chip(
          `head ${layer} ${head}`,
          [`layer ${layer}, head ${head} off`],
          `Switch layer ${layer}, head ${head} on again`,
        ),
      ),
    );
  }

  /** @param {any[]} positions */
  drawPredictions(positions) {
    const key = JSON.stringify(positions);
    if (key === this.predictionsKey) return;
    this.predictionsKey = key;
    /** @type {[string, string][]} */
    const runs = [
      ["before", "before"],
      ["heads_on", "edited, all heads on"],
      ["after", "after"],
    ];
    const order = ["before", "after", "heads_on"];
    const nats = (/** @type {number | null} */ loss) =>
      loss === null || loss === undefined ? "–" : formatNumber(loss);
    this.predictions.replaceChildren(
      ...positions.map((one) => {
        const there = runs.filter(([name]) => one[name]);
        const lists = there.map(([name, title]) =>
          element(
            "table",
            { class: "bvl-top" },
            element("caption", {}, title),
            element(
              "tbody",
              {},
              ...one[name].map((/** @type {[string, number]} */ [token, share]) =>
                element(
                  "tr",
                  { class: token === one.token ? "bvl-this" : null },
                  element("th", { scope: "row" }, element("bdi", {}, readable(token))),
                  element(
                    "td",
                    { class: "bvl-bar-cell" },
                    element("span", { class: "bvl-weight-bar", style: `inline-size:${(100 * share).toFixed(1)}%` }),
                    element("span", {}, formatPercent(share)),
                  ),
                ),
              ),
            ),
          ),
        );
        const losses = there.map(([name, title]) => `${title} ${nats(one.loss?.[order.indexOf(name)])}`).join("; ");
        return element(
          "section",
          { class: "bvl-prediction" },
          element("h5", {}, `What the model expects at position ${one.position}`),
          element("div", { class: "bvl-tops" }, ...lists),
          element(
            "p",
            {},
            "Loss of ",
            element("bdi", { class: "bvl-token-name" }, readable(one.token)),
            ` there, −ln p in nats: ${losses}.`,
          ),
        );
      }),
    );
  }
}

/**
 * A labelled choice.
 * @param {string} name
 * @param {[string, string][]} options value and text
 * @param {Life} life
 * @param {(value: string) => void} react
 */
export function choice(name, options, life, react) {
  const select = /** @type {HTMLSelectElement} */ (
    element("select", {}, ...options.map(([value, text]) => element("option", { value }, text)))
  );
  life.listen(select, "change", () => react(select.value));
  return { select, box: element("label", {}, element("span", {}, name), select) };
}

/**
 * Give a choice other options, if they are others.
 * @param {HTMLSelectElement} select
 * @param {[string, string, boolean?][]} options value, text, disabled
 * @param {string} value
 */
export function offer(select, options, value) {
  const key = JSON.stringify(options);
  if (select.dataset.key !== key) {
    select.dataset.key = key;
    select.replaceChildren(
      ...options.map(([own, text, disabled]) => element("option", { value: own, disabled: Boolean(disabled) }, text)),
    );
  }
  select.value = value;
}

/**
 * @param {string} name
 * @param {Life} life
 * @param {(on: boolean) => void} react
 */
export function tick(name, life, react) {
  const input = /** @type {HTMLInputElement} */ (element("input", { type: "checkbox" }));
  life.listen(input, "change", () => react(input.checked));
  return { input, box: element("label", {}, input, name) };
}

/**
 * @param {string} name
 * @param {{min: number, max: number}} range
 * @param {Life} life
 * @param {(value: number) => void} react
 */
export function slide(name, { min, max }, life, react) {
  const input = /** @type {HTMLInputElement} */ (
    element("input", { type: "range", min, max, step: 1, "aria-label": name })
  );
  const value = element("output", { class: "bvl-number" });
  life.listen(input, "input", () => react(Number(input.value)));
  return { input, value, box: element("label", { class: "bvl-slide" }, element("span", {}, name), input, value) };
}

/** The threshold's slider is finer for small weights. */
export const thresholdAt = (/** @type {number} */ place) => Number(((place / 100) ** 2).toFixed(4));
