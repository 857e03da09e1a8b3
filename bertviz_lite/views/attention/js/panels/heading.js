// What is drawn, in words: its name, and what an aggregate may and may not claim.

import { element, setText } from "../../../base/js/elements.js";
import { say } from "../../language/say.js";

/** @import { ExplorerState } from "../state.js" */

/** What each aggregate may and may not claim. @returns {Record<string, string>} */
const claims = () => ({
  "mean heads": say("claim_mean_heads"),
  "max heads": say("claim_max_heads"),
  "mean all": say("claim_mean_all"),
  "max all": say("claim_max_all"),
  rollout: say("claim_rollout"),
});

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
      none: say("title_head", { layer, head }),
      "mean heads": say("title_mean_heads", { layer }),
      "max heads": say("title_max_heads", { layer }),
      "mean all": say("title_mean_all"),
      "max all": say("title_max_all"),
      rollout: say("title_rollout", { layer }),
    };
    setText(this.heading, titles[/** @type {keyof typeof titles} */ (aggregate)]);
    setText(this.claim, claims()[aggregate] ?? "");
    this.claim.hidden = aggregate === "none";
  }
}
