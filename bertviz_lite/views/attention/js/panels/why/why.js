// Why the pair that is pointed at has its weight, or why that cannot be said.

import { numbersOf } from "../../exact.js";
import { WEIGHTS, decodeCodes, drawnWeight, formatWeight } from "../../weights/codes.js";
import { explain, productOf } from "../../weights/explain.js";
import { sideName } from "../../../language/say.js";
import { WhyPicture } from "./why_picture.js";
import { say } from "../../../language/say.js";

/** @import { Stages } from "../../stages.js" */
/** @import { ExplorerState } from "../../state.js" */

export class WhyPanel {
  /**
   * @param {ExplorerState} state
   * @param {Stages} stages
   */
  constructor(state, stages) {
    this.state = state;
    this.stages = stages;
    this.picture = new WhyPicture(state.life, (key) => {
      const side = this.stages.current?.side ?? 0;
      state.set({ query: state.axis(side, "queries").starts[this.query], key: state.axis(side, "keys").starts[key] });
    });
    /** The query that is shown. */
    this.query = 0;
    /** What is shown now. */
    this.key = "";
  }

  get box() {
    return this.picture.box;
  }

  /** @param {string} text */
  say(text) {
    this.key = text;
    this.picture.say(text);
  }

  draw() {
    const { _meta: meta, kind, layer, head, aggregate, words, query: pinnedQuery, key: pinnedKey } = this.state.traits;
    const { store } = this.state;
    const current = this.stages.current;
    const side = (current ?? this.stages.list[0]?.picture)?.side ?? 0;
    const shape = this.state.shape(side);
    if (!shape || !shape.why)
      return this.say(meta.live || !meta.sides[side].model ? say("why_only_weights") : say("why_not_stored"));
    if (aggregate !== "none") return this.say(say("why_aggregate"));
    if (words) return this.say(say("why_words"));
    const focus = current ? this.state.focus(current) : { query: pinnedQuery, key: pinnedKey };
    const pair = focus.query !== null && focus.key !== null ? focus : this.state.last;
    const [axisQ, axisK] = [this.state.axis(side, "queries"), this.state.axis(side, "keys")];
    const { query, key } = pair;
    if (query === null || key === null || query >= axisQ.size || key >= axisK.size) return this.say(say("why_point"));
    const name = `${side}/${kind}/why/${layer}/${head}`;
    if (!store.blocks.has(name)) return this.say(say("why_not_stored"));
    const now = [name, this.state.traits._version, query, key, kind, this.state.theme.key].join();
    if (now === this.key) return;
    const block = store.want(name);
    if (!block) {
      if (store.failed.has(name)) this.say(store.failed.get(name) ?? "");
      return;
    }
    this.key = now;
    const scaling = shape.scaling[layer];
    const sizes = { queries: axisQ.size, keys: axisK.size, size: shape.head_size, scaling };
    const reason = explain(numbersOf(block), sizes, query, key);
    this.query = query;
    const check = this.check(side, query, key, reason.weights[key]);
    if (check.isDrawn && meta.live) this.key = ""; // once the exact weight is here, it stands beside
    this.picture.show(reason, {
      query: axisQ.labels[query],
      key: axisK.labels[key],
      keyAt: key,
      queryAt: query,
      names: axisK.labels,
      layer,
      head,
      side: meta.sides.length > 1 ? sideName(meta.sides[side].name) : "",
      scaling,
      weight: check.text,
    });
    this.picture.showAll(() => ({
      whys: axisK.labels.map((_, other) => ({
        ...reason,
        key: numbersOf(block).subarray((axisQ.size + other) * sizes.size, (axisQ.size + other + 1) * sizes.size),
        product: productOf(numbersOf(block), sizes, query, other),
      })),
      query: axisQ.labels[query],
      keys: axisK.labels,
      key,
      theme: this.state.theme,
    }));
  }

  /**
   * The model's own weight, to compare: exactly if Python sent it, else as drawn.
   * @param {number} side
   * @param {number} query
   * @param {number} key
   * @param {number} weight as worked out
   */
  check(side, query, key, weight) {
    const { store, traits } = this.state;
    const { kind, layer, head } = traits;
    const exact = store.here.get(`${side}/${kind}/exact/${layer}/${head}/${query}`);
    if (exact) {
      const own = exact.getFloat32(4 * key, true);
      const error = Math.abs(own - weight)
        .toExponential(0)
        .replace("-", "−");
      return { text: say("own_weight", { weight: formatWeight(own, true), error }), isDrawn: false };
    }
    const block = store.here.get(`${side}/${kind}/layer/${layer}`);
    if (!block) return { text: "", isDrawn: true };
    const [queries, keys] = [this.state.axis(side, "queries").size, this.state.axis(side, "keys").size];
    const drawn = WEIGHTS[decodeCodes(block)[(head * queries + query) * keys + key]];
    const text = say("own_weight_drawn", { weight: drawnWeight(drawn, 1) });
    return { text, isDrawn: true };
  }
}
