// All layers and heads as small pictures: a click or an arrow key chooses one.

import { element, setAttributes, setText } from "../../../base/js/elements.js";
import { onKeys } from "../../../base/js/keys.js";
import { formatPercent } from "../../../base/js/numbers.js";
import { makeSwitch } from "../../../base/js/parts/switch.js";
import { Overview } from "../canvas/overview.js";
import { decodeCodes } from "../weights/codes.js";
import { headOfKey, moveAfterKey } from "../weights/moves.js";
import { say } from "../../language/say.js";

/** @import { ExplorerState } from "../state.js" */

export class HeadMap {
  /** @param {ExplorerState} state */
  constructor(state) {
    this.state = state;
    this.overview = new Overview();
    /** The head under the pointer. @type {{layer: number, head: number} | null} */
    this.pointed = null;
    /** Where the mouse is, in the window. @type {{x: number, y: number} | null} */
    this.mouse = null;
    this.hint = element("p", { class: "bvl-thumb-readout bvl-facts", "aria-live": "polite" });
    this.note = element("p", { class: "bvl-soft bvl-small" });
    this.clicks = makeSwitch(
      state.life,
      say("clicks"),
      ["show", "off"],
      (name) => {
        state.isSwitching = name !== "show";
        state.soon("focus");
      },
      [say("click_show"), say("click_off")],
    );
    this.mode = element("span", { class: "bvl-clicks" }, element("span", { class: "bvl-soft" }, say("click")));
    this.mode.append(this.clicks.box);
    this.title = element(
      "div",
      { class: "bvl-heads-title" },
      element("h4", { class: "bvl-title" }, say("heads")),
      this.mode,
    );
    this.boxes = [this.title, this.overview.box, this.hint, this.note];
    const { box } = this.overview;
    state.life.listen(box, "pointermove", (event) => {
      if (event.pointerType === "touch") return;
      this.pointed = this.at(event);
      this.mouse = { x: event.clientX, y: event.clientY };
      state.soon("focus");
    });
    state.life.listen(box, "pointerleave", () => {
      this.pointed = null;
      this.mouse = null;
      state.soon("focus");
    });
    state.life.listen(box, "click", (event) => {
      const at = this.at(event);
      if (!at) return;
      if (state.isSwitching && state.canSwitch) state.switchHead(at.layer, at.head);
      else state.choose(at.layer, at.head);
    });
    const press = (/** @type {KeyboardEvent} */ { key, code, shiftKey }) => {
      const { layers, heads } = state.shape();
      const at = { layer: state.traits.layer, head: state.traits.head, query: 0, key: 0 };
      if (state.canSwitch && !shiftKey) {
        const own = headOfKey(code, { layers, heads });
        const switched = key === " " ? at : own;
        if (switched) state.switchHead(switched.layer, switched.head);
        if (switched) return true;
      }
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
    const { layer, head, heads, aggregate, kind, side, _meta: meta, _version: version } = this.state.traits;
    const { theme } = this.state;
    const sides = this.state.sides();
    const shape = this.state.shape();
    const { layers, heads: count, thumb } = shape;
    this.mode.hidden = !this.state.canSwitch;
    this.clicks.show(this.state.isSwitching ? "off" : "show");
    const room = width < 44 * theme.size ? width - 2.2 * theme.size : 24 * theme.size;
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
      off: kind === Object.keys(meta.sides[0].kinds)[0] ? this.state.off : [],
      pointed: this.pointed,
    });
    const { box, canvas } = this.overview;
    const name = say("layers_by_heads", { layers, count });
    setAttributes(box, {
      "aria-label": say("map_label", { name, layer, head }),
    });
    setAttributes(canvas, { "aria-label": say("small_pictures", { name }) });
    this.drawFacts();
    const which = difference ? say("small_difference") : "";
    setText(this.note, which);
    this.note.hidden = which === "";
  }

  /** What is known of the head that is pointed at, else of the chosen one, on every side that is shown. */
  drawFacts() {
    const { layer, head } = this.pointed ?? this.state.traits;
    const stats = this.state.sides().map((side) => this.state.stats(side, layer, head));
    if (stats.every((figures) => figures === null)) return;
    const joined = this.state.traits.words;
    const key = JSON.stringify([layer, head, this.state.sides(), stats, joined]);
    if (this.hint.dataset.key === key) return;
    this.hint.dataset.key = key;
    const both = (/** @type {(s: number[]) => string} */ format) =>
      stats.map((figures) => (figures ? format(figures) : "–")).join(" → ");
    const fact = (/** @type {string} */ name, /** @type {string} */ value, /** @type {string} */ meaning) => [
      element("span", { class: "bvl-soft", title: meaning }, name),
      element("b", {}, value),
    ];
    const far = fact(
      say("mean_distance"),
      both(([, tokens]) => (Number.isNaN(tokens) ? "–" : tokens.toFixed(1))),
      say("mean_distance_title"),
    );
    this.hint.replaceChildren(
      // The numbers are of tokens, as the small pictures are, also where the large map joins them to words.
      ...(joined ? fact(say("by_token"), "", say("by_token_title")) : []),
      ...fact(
        say("entropy_bits"),
        both(([bits]) => bits.toFixed(2)),
        say("entropy_title"),
      ),
      ...(this.state.shape().keys ? [] : far),
      ...fact(
        say("special_share"),
        `${both(([, , special]) => formatPercent(special).replace("\u00a0%", ""))}\u00a0%`,
        say("special_share_title"),
      ),
    );
  }

  /** What the tip says: the head that is pointed at. @returns {string[]} */
  get tip() {
    if (!this.pointed || !this.mouse) return [];
    const { layer, head } = this.pointed;
    const off = this.state.off.some((/** @type {number[]} */ [l, h]) => l === layer && h === head);
    const stats = this.state.stats(this.state.sides()[0], layer, head);
    const name = say(off ? "head_off" : "layer_head", { layer, head });
    if (this.state.isSwitching && this.state.canSwitch) return [say(off ? "tip_on" : "tip_off", { head: name })];
    return [stats ? say("tip_entropy", { head: name, bits: stats[0].toFixed(2) }) : name];
  }
}
