// The readout: the pair that is pointed at and its weight, in words.

import { sayCommon } from "../../../base/js/language/common.js";
import { element, setText } from "../../../base/js/elements.js";
import { formatPercent } from "../../../base/js/numbers.js";
import { canBeExact, exactRow, weightOf } from "../exact.js";
import { readable } from "../weights/axis.js";
import { formatWeight } from "../weights/codes.js";
import { isOpen } from "../weights/filters.js";
import { entropy } from "../weights/readers.js";
import { say } from "../../language/say.js";

/** @import { Picture } from "../canvas/scene.js" */
/** @import { Stages } from "../stages.js" */
/** @import { ExplorerState } from "../state.js" */
/** @import { Axis } from "../weights/axis.js" */
/** @import { Heading } from "./heading.js" */

const RESTING_MS = 60; // before exact weights are asked for

export class Readout {
  /**
   * @param {ExplorerState} state
   * @param {Stages} stages
   * @param {Heading} heading
   */
  constructor(state, stages, heading) {
    this.state = state;
    this.stages = stages;
    this.heading = heading;
    this.text = element("p", { class: "bvl-readout bvl-to-hold", "aria-live": "polite", "aria-atomic": "true" });
    this.detail = element("p", { class: "bvl-detail bvl-soft bvl-to-hold" });
    this.box = element("div", {}, this.text);
    /** The same, short, for beside the pointer. @type {(Node | string)[]} */
    this.tip = [];
    this.exactFor = "";
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.resting = undefined;
    state.life.endings.push(() => clearTimeout(this.resting));
  }

  /** What is pointed at, in words; empty if it is nothing. */
  get pointed() {
    return this.tip.length > 0 ? (this.text.textContent ?? "") : "";
  }

  draw() {
    const { state } = this;
    const picture = this.stages.current;
    if (!picture) return;
    const { query, key } = state.focus(picture);
    this.tip = [];
    if (query !== null) this.wantExact(picture, query);
    if (query !== null && key !== null) {
      state.last = { query, key };
      this.sayPair(picture, query, key);
    } else if (query !== null) {
      const name = tokenName(picture.rows, query);
      this.say([say("query_before"), name, say("place", { place: this.place })], this.detailOf(picture, query, null));
      this.tip = [say("query_before"), name];
    } else if (key !== null) {
      this.sayKey(picture, key);
    } else {
      this.say([say("how_to_point")], "");
    }
  }

  /** Which weights they are. */
  get place() {
    const { layer, head, aggregate } = this.state.traits;
    const { title } = this.heading;
    return aggregate === "none"
      ? say("layer_head_chip", { layer, name: head })
      : title[0].toLowerCase() + title.slice(1);
  }

  /**
   * Ask for exact weights once the reader stays somewhere.
   * @param {Picture} picture
   * @param {number} query
   */
  wantExact(picture, query) {
    const { state } = this;
    const { layer, head, aggregate, kind, words, _version: version } = state.traits;
    if (aggregate !== "none" || !canBeExact(state, picture.side)) return;
    const shown = this.stages.ready.filter(({ rows }) => query < rows.size).map(({ side }) => side);
    const sides = picture.signed ? [0, 1] : shown;
    const place = [sides, kind, layer, head, query, words, version].join();
    if (place === this.exactFor) return;
    this.exactFor = place;
    clearTimeout(this.resting);
    this.resting = setTimeout(() => {
      for (const side of sides)
        if (query < state.axis(side, "queries").size) exactRow(state, { side, head, row: query, ask: true });
      state.soon("focus");
    }, RESTING_MS);
  }

  /**
   * @param {Picture} picture
   * @param {number} query
   * @param {number} key
   */
  sayPair(picture, query, key) {
    const { layer, head, aggregate } = this.state.traits;
    const shown = this.stages.ready.filter(({ rows, columns }) => query < rows.size && key < columns.size);
    const pair = (/** @type {Picture} */ { rows, columns }) => [
      tokenName(rows, query),
      " → ",
      tokenName(columns, key),
      " ",
    ];
    const same = shown.every(
      ({ rows, columns }) =>
        rows.tokens[query] === picture.rows.tokens[query] && columns.tokens[key] === picture.columns.tokens[key],
    );
    const weights = shown.flatMap((each, i) => [
      i > 0 ? ", " : "",
      shown.length > 1 ? `${each.name} ` : "",
      ...(same ? [] : pair(each)),
      weightOf(this.state, each, head, query, key),
    ]);
    let end = aggregate === "none" ? say("at_layer_head", { layer, head }) : say("place", { place: this.place });
    if (shown.length > 1) end = ""; // two weights fill the line
    this.tip = [...(same ? pair(picture) : []), ...weights];
    this.say([...this.tip, end], this.detailOf(picture, query, key));
  }

