// Which attention is shown: its kind, layer, head or aggregate, and the side.

import { element, setText } from "../../../base/js/elements.js";
import { choice, offer } from "../../../base/js/parts/controls.js";

/** @import { ExplorerState } from "../state.js" */

const AGGREGATES = {
  none: "one head",
  "mean heads": "the layer: mean",
  "max heads": "the layer: largest",
  "mean all": "all layers: mean",
  "max all": "all layers: largest",
  rollout: "rollout to the layer",
};

export class TopBar {
  /** @param {ExplorerState} state */
  constructor(state) {
    this.state = state;
    const number = (/** @type {string} */ value) => Number(value);
    this.kind = choice("Attention", [], state.life, (value) => state.setKind(value));
    this.layer = choice("Layer", [], state.life, (value) => state.set({ layer: number(value) }));
    this.head = choice("Head", [], state.life, (value) => state.choose(state.traits.layer, number(value)));
    this.aggregate = choice("Weights of", [], state.life, (value) => state.set({ aggregate: value }));
    this.sides = element("div", { class: "bvl-sides", role: "group", "aria-label": "Side" });
    state.life.listen(this.sides, "click", (event) => {
      const side = event.target.closest("button")?.dataset.side;
      if (side) state.set({ side });
    });
    this.busy = element("span", { class: "bvl-busy", role: "status" });
    this.box = element(
      "div",
      { class: "bvl-controls bvl-top-bar" },
      this.kind.box,
      this.layer.box,
      this.head.box,
      this.aggregate.box,
      this.sides,
      this.busy,
    );
  }

  draw() {
    const { _meta: meta, kind, layer, head, aggregate, _busy: busy } = this.state.traits;
    const { kind: kinds, layer: layers, head: heads, aggregate: aggregates } = this;
    const shape = this.state.shape();
    const numbers = (/** @type {number} */ count) =>
      Array.from({ length: count }, (_, i) => /** @type {[string, string]} */ ([String(i), String(i)]));
    const names = Object.keys(meta.sides[0].kinds).filter((name) =>
      meta.sides.every((/** @type {any} */ side) => side.kinds[name]),
    );
    offer(
      kinds.select,
      names.map((name) => [name, name]),
      kind,
    );
    kinds.box.hidden = names.length < 2;
    offer(layers.select, numbers(shape.layers), String(layer));
    offer(heads.select, numbers(shape.heads), String(head));
    offer(
      aggregates.select,
      Object.entries(AGGREGATES).map(([name, text]) => [name, text, name === "rollout" && Boolean(shape.keys)]),
      aggregate,
    );
    heads.select.disabled = aggregate !== "none";
    layers.select.disabled = aggregate.endsWith(" all");
    this.drawSides();
    setText(this.busy, busy && !this.state.asker.busy ? "the model is running …" : "");
  }

  drawSides() {
    const { sides } = this;
    const { _meta: meta, side } = this.state.traits;
    const no = this.state.noDifference();
    const options =
      meta.sides.length < 2 && !meta.can_run
        ? []
        : [
            ["first", meta.sides[0].name],
            ["second", meta.sides[1]?.name ?? "after"],
            ["both", "both"],
            ["difference", "difference"],
          ];
    const key = JSON.stringify([options, no]);
    if (sides.dataset.key !== key) {
      sides.dataset.key = key;
      sides.replaceChildren(
        ...options.map(([name, text]) =>
          element(
            "button",
            {
              type: "button",
              "data-side": name,
              disabled: name === "difference" && no !== "",
              title: name === "difference" && no ? no : null,
            },
            text,
          ),
        ),
      );
    }
    // Where a change can be made, its place is kept: what is below must not move when it comes.
    sides.hidden = options.length === 0;
    sides.classList.toggle("bvl-absent", meta.sides.length < 2);
    for (const button of sides.children)
      button.setAttribute("aria-pressed", String(/** @type {HTMLElement} */ (button).dataset.side === side));
  }
}
