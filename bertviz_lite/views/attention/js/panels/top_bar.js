// Which attention is shown: its kind, layer, head or aggregate, and the side.

import { element, setText } from "../../../base/js/elements.js";
import { kindName, sideName } from "../../language/say.js";
import { choice, offer } from "../../../base/js/parts/controls.js";
import { say } from "../../language/say.js";

/** @import { ExplorerState } from "../state.js" */

const aggregatesByName = () => ({
  none: say("aggregate_none"),
  "mean heads": say("aggregate_mean_heads"),
  "max heads": say("aggregate_max_heads"),
  "mean all": say("aggregate_mean_all"),
  "max all": say("aggregate_max_all"),
  rollout: say("aggregate_rollout"),
});

export class TopBar {
  /** @param {ExplorerState} state */
  constructor(state) {
    this.state = state;
    const number = (/** @type {string} */ value) => Number(value);
    this.kind = choice(say("attention"), [], state.life, (value) => state.setKind(value));
    this.layer = choice(say("layer"), [], state.life, (value) => state.set({ layer: number(value) }));
    this.head = choice(say("head_choice"), [], state.life, (value) => state.choose(state.traits.layer, number(value)));
    this.aggregate = choice(say("weights_of"), [], state.life, (value) => state.set({ aggregate: value }));
    this.sides = element("div", { class: "bvl-sides", role: "group", "aria-label": say("side") });
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
      names.map((name) => [name, kindName(name)]),
      kind,
    );
    kinds.box.hidden = names.length < 2;
    offer(layers.select, numbers(shape.layers), String(layer));
    offer(heads.select, numbers(shape.heads), String(head));
    offer(
      aggregates.select,
      Object.entries(aggregatesByName()).map(([name, text]) => [name, text, name === "rollout" && Boolean(shape.keys)]),
      aggregate,
    );
    heads.select.disabled = aggregate !== "none";
    layers.select.disabled = aggregate.endsWith(" all");
    this.drawSides();
    setText(this.busy, busy && !this.state.asker.busy ? say("running") : "");
  }

  drawSides() {
    const { sides } = this;
    const { _meta: meta, side } = this.state.traits;
    const no = this.state.noDifference();
    const options =
      meta.sides.length < 2 && !meta.can_run
        ? []
        : [
            ["first", sideName(meta.sides[0].name)],
            ["second", sideName(meta.sides[1]?.name ?? "after")],
            ["both", say("both")],
            ["difference", say("difference")],
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
