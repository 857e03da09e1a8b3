// What the colours mean, and buttons that enlarge the matrix.

import { element, setText } from "../../../base/js/elements.js";
import { FAINTEST } from "../canvas/ribbons.js";
import { tick } from "../../../base/js/parts/controls.js";
import { css } from "../weights/colours.js";
import { say } from "../../language/say.js";

/** @import { Stages } from "../stages.js" */
/** @import { ExplorerState } from "../state.js" */

export class Scale {
  /**
   * @param {ExplorerState} state
   * @param {Stages} stages
   */
  constructor(state, stages) {
    this.state = state;
    this.stages = stages;
    this.bar = element("div", { class: "bvl-scale-bar", "aria-hidden": "true" });
    this.ticks = element("div", { class: "bvl-scale-ticks bvl-soft" });
    this.text = element("span", { class: "bvl-soft bvl-scale-text" });
    this.out = /** @type {HTMLButtonElement} */ (
      element("button", { type: "button", "aria-label": say("matrix_smaller") }, "−")
    );
    this.all = /** @type {HTMLButtonElement} */ (
      element("button", { type: "button", "aria-label": say("whole_matrix") }, say("whole"))
    );
    this.into = /** @type {HTMLButtonElement} */ (
      element("button", { type: "button", "aria-label": say("matrix_larger") }, "+")
    );
    state.life.listen(this.out, "click", () => stages.zoom((zoom) => zoom / 1.6));
    state.life.listen(this.all, "click", () => stages.zoom(() => 1));
    state.life.listen(this.into, "click", () => stages.zoom((zoom) => zoom * 1.6));
    this.zoom = element(
      "span",
      { class: "bvl-zoom", role: "group", "aria-label": say("matrix_size") },
      this.out,
      this.all,
      this.into,
    );
    this.half = tick(say("only_half"), state.life, (on) => {
      state.isHalf = on;
      state.soon("all");
    });
    this.half.box.title = say("only_half_title");
    this.box = element(
      "div",
      { class: "bvl-scale" },
      element("div", { class: "bvl-scale-picture" }, this.bar, this.ticks),
      this.text,
      this.half.box,
      this.zoom,
    );
  }

  draw() {
    const { theme } = this.state;
    const [stage] = this.stages.list;
    const signed = stage?.picture.signed ?? false;
    const faintest = this.state.ribbonHeads().length > 1 ? FAINTEST.several : FAINTEST.single;
    const key = [signed, theme.key, this.state.traits.renormalise, faintest].join();
    if (this.box.dataset.key !== key) {
      this.box.dataset.key = key;
      const table = signed ? theme.signedTable : theme.unsignedTable;
      const stops = Array.from({ length: 17 }, (_, i) => {
        const value = table[Math.min(255, Math.max(signed ? 1 : 0, i * 16))];
        return css([value & 255, (value >> 8) & 255, (value >> 16) & 255]);
      });
      this.bar.style.background = `linear-gradient(to right, ${stops.join()})`;
      const marks = signed ? [-1, -0.25, 0, 0.25, 1] : [0, 0.1, 0.25, 0.5, 1];
      this.ticks.replaceChildren(
        ...marks.map((value) => {
          const place = signed ? 0.5 + (Math.sign(value) * Math.sqrt(Math.abs(value))) / 2 : Math.sqrt(value);
          return element(
            "span",
            { style: `inset-inline-start:${(100 * place).toFixed(1)}%` },
            String(value).replace("-", "−"),
          );
        }),
      );
      this.text.title = say("scale_title", { faintest });
      setText(
        this.text,
        signed ? say("scale_difference") : this.state.traits.renormalise ? say("scale_share") : say("scale_weight"),
      );
    }
    this.half.box.hidden = !this.state.isLong || this.stages.panels === "matrix";
    this.half.input.checked = this.state.showsHalf;
    if (!stage) return;
    const { matrix } = stage;
    this.zoom.hidden = !stage.picture.ready || this.stages.panels === "ribbons" || !matrix.canZoom(theme);
    const atLeast = matrix.cell <= matrix.fitCell + 0.26;
    this.out.disabled = atLeast;
    this.all.disabled = atLeast;
    this.into.disabled = matrix.cell >= 2 * theme.size;
  }
}
