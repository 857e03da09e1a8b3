// What is drawn, in words: its name, its figures, and what an aggregate may and may not claim.

import { element, setText } from "../../../base/js/elements.js";
import { formatPercent } from "../../../base/js/numbers.js";

/** @import { ExplorerState } from "../state.js" */

/** What each aggregate may and may not claim. @type {Record<string, string>} */
const CLAIMS = {
  "mean heads":
    "Mean of the heads of this layer: rows sum to one. It tells where the layer looks on average; no single head " +
    "need look there.",
  "max heads":
    "Largest weight of any head of this layer: some head looks there. Rows do not sum to one, so these are no " +
    "shares of anything.",
  "mean all":
    "Mean of all heads of all layers: rows sum to one. It tells where the model looks on average; what matters " +
    "may be in one head that the mean drowns.",
  "max all":
    "Largest weight of any head of any layer: some head looks there. Rows do not sum to one, so these are no " +
    "shares of anything.",
  rollout:
    "Attention rollout (Abnar & Zuidema 2020): the layers’ mean weights, each mixed half and half with the " +
    "identity, multiplied up to this layer. It assumes that all heads count alike, that the residual carries " +
    "half, and that values, LayerNorm and feed-forward parts change nothing: a rough flow between tokens, not a " +
    "cause.",
};

export class Heading {
  /** @param {ExplorerState} state */
  constructor(state) {
    this.state = state;
    this.heading = element("h4", { class: "bvl-heading" });
    this.facts = element("p", { class: "bvl-facts" });
    this.claim = element("p", { class: "bvl-claim" });
    /** The same without the heads that are drawn together. */
    this.name = "";
    this.boxes = [this.heading, this.facts, this.claim];
  }

  /** What is drawn. */
  get title() {
    return this.heading.textContent ?? "";
  }

  draw() {
    const { layer, head, heads, aggregate, kind, _meta: meta } = this.state.traits;
    const several = heads.length > 1 && aggregate === "none";
    const titles = {
      none: `Layer ${layer}, head ${head}`,
      "mean heads": `Layer ${layer}, mean of its heads`,
      "max heads": `Layer ${layer}, largest of its heads`,
      "mean all": "Mean of all layers and heads",
      "max all": "Largest of all layers and heads",
      rollout: `Rollout from the input to layer ${layer}`,
    };
    const title = titles[/** @type {keyof typeof titles} */ (aggregate)];
    const more = several
      ? `; ribbons of ${heads.length === this.state.shape().heads ? "all heads" : `heads ${heads.join(", ")}`}`
      : "";
    this.name = title;
    setText(this.heading, `${title}${more}`);
    setText(this.claim, CLAIMS[aggregate] ?? "");
    this.claim.hidden = aggregate === "none";
    this.facts.hidden = aggregate !== "none";
    if (aggregate !== "none") return;
    const sides = this.state.sides();
    const stats = sides.map((side) => this.state.stats(side, layer, head));
    const both = (/** @type {(s: number[]) => string} */ format) =>
      stats.map((figures) => (figures ? format(figures) : "–")).join(" → ");
    const fact = (/** @type {string} */ name, /** @type {string} */ value, /** @type {string} */ meaning) =>
      element("span", { title: meaning }, element("b", {}, value), ` ${name}`);
    const list = [
      fact(
        "bits entropy",
        both(([bits]) => bits.toFixed(2)),
        "0 bits: every query looks at one key; log2 of the number of keys: at all alike. Mean over the queries.",
      ),
    ];
    if (!this.state.shape().keys)
      list.push(
        fact(
          "tokens mean distance",
          both(([, far]) => (Number.isNaN(far) ? "–" : far.toFixed(1))),
          "How far away the key is, on average.",
        ),
      );
    list.push(
      fact(
        "on special tokens",
        both(([, , special]) => formatPercent(special)),
        "Share of all weight that rests on [CLS], [SEP] and the like.",
      ),
    );
    if (sides.length > 1)
      list.push(element("span", { class: "bvl-soft" }, `${meta.sides[0].name} → ${meta.sides[1].name}`));
    if (kind !== "self") list.push(element("span", { class: "bvl-soft" }, `${kind} attention`));
    this.facts.replaceChildren(...list);
  }
}
