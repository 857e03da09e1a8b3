// Why a pair has its weight, drawn: query, key and product by component, the sums, the softmax over the row.

import { sayCommon } from "../../../../base/js/language/common.js";
import { element, setAttributes, setText, svgElement } from "../../../../base/js/elements.js";
import { formatNumber, largest } from "../../../../base/js/numbers.js";
import { makeSwitch } from "../../../../base/js/parts/switch.js";
import { formatWeight } from "../../weights/codes.js";
import { pushers } from "../../weights/explain.js";
import { AllKeysPicture } from "./all_keys.js";
import { say } from "../../../language/say.js";

/** @import { Life } from "../../../../base/js/life.js" */
/** @import { Vector } from "../../../../base/js/numbers.js" */
/** @import { Why } from "../../weights/explain.js" */
/** @import { AllKeys } from "./all_keys.js" */

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
export class WhyPicture {
  /**
   * @param {Life} life
   * @param {(key: number) => void} pick another key of the query
   */
  constructor(life, pick) {
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
      element("div", { class: "bvl-why-row", tabindex: 0, role: "region", "aria-label": say("softmax_row") }, this.row),
    );
    this.all = new AllKeysPicture(life, pick);
    this.switch = makeSwitch(
      life,
      say("keys"),
      ["one", "all"],
      (name) => {
        this.isAll = name !== "one";
        this.arrange();
      },
      [say("one_key"), say("all_keys")],
    );
    /** Whether all keys of the query are shown at once. */
    this.isAll = false;
    /** @type {(() => AllKeys) | null} */
    this.allKeys = null;
    /** Whether there is anything to show. */
    this.isKnown = false;
    this.box = element(
      "section",
      { class: "bvl-why bvl-no-show", "aria-label": say("why_label") },
      element(
        "div",
        { class: "bvl-why-head" },
        element("h4", { class: "bvl-title" }, say("why_title")),
        this.switch.box,
      ),
      this.title,
      this.note,
      this.parts,
      this.all.box,
    );
    this.arrange();
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

  /** Show one key or all. */
  arrange() {
    this.switch.show(this.isAll ? "all" : "one");
    this.switch.box.hidden = !this.isKnown;
    this.title.hidden = !this.isKnown;
    this.note.hidden = this.isKnown;
    this.parts.hidden = !this.isKnown || this.isAll;
    this.all.box.hidden = !this.isKnown || !this.isAll;
    if (this.isKnown && this.isAll && this.allKeys) this.all.show(this.allKeys());
  }

  /** Show all keys of the query, now or when the reader wants them. @param {() => AllKeys} allKeys */
  showAll(allKeys) {
    this.allKeys = allKeys;
    if (this.isAll) this.all.show(allKeys());
  }

  /** @param {string} text */
  say(text) {
    this.why = null;
    this.isKnown = false;
    this.arrange();
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
    this.isKnown = true;
    this.allKeys = null;
    this.arrange();
    this.title.replaceChildren(
      say("query_asks_before"),
      element("bdi", { class: "bvl-token-name" }, query),
      say("query_asks", { at: about.queryAt }),
      element("bdi", { class: "bvl-token-name" }, key),
      say(about.side ? "key_answers_side" : "key_answers", {
        ...{ at: keyAt, layer: about.layer, head: about.head, side: about.side },
      }),
    );
    const size = why.product.length;
    const scale = largest([why.query, why.key]);
    const scales = [scale, scale, largest([why.product])];
    const titles = [say("query_vector"), say("key_vector"), say("products")];
    [why.query, why.key, why.product].forEach((vector, i) => {
      const { plus, minus: under, zero, cursor, picture, label } = this.strips[i];
      setAttributes(picture, {
        viewBox: `0 -1 ${size} 2`,
        "aria-label": say("strip_label", { title: titles[i], size, limit: formatNumber(scales[i]) }),
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
            say("of_query", { limit: formatNumber(scales[0]) }),
            say("of_key"),
            say("by_component", { limit: formatNumber(scales[2]) }),
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
        places.map((i) => `${i} (${formatNumber(why.product[i], true)})`).join(sayCommon("comma")) || say("none");
      setText(this.component, say("push_most", { up: list(up), down: list(down) }));
    } else {
      const [a, b] = [why.query[component], why.key[component]];
      setText(
        this.component,
        say("component_product", {
          ...{ component, a: formatNumber(a), b: formatNumber(b) },
          product: formatNumber(why.product[component], true),
        }),
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
      step("q · k", say("up_down", { up: formatNumber(up, true), down: formatNumber(down) }), formatNumber(why.sum)),
      step(say("scaled"), scale, formatNumber(why.scaled)),
      step(
        say("mask_bias"),
        why.bias === 0 ? say("nothing_added") : why.bias < -9000 ? say("key_masked") : say("is_added"),
        formatScore(why.bias, true),
      ),
      step(say("score"), say("softmax_sees"), formatScore(why.scores[keyAt])),
      step(say("weight"), say("share_of_e"), formatWeight(why.weights[keyAt], true)),
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
      body.push(line(element("span", {}, say("others", { count: rest.length })), "", sum(rest), "bvl-rest"));
    body.push(
      element(
        "tr",
        { class: "bvl-sum" },
        element("th", { scope: "row" }, say("sum")),
        element("td"),
        element("td", {}, formatNumber(1 / top)),
        element("td", { class: "bvl-bar-cell" }, element("span", {}, formatWeight(sum(order), true))),
      ),
    );
    this.row.replaceChildren(
      element("caption", {}, say("softmax_caption")),
      element(
        "thead",
        {},
        element(
          "tr",
          {},
          ...[say("column_key"), say("score"), say("e_score"), say("weight")].map((text) =>
            element("th", { scope: "col" }, text),
          ),
        ),
      ),
      element("tbody", {}, ...body),
    );
  }
}
