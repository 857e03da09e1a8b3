// Chips: which heads are drawn together as ribbons.

import { element, setAttributes, setText } from "../../../base/js/elements.js";
import { css, headColour } from "../weights/colours.js";
import { toggleHead } from "../weights/moves.js";
import { say } from "../../language/say.js";

/** @import { ExplorerState } from "../state.js" */

export class HeadChips {
  /** @param {ExplorerState} state */
  constructor(state) {
    this.state = state;
    this.chips = element("div", { class: "bvl-chips", role: "group", "aria-label": say("ribbons_heads") });
    this.box = element(
      "div",
      { class: "bvl-heads" },
      element("span", { class: "bvl-soft" }, say("ribbons_of")),
      this.chips,
    );
    this.state.life.listen(this.chips, "click", (event) => {
      const chip = event.target.closest("button")?.dataset.head;
      if (chip === undefined) return;
      const { heads, head } = this.state.traits;
      const all = Array.from({ length: this.state.shape().heads }, (_, i) => i);
      if (chip === "all") this.state.set({ heads: all });
      else if (chip === "one") this.state.set({ heads: [] });
      else {
        const next = toggleHead(heads, head, Number(chip));
        this.state.set({ heads: next.length === 1 && next[0] === head ? [] : next });
      }
    });
  }

  draw() {
    const { heads, head, aggregate, layer } = this.state.traits;
    const { heads: count } = this.state.shape();
    const theme = this.state.theme;
    this.box.hidden = aggregate !== "none" || count < 2;
    const key = [count, theme.key].join();
    if (this.chips.dataset.key !== key) {
      this.chips.dataset.key = key;
      const chip = (/** @type {number} */ i) =>
        element(
          "button",
          { type: "button", "data-head": i, class: "bvl-chip" },
          element("span", {
            class: "bvl-dot",
            style: `--bvl-mark:${css(headColour(i, count, theme.dark))}`,
            "aria-hidden": "true",
          }),
          String(i),
        );
      this.chips.replaceChildren(
        ...Array.from({ length: count }, (_, i) => chip(i)),
        element("button", { type: "button", "data-head": "all" }, say("all")),
        element("button", { type: "button", "data-head": "one" }),
      );
    }
    const on = heads.length > 0 ? heads : [head];
    this.chips.classList.toggle("bvl-several", on.length > 1);
    for (const button of this.chips.children) {
      const { head: name = "" } = /** @type {HTMLElement} */ (button).dataset;
      if (name === "all") /** @type {HTMLButtonElement} */ (button).disabled = on.length === count;
      else if (name === "one") {
        setText(button, say("only", { head }));
        /** @type {HTMLButtonElement} */ (button).disabled = on.length === 1 && on[0] === head;
      } else
        setAttributes(button, {
          "aria-pressed": String(on.includes(Number(name))),
          "aria-label": say("head", { name }),
          title: say("layer_head_chip", { layer, name }),
        });
    }
  }
}
