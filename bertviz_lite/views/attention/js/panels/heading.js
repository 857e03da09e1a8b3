// What is drawn, in words: its name, and what an aggregate may and may not claim.

import { element, setText } from "../../../base/js/elements.js";

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
    this.claim = element("p", { class: "bvl-claim" });
  }

  /** What is drawn. */
  get title() {
    return this.heading.textContent ?? "";
  }

  draw() {
    const { layer, head, aggregate } = this.state.traits;
    const titles = {
      none: `Layer ${layer}, head ${head}`,
      "mean heads": `Layer ${layer}, mean of its heads`,
      "max heads": `Layer ${layer}, largest of its heads`,
      "mean all": "Mean of all layers and heads",
      "max all": "Largest of all layers and heads",
      rollout: `Rollout from the input to layer ${layer}`,
    };
    setText(this.heading, titles[/** @type {keyof typeof titles} */ (aggregate)]);
    setText(this.claim, CLAIMS[aggregate] ?? "");
    this.claim.hidden = aggregate === "none";
  }
}
