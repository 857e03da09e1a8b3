// All layers and heads as small pictures: a click or an arrow key chooses one.

import { element, setAttributes, setText } from "../../../base/js/elements.js";
import { onKeys } from "../../../base/js/keys.js";
import { Overview } from "../canvas/overview.js";
import { decodeCodes } from "../weights/codes.js";
import { moveAfterKey } from "../weights/moves.js";

/** @import { ExplorerState } from "../state.js" */

export class HeadMap {
  /** @param {ExplorerState} state */
  constructor(state) {
    this.state = state;
    this.overview = new Overview();
    /** The head under the pointer. @type {{layer: number, head: number} | null} */
    this.pointed = null;
    this.hint = element("p", { class: "bvl-thumb-readout bvl-soft", "aria-live": "polite" });
    this.note = element("p", { class: "bvl-soft bvl-small" });
    this.boxes = [this.overview.box, this.hint, this.note];
    const { box } = this.overview;
    state.life.listen(box, "pointermove", (event) => {
      const at = this.at(event);
      if (at?.layer === this.pointed?.layer && at?.head === this.pointed?.head) return;
      this.pointed = at;
      state.soon("focus");
    });
    state.life.listen(box, "pointerleave", () => {
      this.pointed = null;
      state.soon("focus");
    });
    state.life.listen(box, "click", (event) => {
      const at = this.at(event);
      if (at) state.choose(at.layer, at.head);
    });
    const press = (/** @type {KeyboardEvent} */ { key }) => {
      const { layers, heads } = state.shape();
      const at = { layer: state.traits.layer, head: state.traits.head, query: 0, key: 0 };
      const to = moveAfterKey(key, true, at, { layers, heads, queries: 1, keys: 1 });
      if (to) state.choose(to.layer, to.head);
      return to !== null;
    };
    onKeys(state.life, box, press, { shift: true });
  }

  /** @param {PointerEvent} event */
  at(event) {
    const { left, top } = this.overview.canvas.getBoundingClientRect();
    const { layers, heads } = this.state.shape();
    return this.overview.at(event.clientX - left, event.clientY - top, layers, heads);
  }

  /** @param {number} width of the page */
  draw(width) {
    const {
      layer,
      head,
      heads,
      aggregate,
      heads_off: off,
      kind,
      side,
      _meta: meta,
      _version: version,
    } = this.state.traits;
    const { theme } = this.state;
    const sides = this.state.sides();
    const shape = this.state.shape();
    const { layers, heads: count, thumb } = shape;
    const room = width < 56 * theme.size ? width - 2.2 * theme.size : 24 * theme.size;
    this.overview.layout({ layers, heads: count, room, theme });
    const other = this.state.shape(sides[sides.length - 1]);
    const difference =
      side === "difference" &&
      sides.length > 1 &&
      other.layers === layers &&
      other.heads === count &&
      other.thumb.join() === thumb.join();
    const block = this.state.store.want(`${sides[0]}/${kind}/thumbs`);
    const second = difference ? this.state.store.want(`1/${kind}/thumbs`) : null;
    if (!block || (difference && !second)) return;
    const key = [version, sides, kind, difference, theme.key].join();
    if (key !== this.overview.key) {
      this.overview.key = key;
      const codes = decodeCodes(/** @type {DataView} */ (second ?? block));
      this.overview.paintPictures({
        codes,
        minus: second ? decodeCodes(block) : null,
        layers,
        heads: count,
        size: thumb,
        theme,
      });
    }
    const all = aggregate.endsWith(" all")
      ? "all"
      : aggregate === "rollout"
        ? "up to"
        : aggregate === "none"
          ? ""
          : "layer";
    this.overview.paint({
      layers,
      heads: count,
      size: thumb,
      theme,
      chosen: { layer, head, heads: all ? [] : heads, all },
      off: kind === Object.keys(meta.sides[0].kinds)[0] ? off : [],
      pointed: this.pointed,
    });
    const { box, canvas } = this.overview;
    const name = `${layers} layers by ${count} heads`;
    setAttributes(box, {
      "aria-label":
        `${name}. Arrow keys choose: up and down the layer, left and right the head. ` +
        `Now layer ${layer}, head ${head}.`,
    });
    setAttributes(canvas, { "aria-label": `Small pictures of the attention of ${name}` });
    const at = this.pointed ?? { layer, head };
    const stats = this.state.stats(sides[0], at.layer, at.head);
    if (stats) {
      const far = Number.isNaN(stats[1]) ? "" : `, mean distance ${stats[1].toFixed(1)}`;
      setText(this.hint, `layer ${at.layer}, head ${at.head}: entropy ${stats[0].toFixed(2)} bits${far}`);
    }
    const which =
      meta.sides.length > 1
        ? difference
          ? "difference of the small pictures"
          : `of “${meta.sides[sides[0]].name}”`
        : "";
    setText(this.note, ["rows: layers, columns: heads", which].filter(Boolean).join("; "));
  }
}