  /**
   * @param {Picture} picture
   * @param {number} key
   */
  sayKey(picture, key) {
    const { rows, columns, signed } = picture;
    const row = new Float32Array(columns.size);
    let sum = 0;
    for (let query = 0; query < rows.size; query += 1) {
      picture.read(this.state.traits.head, query, row);
      sum += row[key] || 0;
    }
    const name = tokenName(columns, key);
    const at = columns.starts[key];
    this.say(
      [say("key_before"), name, say("place", { place: this.place })],
      signed ? say("key_at", { at }) : say("key_sum", { at, sum: sum.toFixed(2), count: rows.size }),
    );
    this.tip = [say("key_before"), name];
  }

  /** @param {(Node | string)[]} parts @param {string} detail */
  say(parts, detail) {
    // Said anew only if it is new: a screen reader reads all of it.
    const text = parts.map((part) => (typeof part === "string" ? part : part.textContent)).join("");
    if (this.text.textContent !== text) this.text.replaceChildren(...parts);
    this.text.title = text;
    setText(this.detail, detail || "\u00a0");
  }

  /**
   * More about a query's row: its sum, its entropy, what is hidden of it, and the other heads that are drawn.
   * @param {Picture} picture
   * @param {number} query
   * @param {number | null} key
   */
  detailOf(picture, query, key) {
    const { rows, columns } = picture;
    const pins = this.state.pins(picture);
    const isPinned = query === pins.query && key === pins.key;
    const at = { query: rows.starts[query], key: columns.starts[key ?? 0] };
    const place = say(key === null ? "query_at" : "query_key_at", at);
    const parts = [isPinned ? say("pinned", { place }) : place];
    if (!picture.signed) parts.push(...this.rowParts(picture, query));
    const heads = this.state.ribbonHeads();
    if (key !== null && heads.length > 1) {
      const row = new Float32Array(columns.size);
      const weights = heads.map(({ head }) => {
        picture.read(head, query, row);
        return { head, weight: row[key] };
      });
      weights.sort((a, b) => Math.abs(b.weight) - Math.abs(a.weight));
      const texts = weights.map(({ head, weight }) => `${head}: ${formatWeight(weight, false, picture.signed)}`);
      parts.push(say("by_head", { weights: texts.slice(0, 6).join(sayCommon("comma")) }));
    }
    return parts.join(" · ");
  }

  /**
   * @param {Picture} picture
   * @param {number} query
   */
  rowParts(picture, query) {
    const { head, aggregate } = this.state.traits;
    const row = new Float32Array(picture.columns.size);
    const shares = picture.read(head, query, row);
    if (shares.hidden) return [say("query_hidden")];
    const { total, special, direction, small } = shares;
    const exact = exactRow(this.state, { side: picture.side, head, row: query });
    const shown = exact ?? row;
    const left = shown.reduce((sum, weight) => sum + (weight || 0), 0);
    const open = isOpen(this.state.filter());
    const drawn = say("drawn_of", { drawn: (total - special - direction - small).toFixed(2), total: total.toFixed(2) });
    const parts = [open ? say("row_sum", { sum: left.toFixed(exact ? 3 : 2) }) : drawn];
    const hidden = [];
    if (special > 5e-4) hidden.push(say("on_special", { share: formatPercent(special / total) }));
    if (direction > 5e-4) hidden.push(say("other_direction", { share: formatPercent(direction / total) }));
    if (small > 5e-4) hidden.push(say("too_small", { share: formatPercent(small / total) }));
    if (hidden.length > 0) parts.push(say("hidden_list", { hidden: hidden.join(sayCommon("comma")) }));
    if (!aggregate.startsWith("max"))
      parts.push(say(open ? "entropy" : "entropy_drawn", { bits: entropy(shown).toFixed(2) }));
    return parts;
  }
}

/** @param {Axis} axis @param {number} i */
function tokenName(axis, i) {
  const token = axis.tokens[i];
  return element("bdi", { class: "bvl-token-name", title: token.slice(0, 200) }, readable(token, 60));
}
