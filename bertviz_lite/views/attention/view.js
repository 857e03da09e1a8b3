// The attention explorer: all heads as small pictures, one head as a matrix and as ribbons, one pair of tokens as why.
// Follows common.js and the parts beside it in one module; see view.py for the traits and for the names of the blocks.

import { Blocks } from "../base/js/blocks.js";
import { viewRoot } from "../base/js/drawn_view.js";
import { element, setAttributes, setText } from "../base/js/elements.js";
import { Life, whenPlaced } from "../base/js/life.js";
import { decodeFloats, formatPercent } from "../base/js/numbers.js";
import { followTheme } from "../base/js/theme.js";
import { FAINTEST, MatrixPanel, Overview, RibbonPanel, Ruler, css, readTheme } from "./canvas.js";
import { TryPanel, WhyPanel, choice, offer, slide, thresholdAt, tick } from "./panels.js";
import {
  WEIGHTS,
  decodeCodes,
  entropy,
  errorOf,
  explain,
  filterRow,
  formatError,
  formatWeight,
  groupOf,
  headColour,
  headReader,
  headsReader,
  isHidden,
  isOpen,
  makeAxis,
  mergedReader,
  moveAfterKey,
  readable,
  toggleHead,
} from "./weights.js";

/** @import { Extent, Focus, Picture, ScrolledCanvas, Theme } from "./canvas.js" */
/** @import { Axis, Reader } from "./weights.js" */

const AGGREGATES = {
  none: "one head",
  "mean heads": "mean of the layer’s heads",
  "max heads": "largest of the layer’s heads",
  "mean all": "mean of all heads",
  "max all": "largest of all heads",
  rollout: "rollout up to the layer",
};
/** What each aggregate may and may not claim. @type {Record<string, string>} */
const CLAIMS = {
  "mean heads":
    "Mean of the heads of this layer: rows sum to one. It tells where the layer looks on average; no single head need look there.",
  "max heads":
    "Largest weight of any head of this layer: some head looks there. Rows do not sum to one, so these are no shares of anything.",
  "mean all":
    "Mean of all heads of all layers: rows sum to one. It tells where the model looks on average; what matters may be in one head that the mean drowns.",
  "max all":
    "Largest weight of any head of any layer: some head looks there. Rows do not sum to one, so these are no shares of anything.",
  rollout:
    "Attention rollout (Abnar & Zuidema 2020): the layers’ mean weights, each mixed half and half with the identity, multiplied up to this layer. It assumes that all heads count alike, that the residual carries half, and that values, LayerNorm and feed-forward parts change nothing: a rough flow between tokens, not a cause.",
};
const DIRECTIONS = ["all", "A→A", "A→B", "B→A", "B→B"];
const TRAITS = [
  ...[
    "kind",
    "side",
    "layer",
    "head",
    "heads",
    "aggregate",
    "query",
    "key",
    "direction",
    "hide_special",
    "renormalise",
  ],
  ...["threshold", "mass", "words", "edits", "heads_off", "_meta", "_version", "_busy", "_problem", "_predictions"],
];

/** Blocks as the view needs them: there, or asked for. */
class Store {
  /**
   * @param {any} model
   * @param {Life} life
   * @param {() => void} arrived
   */
  constructor(model, life, arrived) {
    this.blocks = new Blocks(model, life);
    this.arrived = () => {
      if (!life.controller.signal.aborted) arrived();
    };
    /** @type {Map<string, DataView>} */
    this.here = new Map();
    /** @type {Map<string, string>} why a block did not come */
    this.failed = new Map();
    /** @type {Set<string>} another set after forget(), so that what comes late is known */
    this.coming = new Set();
    life.endings.push(() => this.forget());
  }

  forget() {
    this.here.clear();
    this.failed.clear();
    this.coming = new Set();
    this.blocks.forget();
  }

  /**
   * A block if it is there; asked for if not.
   * @param {string} name
   * @returns {DataView | null}
   */
  want(name) {
    const { here, coming, failed } = this;
    if (here.has(name) || coming.has(name) || failed.has(name)) return here.get(name) ?? null;
    coming.add(name);
    const take = (/** @type {DataView} */ block) => {
      if (this.coming !== coming) return;
      coming.delete(name);
      failed.delete(name);
      here.set(name, block);
      this.arrived();
    };
    this.blocks.get(name).then(take, (error) => {
      if (this.coming !== coming) return;
      coming.delete(name);
      failed.set(name, error.message);
      this.arrived();
      error.later?.then(take, () => {});
    });
    return null;
  }
}

/**
 * @typedef {object} Stage a picture as ribbons and as a matrix
 * @property {Picture} picture
 * @property {HTMLElement} el
 * @property {HTMLElement} title
 * @property {HTMLElement} message
 * @property {RibbonPanel} ribbons
 * @property {MatrixPanel} matrix
 * @property {Life} life
 */

export class AttentionView {
  /**
   * @param {any} model
   * @param {HTMLElement} el
   */
  constructor(model, el) {
    this.model = model;
    this.life = new Life();
    /** @type {Record<string, any>} */
    this.state = {};
    this.root = viewRoot("attention", "Attention explorer", this.life);
    this.root.dir = "ltr"; // rows, ribbons and scrolling are laid out left to right, whatever is around
    this.store = new Store(model, this.life, () => this.soon("all"));
    this.ruler = new Ruler();
    /** @type {Map<string, Axis>} */
    this.axes = new Map();
    /** What is pointed at, by mouse or keys. @type {Focus | null} */
    this.cursor = null;
    /** The pair that was pointed at last: keys begin there, and why stays with it. @type {Focus} */
    this.last = { query: null, key: null };
    this.lastSide = 0;
    /** The query that the table is about, by keys or click. @type {number} */
    this.chosenQuery = 0;
    /** @type {{layer: number, head: number} | null} */
    this.pointed = null;
    /** @type {Stage[]} */
    this.stages = [];
    /** @type {"none" | "focus" | "all"} */
    this.due = "none";
    this.room = { main: 0, stages: 0 };
    this.exactFor = "";
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.resting = undefined;
    /** @type {Theme | null} */
    this.theme = null;
    /** @type {number | null} */
    this.version = null;
    /** @type {any} */
    this.meta = null;
    /** What the why panel shows, and the block it was read from. */
    this.whyKey = "";
    /** @type {{block: DataView, numbers: Float32Array} | null} */
    this.whyNumbers = null;
    this.overview = new Overview();
    this.top = this.makeTop();
    this.filters = this.makeFilters();
    this.hint = element("p", { class: "bvl-thumb-readout bvl-soft", "aria-live": "polite" });
    this.overviewNote = element("p", { class: "bvl-soft bvl-small" });
    this.chips = element("div", { class: "bvl-chips", role: "group", "aria-label": "Heads drawn as ribbons" });
    this.chipBox = element(
      "div",
      { class: "bvl-heads" },
      element("span", { class: "bvl-soft" }, "Ribbons"),
      this.chips,
    );
    this.heading = element("h4", { class: "bvl-heading" });
    this.facts = element("p", { class: "bvl-facts" });
    this.claim = element("p", { class: "bvl-claim" });
    this.stageBox = element("div", { class: "bvl-stages" });
    this.readout = element("p", { class: "bvl-readout", "aria-live": "polite", "aria-atomic": "true" });
    this.detail = element("p", { class: "bvl-detail bvl-soft" });
    this.scale = this.makeScale();
    this.why = new WhyPanel(this.life);
    this.tries = new TryPanel(this);
    this.table = this.makeTable();
    this.problem = element("p", { class: "bvl-problem", role: "status" });
    this.root.append(...this.arrange());
    el.append(this.root);
    this.listen();
    followTheme(this.root, this.life);
    this.watchSize();
    this.life.follow(model, TRAITS, () => this.soon("all"));
    whenPlaced(this.root, this.life, () => {
      this.measure();
      this.draw("all");
    });
    if (this.root.getBoundingClientRect().width > 0) this.measure();
    this.draw("all");
  }

  arrange() {
    const keys = element("p", { class: "bvl-keys bvl-soft" });
    const help = [
      ["↑ ↓", "query"],
      ["← →", "key"],
      ["Shift + arrows", "layer, head"],
      ["Home End", "first, last key"],
      ["Enter", "pin"],
      ["Esc", "unpin"],
      ["+ −", "enlarge"],
    ];
    keys.append(
      ...help.map(([key, what]) =>
        element("span", {}, ...key.split(" + ").map((one) => element("kbd", {}, one)), ` ${what}`),
      ),
    );
    this.enlarge = /** @type {HTMLElement} */ (keys.lastElementChild);
    const overview = element(
      "section",
      { class: "bvl-overview", "aria-label": "All layers and heads, and what is drawn" },
      element("h4", { class: "bvl-title" }, "All layers and heads"),
      this.overview.box,
      this.hint,
      this.overviewNote,
      this.filters.box,
    );
    this.one = element(
      "section",
      { class: "bvl-one", "aria-label": "One head" },
      this.heading,
      this.facts,
      this.claim,
      this.chipBox,
      this.stageBox,
      this.scale.box,
      this.readout,
      this.detail,
      keys,
    );
    this.main = element("div", { class: "bvl-main" }, overview, this.one);
    // Changing a token comes right below the tokens; where nothing can be run, that note comes last.
    const panels = this.model.get("_meta").can_run ? [this.tries.box, this.why.box] : [this.why.box, this.tries.box];
    return [this.top.box, this.problem, this.main, ...panels, this.table.box];
  }

  // ------------------------------------------------------------------------------------------------- controls

  makeTop() {
    const number = (/** @type {string} */ value) => Number(value);
    const kind = choice("Attention", [], this.life, (value) => this.setKind(value));
    const layer = choice("Layer", [], this.life, (value) => this.set({ layer: number(value) }));
    const head = choice("Head", [], this.life, (value) => this.choose(this.state.layer, number(value)));
    const aggregate = choice("Show", [], this.life, (value) => this.set({ aggregate: value }));
    const sides = element("div", { class: "bvl-sides", role: "group", "aria-label": "Side" });
    this.life.listen(sides, "click", (event) => {
      const side = event.target.closest("button")?.dataset.side;
      if (side) this.set({ side });
    });
    const busy = element("span", { class: "bvl-busy", role: "status" });
    const box = element(
      "div",
      { class: "bvl-controls bvl-top-bar" },
      kind.box,
      layer.box,
      head.box,
      aggregate.box,
      sides,
      busy,
    );
    return { box, kind, layer, head, aggregate, sides, busy };
  }

  makeFilters() {
    const direction = choice("Tokens", [], this.life, (value) => this.set({ direction: value }));
    direction.box.append(
      element(
        "span",
        { class: "bvl-segments bvl-soft" },
        element("span", { class: "bvl-a" }, "A"),
        element("span", { class: "bvl-b" }, "B"),
      ),
    );
    const special = tick("hide special tokens", this.life, (on) => this.set({ hide_special: on }));
    const words = tick("words, not pieces", this.life, (on) => this.set({ words: on }));
    const shares = tick("shares of what is left", this.life, (on) => this.set({ renormalise: on }));
    const threshold = slide("weights above", { min: 0, max: 100 }, this.life, (value) =>
      this.set({ threshold: thresholdAt(value) }),
    );
    const mass = slide("top share", { min: 1, max: 100 }, this.life, (value) => this.set({ mass: value / 100 }));
    threshold.box.title = "Weights below this are not drawn.";
    mass.box.title = "Of each query, only the largest weights are drawn that together hold this share.";
    const rule = element("p", { class: "bvl-soft bvl-rule" });
    const box = element(
      "div",
      { class: "bvl-filters", role: "group", "aria-label": "What is drawn" },
      element("h4", { class: "bvl-title" }, "What is drawn"),
      element(
        "div",
        { class: "bvl-controls" },
        direction.box,
        special.box,
        shares.box,
        words.box,
        threshold.box,
        mass.box,
      ),
      rule,
    );
    return { box, direction, special, words, shares, threshold, mass, rule };
  }

  makeScale() {
    const bar = element("div", { class: "bvl-scale-bar", "aria-hidden": "true" });
    const ticks = element("div", { class: "bvl-scale-ticks bvl-soft" });
    const text = element("span", { class: "bvl-soft" });
    const out = /** @type {HTMLButtonElement} */ (
      element("button", { type: "button", "aria-label": "Matrix smaller" }, "−")
    );
    const all = /** @type {HTMLButtonElement} */ (
      element("button", { type: "button", "aria-label": "Whole matrix" }, "whole")
    );
    const into = /** @type {HTMLButtonElement} */ (
      element("button", { type: "button", "aria-label": "Matrix larger" }, "+")
    );
    this.life.listen(out, "click", () => this.zoom((zoom) => zoom / 1.6));
    this.life.listen(all, "click", () => this.zoom(() => 1));
    this.life.listen(into, "click", () => this.zoom((zoom) => zoom * 1.6));
    const zoom = element(
      "span",
      { class: "bvl-zoom", role: "group", "aria-label": "Size of the matrix" },
      out,
      all,
      into,
    );
    const box = element(
      "div",
      { class: "bvl-scale" },
      element("div", { class: "bvl-scale-picture" }, bar, ticks),
      text,
      zoom,
    );
    return { box, bar, ticks, text, zoom, out, all, into };
  }

  makeTable() {
    const summary = element("summary", {}, "The weights as a table");
    const table = element("table", {});
    const box = /** @type {HTMLDetailsElement} */ (
      element(
        "details",
        { class: "bvl-table" },
        summary,
        element(
          "div",
          { class: "bvl-tall", tabindex: 0, role: "region", "aria-label": "Weights of the chosen query" },
          table,
        ),
      )
    );
    this.life.listen(box, "toggle", () => this.drawTable());
    return { box, summary, table };
  }

  listen() {
    const { box } = this.overview;
    this.life.listen(box, "pointermove", (event) => {
      const at = this.overviewAt(event);
      if (at?.layer === this.pointed?.layer && at?.head === this.pointed?.head) return;
      this.pointed = at;
      this.soon("focus");
    });
    this.life.listen(box, "pointerleave", () => {
      this.pointed = null;
      this.soon("focus");
    });
    this.life.listen(box, "click", (event) => {
      const at = this.overviewAt(event);
      if (at) this.choose(at.layer, at.head);
    });
    this.life.listen(box, "keydown", (event) => {
      if (event.ctrlKey || event.altKey || event.metaKey) return;
      const { layers, heads } = this.shape();
      const to = moveAfterKey(
        event.key,
        true,
        { layer: this.state.layer, head: this.state.head, query: 0, key: 0 },
        { layers, heads, queries: 1, keys: 1 },
      );
      if (!to) return;
      event.preventDefault();
      this.choose(to.layer, to.head);
    });
    this.life.listen(this.chips, "click", (event) => {
      const chip = event.target.closest("button")?.dataset.head;
      if (chip === undefined) return;
      const { heads, head } = this.state;
      const all = Array.from({ length: this.shape().heads }, (_, i) => i);
      if (chip === "all") this.set({ heads: all });
      else if (chip === "one") this.set({ heads: [] });
      else {
        const next = toggleHead(heads, head, Number(chip));
        this.set({ heads: next.length === 1 && next[0] === head ? [] : next });
      }
    });
  }

  /** @param {PointerEvent} event */
  overviewAt(event) {
    const { left, top } = this.overview.canvas.getBoundingClientRect();
    const { layers, heads } = this.shape();
    return this.overview.at(event.clientX - left, event.clientY - top, layers, heads);
  }

  watchSize() {
    const observer = new ResizeObserver(() => {
      this.theme = null; // the letters may be of another size now
      this.measure();
      this.soon("all");
    });
    observer.observe(this.stageBox);
    observer.observe(this.root);
    this.life.endings.push(() => observer.disconnect());
    const theme = new MutationObserver(() => {
      this.theme = null;
      this.soon("all");
    });
    theme.observe(this.root, { attributes: true, attributeFilter: ["data-theme"] });
    this.life.endings.push(() => theme.disconnect());
    // Notebooks change colours by attributes above us without changing light to dark; read them again then, too.
    const above = new MutationObserver(() => {
      this.theme = null;
      this.soon("all");
    });
    above.observe(document.body, { attributes: true, attributeFilter: ["class", "data-jp-theme-name", "style"] });
    this.life.endings.push(() => above.disconnect());
    const watchDensity = () => {
      const density = window.matchMedia(`(resolution: ${window.devicePixelRatio}dppx)`);
      this.life.listen(
        density,
        "change",
        () => {
          this.theme = null;
          watchDensity();
          this.soon("all");
        },
        { once: true },
      );
    };
    watchDensity();
  }

  measure() {
    this.room = { main: this.root.clientWidth, stages: this.stageBox.clientWidth };
  }

  // ---------------------------------------------------------------------------------------------------- state

  /** @param {Record<string, unknown>} changes */
  set(changes) {
    for (const [name, value] of Object.entries(changes)) this.model.set(name, value);
    this.model.save_changes();
  }

  /**
   * A single head is what is chosen: an aggregate gives way.
   * @param {number} layer
   * @param {number} head
   */
  choose(layer, head) {
    const { heads, aggregate } = this.state;
    /** @type {Record<string, unknown>} */
    const changes = { layer, head };
    if (aggregate !== "none" && head !== this.state.head) changes.aggregate = "none";
    if (heads.length > 0 && !heads.includes(head)) changes.heads = [];
    this.set(changes);
  }

  /** @param {string} kind */
  setKind(kind) {
    const { layers, heads, keys } = this.state._meta.sides[0].kinds[kind];
    const { layer, head, aggregate } = this.state;
    this.cursor = null;
    this.last = { query: null, key: null };
    const least = aggregate === "rollout" && keys ? { aggregate: "none" } : {};
    this.set({
      kind,
      query: null,
      key: null,
      heads: [],
      direction: "all",
      ...least,
      layer: Math.min(layer, layers - 1),
      head: Math.min(head, heads - 1),
    });
  }

  shape(side = this.sides()[0]) {
    return this.state._meta.sides[side].kinds[this.state.kind];
  }

  /** The sides that are shown. */
  sides() {
    const two = this.state._meta.sides.length > 1;
    const { side } = this.state;
    if (!two || side === "first") return [0];
    return side === "second" ? [1] : [0, 1];
  }

  /** Why there is no difference of the two sides; empty if there is. */
  noDifference() {
    const [a, b] = this.state._meta.sides.map((/** @type {any} */ side) => side.kinds[this.state.kind]);
    if (!b) return "";
    const size = (/** @type {any} */ shape) => [
      shape.queries.tokens.length,
      (shape.keys ?? shape.queries).tokens.length,
    ];
    const [first, second] = [size(a), size(b)];
    if (first.join() === second.join()) return "";
    return `no difference: ${first[0]} and ${second[0]} tokens`;
  }

  /**
   * @param {number} side
   * @param {"queries" | "keys"} which
   * @returns {Axis}
   */
  axis(side, which) {
    const { kind, words } = this.state;
    const name = [side, kind, which, words].join();
    let axis = this.axes.get(name);
    if (!axis) {
      const shape = this.shape(side);
      axis = which === "keys" && !shape.keys ? this.axis(side, "queries") : makeAxis(shape[which], words);
      this.axes.set(name, axis);
    }
    return axis;
  }

  filter() {
    const { direction, hide_special: hideSpecial, renormalise, threshold, mass } = this.state;
    return { direction, hideSpecial, renormalise, threshold, mass };
  }

  /**
   * Weights of one side, as the aggregate says, by pieces.
   * @param {number} side
   * @returns {{of: (head: number) => Reader} | {problem: string} | null} null while on its way
   */
  source(side) {
    const { kind, layer, aggregate } = this.state;
    const shape = this.shape(side);
    if (layer >= shape.layers) return { problem: `There is no layer ${layer} on this side: it has ${shape.layers}.` };
    if (aggregate === "none" && this.state.head >= shape.heads)
      return { problem: `There is no head ${this.state.head} on this side: it has ${shape.heads}.` };
    const [queries, keys] = [shape.queries.tokens.length, (shape.keys ?? shape.queries).tokens.length];
    const last =
      aggregate === "mean all"
        ? "mean"
        : aggregate === "max all"
          ? "max"
          : aggregate === "rollout"
            ? `rollout/${layer}`
            : `layer/${layer}`;
    const name = `${side}/${kind}/${last}`;
    const block = this.store.want(name);
    if (!block) return this.store.failed.has(name) ? { problem: this.store.failed.get(name) ?? "" } : null;
    const codes = decodeCodes(block);
    if (aggregate === "none") return { of: (head) => headReader(codes, queries, keys, head) };
    const reader = aggregate.endsWith(" heads")
      ? headsReader(codes, queries, keys, aggregate === "mean heads" ? "mean" : "max")
      : headReader(codes, queries, keys);
    return { of: () => reader };
  }

  /**
   * One side as it is drawn.
   * @param {number} side
   * @returns {Picture}
   */
  picture(side) {
    const { _meta: meta, _version: version, kind, layer, aggregate, words } = this.state;
    const [rows, columns] = [this.axis(side, "queries"), this.axis(side, "keys")];
    const source = this.source(side);
    const filter = this.filter();
    const open = isOpen(filter);
    const name = meta.sides[side].name;
    const key = JSON.stringify([version, side, kind, layer, aggregate, words, filter, meta.sides.length]);
    const hidden = {
      rows: rows.labels.map((_, i) => isHidden(rows, i, filter, "query")),
      columns: columns.labels.map((_, i) => isHidden(columns, i, filter, "key")),
    };
    const base = { name, side, key, rows, columns, hidden, signed: false };
    if (!source || "problem" in source) {
      return {
        ...base,
        ready: false,
        problem: source && "problem" in source ? source.problem : "",
        read: () => ({ total: 0, special: 0, direction: 0, small: 0, hidden: false }),
        raw: () => {},
      };
    }
    /** @type {Map<number, Reader>} */
    const readers = new Map();
    const raw = (/** @type {number} */ head, /** @type {number} */ row, /** @type {Float32Array} */ out) => {
      let reader = readers.get(head);
      if (!reader) {
        reader = mergedReader(source.of(head), rows, columns);
        readers.set(head, reader);
      }
      reader(row, out);
    };
    const read = (/** @type {number} */ head, /** @type {number} */ row, /** @type {Float32Array} */ out) => {
      raw(head, row, out);
      if (!open) return filterRow(out, row, rows, columns, filter);
      return { total: 1, special: 0, direction: 0, small: 0, hidden: false };
    };
    return { ...base, ready: true, problem: "", read, raw };
  }

  /** The pictures on the stages, from the traits. @returns {Picture[]} */
  pictures() {
    const sides = this.sides();
    const pictures = sides.map((side) => this.picture(side));
    if (this.state.side !== "difference" || pictures.length < 2) return pictures;
    const [first, second] = pictures;
    const before = new Float32Array(first.columns.size);
    const same = first.rows.size === second.rows.size && first.columns.size === second.columns.size;
    return [
      {
        ...second,
        name: `${second.name} − ${first.name}`,
        key: `difference ${first.key}`,
        signed: true,
        parts: pictures,
        ready: same && first.ready && second.ready,
        problem: same
          ? first.problem || second.problem
          : "The words of the two sides are not the same: show pieces, or both.",
        read: (head, row, out) => {
          first.read(head, row, before);
          const shares = second.read(head, row, out);
          for (let key = 0; key < out.length; key += 1) out[key] -= before[key];
          return shares;
        },
      },
    ];
  }

  /** The pins of the traits, on a stage's axes. @param {Picture} picture @returns {Focus} */
  pins(picture) {
    const { query, key } = this.state;
    const { rows, columns } = picture;
    const on = (/** @type {number | null} */ piece, /** @type {Axis} */ axis) =>
      piece === null || piece >= axis.starts[axis.size] ? null : groupOf(axis, piece);
    return { query: on(query, rows), key: on(key, columns) };
  }

  /** What is pointed at, else pinned. @param {Picture} picture @returns {Focus} */
  focus(picture) {
    const pins = this.pins(picture);
    const { cursor } = this;
    const fit = (/** @type {number | null} */ i, /** @type {Axis} */ axis) => (i !== null && i < axis.size ? i : null);
    if (!cursor) return pins;
    return { query: fit(cursor.query, picture.rows) ?? pins.query, key: fit(cursor.key, picture.columns) ?? pins.key };
  }

  /** The heads drawn as ribbons, with their colours. @returns {{head: number, colour: number[]}[]} */
  ribbonHeads() {
    const { heads, head, aggregate } = this.state;
    const theme = this.theme ?? readTheme(this.root);
    if (aggregate !== "none" || heads.length === 0) return [{ head, colour: theme.single }];
    const { heads: count } = this.shape();
    if (heads.length === 1) return [{ head: heads[0], colour: theme.single }];
    return heads.map((/** @type {number} */ one) => ({ head: one, colour: headColour(one, count, theme.dark) }));
  }

  // -------------------------------------------------------------------------------------------------- pointing

  /**
   * @param {Focus | null} cursor
   * @param {number} [side]
   * @param {"ribbons" | "matrix"} [linked] the panels that follow, so that what is pointed at is in sight there too
   */
  point(cursor, side = this.lastSide, linked) {
    const now = this.cursor;
    if (now?.query === cursor?.query && now?.key === cursor?.key && side === this.lastSide) return;
    this.cursor = cursor;
    this.lastSide = side;
    if (cursor && linked) for (const stage of this.stages) stage[linked].show(cursor);
    this.soon("focus");
  }

  /**
   * Pin a pair, or let it go if it is pinned already.
   * @param {Focus} at on a stage's axes
   * @param {Picture} picture
   */
  pin(at, picture) {
    const pins = this.pins(picture);
    const piece = (/** @type {number | null} */ i, /** @type {Axis} */ axis) => (i === null ? null : axis.starts[i]);
    if (at.query !== null) this.chosenQuery = at.query;
    const both = at.query !== null && at.key !== null;
    const same = (at.query === null || at.query === pins.query) && (at.key === null || at.key === pins.key);
    /** @type {Record<string, number | null>} */
    const changes = {};
    if (at.query !== null) changes.query = same ? null : piece(at.query, picture.rows);
    if (at.key !== null) changes.key = same ? null : piece(at.key, picture.columns);
    if (same && both) this.cursor = null;
    this.set(changes);
  }

  /**
   * @param {KeyboardEvent} event
   * @param {Stage} stage
   */
  press(event, stage) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const { picture } = stage;
    const { layer, head } = this.state;
    const focus = this.focus(picture);
    const from = {
      layer,
      head,
      query: focus.query ?? this.last.query ?? firstToken(picture.rows),
      key: focus.key ?? this.last.key ?? firstToken(picture.columns),
    };
    const { layers, heads } = this.shape(picture.side);
    const sizes = { layers, heads, queries: picture.rows.size, keys: picture.columns.size };
    const to = moveAfterKey(event.key, event.shiftKey, from, sizes);
    if (to) {
      // The first key puts the cursor down; later ones move it.
      const at = focus.query === null && focus.key === null && !event.shiftKey ? from : to;
      if (event.shiftKey) this.choose(to.layer, to.head);
      else {
        this.cursor = { query: at.query, key: at.key };
        this.lastSide = picture.side;
        this.chosenQuery = at.query;
        for (const one of this.stages) {
          one.matrix.show(this.cursor);
          one.ribbons.show(this.cursor);
        }
        this.soon("focus");
        this.drawTable();
      }
    } else if (event.key === "Enter" || event.key === " ") {
      if (event.shiftKey) return;
      this.pin(focus.query === null && focus.key === null ? { query: from.query, key: from.key } : focus, picture);
    } else if (event.key === "Escape") {
      this.cursor = null;
      this.last = { query: null, key: null };
      this.set({ query: null, key: null });
      this.soon("focus");
    } else if ("+=−-".includes(event.key)) this.zoom((zoom) => ("+=".includes(event.key) ? zoom * 1.6 : zoom / 1.6));
    else return;
    event.preventDefault();
  }

  /** @param {(zoom: number) => number} change @param {Stage[]} [stages] @param {{x: number, y: number}} [at] */
  zoom(change, stages = this.stages, at) {
    const theme = this.theme;
    if (!theme) return;
    for (const { matrix } of stages) matrix.zoomTo(change(matrix.zoom), theme, () => this.draw("all"), at);
  }

  // --------------------------------------------------------------------------------------------------- drawing

  /** Draw once for any number of changes in the same moment. @param {"focus" | "all"} what */
  soon(what) {
    if (this.due !== "none") {
      if (what === "all") this.due = "all";
      return;
    }
    this.due = what;
    queueMicrotask(() => {
      const due = this.due;
      this.due = "none";
      if (due !== "none" && !this.life.controller.signal.aborted) this.draw(due);
    });
  }

  /** @param {"focus" | "all"} what */
  draw(what) {
    if (this.life.controller.signal.aborted) return;
    if (what === "all") {
      this.state = Object.fromEntries(TRAITS.map((name) => [name, this.model.get(name)]));
      this.refresh();
      this.theme ??= readTheme(this.root);
      this.drawControls();
      this.setStages(this.pictures());
      this.drawHeading();
      this.drawChips();
    }
    this.theme ??= readTheme(this.root);
    if (this.room.stages === 0) return;
    this.drawOverview();
    for (const stage of this.stages) this.drawStage(stage);
    this.drawScale();
    if (what === "all") this.drawRule();
    this.drawReadout();
    this.drawWhy();
    this.tries.draw();
    if (what === "all") this.drawTable();
  }

  /** Let go of what the model's new run has made wrong. */
  refresh() {
    const { _version: version, _meta: meta } = this.state;
    if (this.version !== null && version !== this.version) this.store.forget();
    if (version !== this.version || meta !== this.meta) this.axes.clear();
    this.version = version;
    this.meta = meta;
  }

  drawControls() {
    const { _meta: meta, kind, side, layer, head, aggregate, direction, _busy: busy, _problem: problem } = this.state;
    const { kind: kinds, layer: layers, head: heads, aggregate: aggregates, sides, busy: running } = this.top;
    const shape = this.shape();
    const numbers = (/** @type {number} */ count) =>
      Array.from({ length: count }, (_, i) => /** @type {[string, string]} */ ([String(i), String(i)]));
    const names = Object.keys(meta.sides[0].kinds).filter((name) =>
      meta.sides.every((/** @type {any} */ one) => one.kinds[name]),
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
    const no = this.noDifference();
    const options =
      meta.sides.length < 2
        ? []
        : [
            ["first", meta.sides[0].name],
            ["second", meta.sides[1].name],
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
    sides.hidden = options.length === 0;
    for (const button of sides.children)
      button.setAttribute("aria-pressed", String(/** @type {HTMLElement} */ (button).dataset.side === side));
    setText(running, busy ? "the model is running …" : "");
    this.root.setAttribute("aria-busy", String(Boolean(busy)));
    setText(this.problem, problem ?? "");
    this.problem.hidden = !problem;
    const { filters } = this;
    const tokens = (shape.keys ?? shape.queries).segments;
    const two = shape.queries.segments.includes(1) && tokens.includes(1);
    offer(
      filters.direction.select,
      DIRECTIONS.map((name) => [name, name === "all" ? "all to all" : name]),
      direction,
    );
    filters.direction.box.hidden = !two && direction === "all";
    filters.special.input.checked = this.state.hide_special;
    filters.shares.input.checked = this.state.renormalise;
    filters.words.input.checked = this.state.words;
    const hasPieces = [shape.queries, shape.keys ?? shape.queries].some(({ words }) =>
      words.some((/** @type {number} */ word, /** @type {number} */ i) => i > 0 && word >= 0 && word === words[i - 1]),
    );
    filters.words.input.disabled = !hasPieces && !this.state.words;
    filters.words.box.title = hasPieces ? "" : "Every word here is one piece.";
    const { threshold, mass } = filters;
    threshold.input.value = String(Math.round(100 * Math.sqrt(this.state.threshold)));
    setText(threshold.value, this.state.threshold > 0 ? formatWeight(this.state.threshold) : "0");
    threshold.input.setAttribute("aria-valuetext", threshold.value.textContent ?? "");
    mass.input.value = String(Math.round(100 * this.state.mass));
    setText(mass.value, `${Math.round(100 * this.state.mass)}\u00a0%`);
    mass.input.setAttribute("aria-valuetext", mass.value.textContent ?? "");
  }

  /** What is hidden now, and by which rule. */
  drawRule() {
    const { words, hide_special: special, direction, renormalise, threshold, mass } = this.state;
    const lines = [];
    const stage = this.stages.find(({ picture }) => picture.ready && !picture.signed);
    const {
      total,
      special: onSpecial,
      direction: elsewhere,
      small,
      rows,
    } = stage?.matrix.sums ?? { total: 0, special: 0, direction: 0, small: 0, rows: 0 };
    if (rows > 0 && !isOpen(this.filter())) {
      const share = (/** @type {number} */ part) => formatPercent(part / total);
      const hidden = [];
      if (special) hidden.push(`${share(onSpecial)} on special tokens`);
      if (direction !== "all") hidden.push(`${share(elsewhere)} in other directions`);
      if (threshold > 0 || mass < 1) hidden.push(`${share(small)} too small to be drawn`);
      if (hidden.length > 0)
        lines.push(
          `Hidden of what the ${rows === 1 ? "query gives" : `${rows} queries shown give`}: ${hidden.join(", ")}${hidden.length > 1 ? `; together ${share(onSpecial + elsewhere + small)}` : ""}.`,
        );
      lines.push(renormalise ? "Each row is drawn as shares of what is left: compare within a row only." : "");
    }
    if (words)
      lines.push(
        "Words: weights are summed over the pieces of a key and averaged over the pieces of a query, so that rows still sum to one.",
      );
    setText(this.filters.rule, lines.filter(Boolean).join(" "));
    this.filters.rule.hidden = this.filters.rule.textContent === "";
  }

  drawHeading() {
    const { layer, head, heads, aggregate, kind, _meta: meta } = this.state;
    const several = heads.length > 1 && aggregate === "none";
    const titles = {
      none: `Layer ${layer}, head ${head}`,
      "mean heads": `Layer ${layer}, mean of its heads`,
      "max heads": `Layer ${layer}, largest of its heads`,
      "mean all": "Mean of all layers and heads",
      "max all": "Largest of all layers and heads",
      rollout: `Rollout from the input to layer ${layer}`,
    };
    const title = titles[/** @type {keyof typeof titles} */ (aggregate)];
    const more = several
      ? `; ribbons of ${heads.length === this.shape().heads ? "all heads" : `heads ${heads.join(", ")}`}`
      : "";
    setText(this.heading, `${title}${more}`);
    this.one?.setAttribute("aria-label", title);
    setText(this.claim, CLAIMS[aggregate] ?? "");
    this.claim.hidden = aggregate === "none";
    this.facts.hidden = aggregate !== "none";
    if (aggregate !== "none") return;
    const sides = this.sides();
    const stats = sides.map((side) => this.stats(side, layer, head));
    const both = (/** @type {(s: number[]) => string} */ format) =>
      stats.map((one) => (one ? format(one) : "–")).join(" → ");
    const fact = (/** @type {string} */ name, /** @type {string} */ value, /** @type {string} */ meaning) =>
      element("span", { title: meaning }, element("b", {}, value), ` ${name}`);
    const list = [
      fact(
        "bits entropy",
        both(([bits]) => bits.toFixed(2)),
        "0 bits: every query looks at one key; log2 of the number of keys: at all alike. Mean over the queries.",
      ),
    ];
    if (!this.shape().keys)
      list.push(
        fact(
          "tokens mean distance",
          both(([, far]) => (Number.isNaN(far) ? "–" : far.toFixed(1))),
          "How far away the key is, on average.",
        ),
      );
    list.push(
      fact(
        "on special tokens",
        both(([, , special]) => formatPercent(special)),
        "Share of all weight that rests on [CLS], [SEP] and the like.",
      ),
    );
    if (sides.length > 1)
      list.push(element("span", { class: "bvl-soft" }, `${meta.sides[0].name} → ${meta.sides[1].name}`));
    if (kind !== "self") list.push(element("span", { class: "bvl-soft" }, `${kind} attention`));
    this.facts.replaceChildren(...list);
  }

  /** @param {number} side @param {number} layer @param {number} head */
  stats(side, layer, head) {
    const block = this.store.want(`${side}/${this.state.kind}/stats`);
    const { heads, layers } = this.shape(side);
    if (!block || layer >= layers || head >= heads) return null;
    return Array.from({ length: 4 }, (_, i) => block.getFloat32(4 * ((layer * heads + head) * 4 + i), true));
  }

  drawChips() {
    const { heads, head, aggregate, layer } = this.state;
    const { heads: count } = this.shape();
    const theme = this.theme ?? readTheme(this.root);
    this.chipBox.hidden = aggregate !== "none" || count < 2;
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
        element("button", { type: "button", "data-head": "all" }, "all"),
        element("button", { type: "button", "data-head": "one" }),
      );
    }
    const on = heads.length > 0 ? heads : [head];
    this.chips.classList.toggle("bvl-several", on.length > 1);
    for (const button of this.chips.children) {
      const { head: name } = /** @type {HTMLElement} */ (button).dataset;
      if (name === "all") /** @type {HTMLButtonElement} */ (button).disabled = on.length === count;
      else if (name === "one") {
        setText(button, `only ${head}`);
        /** @type {HTMLButtonElement} */ (button).disabled = on.length === 1 && on[0] === head;
      } else
        setAttributes(button, {
          "aria-pressed": String(on.includes(Number(name))),
          "aria-label": `head ${name}`,
          title: `layer ${layer}, head ${name}`,
        });
    }
  }

  drawOverview() {
    const { layer, head, heads, aggregate, heads_off: off, kind, side, _meta: meta, _version: version } = this.state;
    const theme = this.theme ?? readTheme(this.root);
    const sides = this.sides();
    const shape = this.shape();
    const { layers, heads: count, thumb } = shape;
    const room = this.room.main < 56 * theme.size ? this.room.main - 2.2 * theme.size : 24 * theme.size;
    this.overview.layout({ layers, heads: count, room, theme });
    const other = this.shape(sides[sides.length - 1]);
    const difference =
      side === "difference" &&
      sides.length > 1 &&
      other.layers === layers &&
      other.heads === count &&
      other.thumb.join() === thumb.join();
    const block = this.store.want(`${sides[0]}/${kind}/thumbs`);
    const second = difference ? this.store.want(`1/${kind}/thumbs`) : null;
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
      "aria-label": `${name}. Arrow keys choose: up and down the layer, left and right the head. Now layer ${layer}, head ${head}.`,
    });
    setAttributes(canvas, { "aria-label": `Small pictures of the attention of ${name}` });
    const at = this.pointed ?? { layer, head };
    const stats = this.stats(sides[0], at.layer, at.head);
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
    setText(this.overviewNote, ["rows: layers, columns: heads", which].filter(Boolean).join("; "));
  }

  /** As many stages as there are pictures. @param {Picture[]} pictures */
  setStages(pictures) {
    while (this.stages.length > pictures.length) this.endStage(/** @type {Stage} */ (this.stages.pop()));
    pictures.forEach((picture, i) => {
      const stage = this.stages[i] ?? this.makeStage(i);
      // While the next layer is on its way, the last one stays in sight.
      if (picture.ready || picture.problem || !stage.picture || stage.picture.key === picture.key)
        stage.picture = picture;
      stage.el.classList.toggle("bvl-waiting", !picture.ready && !picture.problem);
      setText(stage.title, picture.name);
      stage.title.hidden = this.state._meta.sides.length < 2;
      setText(stage.message, picture.problem);
      stage.message.hidden = picture.problem === "";
    });
    this.stageBox.classList.toggle("bvl-two", pictures.length > 1);
  }

  /** @param {number} index @returns {Stage} */
  makeStage(index) {
    const life = new Life();
    const [ribbons, matrix] = [new RibbonPanel(), new MatrixPanel()];
    const title = element("h5", { class: "bvl-side-title" });
    const message = element("p", { class: "bvl-soft" });
    const el = element("div", { class: "bvl-stage" }, title, message, ribbons.box, matrix.box);
    const stage = /** @type {Stage} */ ({ el, title, message, ribbons, matrix, life });
    for (const panel of [ribbons, matrix]) {
      const at = (/** @type {PointerEvent} */ event) => {
        const { left, top } = panel.canvas.getBoundingClientRect();
        return panel.at(event.clientX - left, event.clientY - top, stage.picture);
      };
      life.listen(panel.box, "pointermove", (event) => {
        if (event.pointerType !== "touch" && stage.picture.ready)
          this.point(at(event), stage.picture.side, panel === matrix ? "ribbons" : "matrix");
      });
      life.listen(panel.box, "pointerleave", (event) => {
        if (event.pointerType !== "touch") this.point(null);
      });
      life.listen(panel.box, "click", (event) => {
        const found = stage.picture.ready ? at(event) : null;
        if (found) this.pin(found, stage.picture);
      });
      life.listen(panel.box, "keydown", (event) => this.press(event, stage));
      life.listen(panel.box, "scroll", () => this.scrolled(panel, panel === matrix ? "matrix" : "ribbons"), {
        passive: true,
      });
    }
    life.listen(
      matrix.box,
      "wheel",
      (event) => {
        // Two fingers drawn apart come as a wheel with Ctrl.
        if (!event.ctrlKey || !this.theme || !matrix.canZoom(this.theme)) return;
        event.preventDefault();
        const { left, top } = matrix.box.getBoundingClientRect();
        this.zoom((zoom) => zoom * Math.exp(-event.deltaY / 100), [stage], {
          x: event.clientX - left,
          y: event.clientY - top,
        });
      },
      { passive: false },
    );
    this.stageBox.append(el);
    this.stages[index] = stage;
    return stage;
  }

  /** Two sides scroll together. @param {ScrolledCanvas} panel @param {"matrix" | "ribbons"} which */
  scrolled({ box }, which) {
    for (const stage of this.stages) {
      const other = stage[which].box;
      if (other === box) continue;
      if (other.scrollTop !== box.scrollTop) other.scrollTop = box.scrollTop;
      if (other.scrollLeft !== box.scrollLeft) other.scrollLeft = box.scrollLeft;
    }
    this.soon("focus");
  }

  /** @param {Stage} stage */
  endStage(stage) {
    stage.life.end();
    stage.ribbons.free();
    stage.matrix.free();
    stage.el.remove();
  }

  /** @param {Stage} stage */
  drawStage(stage) {
    const { picture, ribbons, matrix } = stage;
    const { head, heads, aggregate } = this.state;
    const theme = /** @type {Theme} */ (this.theme);
    stage.ribbons.box.hidden = !picture.ready;
    stage.matrix.box.hidden = !picture.ready;
    if (!picture.ready) return;
    const { size } = theme;
    const gap = 1.2 * size;
    const room =
      this.stages.length > 1 && this.room.stages > 40 * size ? (this.room.stages - gap) / 2 : this.room.stages;
    const beside = this.stages.length === 1 && room >= 40 * size;
    stage.el.classList.toggle("bvl-beside", beside);
    const tallest = Math.round(34 * size);
    const several = this.ribbonHeads();
    const narrow = picture.rows.size > 60 ? 18.5 : 20; // many tokens: the matrix needs the room
    const forRibbons = beside ? Math.floor(Math.min(narrow * size, room * 0.4)) : room;
    const extent = this.extent();
    ribbons.layout(picture, extent, theme, this.ruler, forRibbons, tallest, several.length > 1);
    matrix.layout(picture, extent, theme, this.ruler, beside ? room - forRibbons - gap : room, tallest);
    const focus = this.focus(picture);
    const pins = this.pins(picture);
    matrix.paint(picture, head, theme, this.ruler, focus, pins);
    ribbons.paint(picture, theme, this.ruler, focus, pins, several);
    const side = this.state._meta.sides.length > 1 ? `, ${picture.name}` : "";
    const what = aggregate === "none" ? `layer ${this.state.layer}, head ${head}` : this.heading.textContent;
    const keys = "Arrow keys move query and key, with Shift layer and head; Enter pins, Escape unpins.";
    setAttributes(matrix.box, { "aria-label": `Matrix of attention weights${side}. ${keys}` });
    setAttributes(matrix.canvas, {
      "aria-label": `Attention weights of ${what}${side}: ${picture.rows.size} queries by ${picture.columns.size} keys`,
    });
    const names =
      heads.length > 1 && aggregate === "none" ? `heads ${heads.join(", ")} of layer ${this.state.layer}` : what;
    setAttributes(ribbons.box, { "aria-label": `Ribbons from queries to keys${side}. ${keys}` });
    setAttributes(ribbons.canvas, {
      "aria-label": `Attention weights of ${names}${side}, as ribbons from ${picture.rows.size} queries to ${picture.columns.size} keys`,
    });
  }

  /** @returns {Extent} */
  extent() {
    const pictures = this.stages.map(({ picture }) => picture);
    return {
      rows: Math.max(...pictures.map(({ rows }) => rows.size)),
      columns: Math.max(...pictures.map(({ columns }) => columns.size)),
      rowNames: pictures.flatMap(({ rows }) => rows.labels),
      columnNames: pictures.flatMap(({ columns }) => columns.labels),
    };
  }

  drawScale() {
    const { scale, theme } = this;
    const stage = this.stages[0];
    const signed = stage?.picture.signed ?? false;
    const faintest = this.ribbonHeads().length > 1 ? FAINTEST.several : FAINTEST.one;
    const key = [signed, theme?.key, this.state.renormalise, faintest].join();
    if (theme && scale.box.dataset.key !== key) {
      scale.box.dataset.key = key;
      const table = signed ? theme.signedTable : theme.unsignedTable;
      const stops = Array.from({ length: 17 }, (_, i) => {
        const value = table[Math.min(255, Math.max(signed ? 1 : 0, i * 16))];
        return css([value & 255, (value >> 8) & 255, (value >> 16) & 255]);
      });
      scale.bar.style.background = `linear-gradient(to right, ${stops.join()})`;
      const marks = signed ? [-1, -0.25, 0, 0.25, 1] : [0, 0.1, 0.25, 0.5, 1];
      scale.ticks.replaceChildren(
        ...marks.map((value) => {
          const place = signed ? 0.5 + (Math.sign(value) * Math.sqrt(Math.abs(value))) / 2 : Math.sqrt(value);
          return element(
            "span",
            { style: `inset-inline-start:${(100 * place).toFixed(1)}%` },
            String(value).replace("-", "−"),
          );
        }),
      );
      setText(
        scale.text,
        signed
          ? "difference of the weights; colour by the root of its size"
          : this.state.renormalise
            ? `share of what is left; colour by its root; ribbons from ${faintest}`
            : `weight; colour by its root, so that small ones are seen; ribbons from ${faintest}`,
      );
    }
    if (!theme || !stage) return;
    const { matrix } = stage;
    scale.zoom.hidden = !stage.picture.ready || !matrix.canZoom(theme);
    if (this.enlarge) this.enlarge.hidden = scale.zoom.hidden;
    const atLeast = matrix.cell <= matrix.fitCell + 0.26;
    scale.out.disabled = atLeast;
    scale.all.disabled = atLeast;
    scale.into.disabled = matrix.cell >= 2 * theme.size;
  }

  /**
   * The weights of one query exactly, through words and filters, if Python sent them.
   * @param {number} side
   * @param {number} head
   * @param {number} row on the side's axis
   * @param {boolean} ask
   * @returns {Float32Array | null}
   */
  exactRow(side, head, row, ask, filtered = true) {
    const { _meta: meta, kind, layer, aggregate } = this.state;
    if (!meta.live || aggregate !== "none") return null;
    const [rows, columns] = [this.axis(side, "queries"), this.axis(side, "keys")];
    /** @type {Map<number, Float32Array>} */
    const exact = new Map();
    for (let query = rows.starts[row]; query < rows.starts[row + 1]; query += 1) {
      const name = `${side}/${kind}/exact/${layer}/${head}/${query}`;
      const block = ask ? this.store.want(name) : (this.store.here.get(name) ?? null);
      if (block) exact.set(query, decodeFloats(block));
    }
    if (exact.size < rows.starts[row + 1] - rows.starts[row]) return null;
    const out = new Float32Array(columns.size);
    mergedReader(
      (query, weights) => weights.set(/** @type {Float32Array} */ (exact.get(query))),
      rows,
      columns,
    )(row, out);
    if (filtered && !isOpen(this.filter())) filterRow(out, row, rows, columns, this.filter());
    return out;
  }

  /** Ask for exact rows once the reader stays somewhere. @param {string} place @param {() => void} ask */
  whenResting(place, ask) {
    if (place === this.exactFor) return;
    this.exactFor = place;
    clearTimeout(this.resting);
    this.resting = setTimeout(ask, 60);
  }

  /**
   * The weight of a pair in words: as it is, or as drawn with its error; and whether the filters leave it out.
   * @param {Picture} picture
   * @param {number} head
   * @param {number} query
   * @param {number} key
   */
  weightOf(picture, head, query, key) {
    const row = new Float32Array(picture.columns.size);
    picture.read(head, query, row);
    const shown = row[key];
    if (picture.parts)
      return Number.isNaN(shown) ? "hidden" : this.differenceOf(picture.parts, head, query, key, shown);
    picture.raw(head, query, row);
    const exact = this.exactRow(picture.side, head, query, false, false);
    const text = exact ? formatWeight(exact[key], true) : drawnWeight(row[key], pieceCount(picture.columns, key));
    if (Number.isNaN(shown)) return `${text}, hidden`;
    if (shown === 0 && row[key] > 0) return `${text}, not drawn`;
    return this.state.renormalise ? `${formatWeight(shown)} of what is left (weight ${text})` : text;
  }

  /**
   * @param {Picture[]} parts
   * @param {number} head
   * @param {number} query
   * @param {number} key
   * @param {number} shown
   */
  differenceOf(parts, head, query, key, shown) {
    const [a, b] = parts.map((part) => this.exactRow(part.side, head, query, false));
    if (a && b) return formatWeight(b[key] - a[key], true, true);
    const error = parts.reduce((sum, part) => {
      const row = new Float32Array(part.columns.size);
      part.read(head, query, row);
      return sum + drawnError(row[key], pieceCount(part.columns, key));
    }, 0);
    return `${formatWeight(shown, error < 5e-4, true)} ${formatError(error)}`;
  }

  drawReadout() {
    const stage =
      this.stages.find(({ picture }) => picture.ready && picture.side === this.lastSide) ??
      this.stages.find(({ picture }) => picture.ready);
    if (!stage) return;
    const { picture } = stage;
    const { layer, head, aggregate, _meta: meta, kind } = this.state;
    const { query, key } = this.focus(picture);
    if (query !== null && key !== null) this.last = { query, key };
    const { rows, columns } = picture;
    const title = this.heading.textContent ?? "";
    const place = aggregate === "none" ? `layer ${layer}, head ${head}` : title[0].toLowerCase() + title.slice(1);
    if (query !== null && meta.live && aggregate === "none") {
      const sides = picture.signed
        ? [0, 1]
        : this.stages
            .filter(({ picture: one }) => one.ready && query < one.rows.size)
            .map(({ picture: one }) => one.side);
      this.whenResting([sides, kind, layer, head, query, this.state.words, this.state._version].join(), () => {
        if (!this.life.controller.signal.aborted)
          for (const side of sides) if (query < this.axis(side, "queries").size) this.exactRow(side, head, query, true);
        this.soon("focus");
      });
    }
    const name = (/** @type {Axis} */ axis, /** @type {number} */ i) =>
      element("bdi", { class: "bvl-token-name", title: axis.tokens[i].slice(0, 200) }, readable(axis.tokens[i], 60));
    if (query === null && key === null) {
      this.say(["Point at a token or a cell, or use the arrow keys."], "");
    } else if (query !== null && key !== null) {
      const shown = this.stages.filter(
        ({ picture: one }) => one.ready && query < one.rows.size && key < one.columns.size,
      );
      const several = shown.length > 1;
      const pair = (/** @type {Picture} */ one) => [name(one.rows, query), " → ", name(one.columns, key), " "];
      const same = shown.every(
        ({ picture: one }) =>
          one.rows.tokens[query] === rows.tokens[query] && one.columns.tokens[key] === columns.tokens[key],
      );
      const weights = shown.flatMap(({ picture: one }, i) => [
        i > 0 ? ", " : "",
        several ? `${one.name} ` : "",
        ...(same ? [] : pair(one)),
        this.weightOf(one, head, query, key),
      ]);
      const end = aggregate === "none" ? `, layer ${layer} head ${head}` : `, ${place}`;
      this.say([...(same ? pair(picture) : []), ...weights, end], this.detailOf(picture, query, key));
    } else if (query !== null) {
      this.say(["query ", name(rows, query), `, ${place}`], this.detailOf(picture, query, null));
    } else if (key !== null) {
      const row = new Float32Array(columns.size);
      let got = 0;
      for (let g = 0; g < rows.size; g += 1) {
        picture.read(head, g, row);
        got += row[key] || 0;
      }
      this.say(
        ["key ", name(columns, key), `, ${place}`],
        picture.signed
          ? `key ${columns.starts[key]}`
          : `key ${columns.starts[key]} · all queries together give it ${got.toFixed(2)} of ${rows.size}`,
      );
    }
  }

  /** @param {(Node | string)[]} parts @param {string} detail */
  say(parts, detail) {
    // Said anew only if it is new: a screen reader reads all of it.
    const text = parts.map((part) => (typeof part === "string" ? part : part.textContent)).join("");
    if (this.readout.textContent !== text) this.readout.replaceChildren(...parts);
    setText(this.detail, detail || "\u00a0");
  }

  /**
   * More about a query's row: its sum, its entropy, what is hidden of it, and the other heads that are drawn.
   * @param {Picture} picture
   * @param {number} query
   * @param {number | null} key
   */
  detailOf(picture, query, key) {
    const { columns } = picture;
    const { head, aggregate } = this.state;
    const row = new Float32Array(columns.size);
    const shares = picture.read(head, query, row);
    const pins = this.pins(picture);
    const isPinned = query === pins.query && key === pins.key;
    const parts = [
      `${isPinned ? "pinned: " : ""}query ${picture.rows.starts[query]}${key === null ? "" : `, key ${columns.starts[key]}`}`,
    ];
    if (!picture.signed) {
      const exact = this.exactRow(picture.side, head, query, false);
      const shown = exact ?? row;
      const left = shown.reduce((sum, weight) => sum + (weight || 0), 0);
      if (shares.hidden) parts.push("this query is hidden by the filters");
      else {
        const open = isOpen(this.filter());
        const drawn = shares.total - shares.special - shares.direction - shares.small;
        parts.push(
          open
            ? `row sum ${left.toFixed(exact ? 3 : 2)}`
            : `drawn ${drawn.toFixed(2)} of the row’s ${shares.total.toFixed(2)}`,
        );
        const hidden = [];
        if (shares.special > 5e-4) hidden.push(`${formatPercent(shares.special / shares.total)} on special tokens`);
        if (shares.direction > 5e-4)
          hidden.push(`${formatPercent(shares.direction / shares.total)} in the other direction`);
        if (shares.small > 5e-4) hidden.push(`${formatPercent(shares.small / shares.total)} too small`);
        if (hidden.length > 0) parts.push(`hidden ${hidden.join(", ")}`);
        if (!aggregate.startsWith("max"))
          parts.push(`entropy ${open ? "" : "of what is drawn "}${entropy(shown).toFixed(2)} bits`);
      }
    }
    const heads = this.ribbonHeads();
    if (key !== null && heads.length > 1) {
      const list = heads.map(({ head: one }) => {
        picture.read(one, query, row);
        return { one, weight: row[key] };
      });
      list.sort((a, b) => Math.abs(b.weight) - Math.abs(a.weight));
      parts.push(
        `by head ${list
          .slice(0, 6)
          .map(({ one, weight }) => `${one}: ${formatWeight(weight, false, picture.signed)}`)
          .join(", ")}`,
      );
    }
    return parts.join(" · ");
  }

  drawWhy() {
    const { _meta: meta, kind, layer, head, aggregate, words, query: pinnedQuery, key: pinnedKey } = this.state;
    const { why, store } = this;
    const stage = this.stages.find(({ picture }) => picture.ready && picture.side === this.lastSide) ?? this.stages[0];
    const side = stage?.picture.side ?? 0;
    const shape = this.shape(side);
    const say = (/** @type {string} */ text) => {
      this.whyKey = text;
      why.say(text);
    };
    if (!shape || !shape.why)
      return say(
        meta.live || !meta.sides[side].model
          ? "Queries and keys are not known here, only weights: capture a model to see why."
          : "Queries and keys are not stored in this page: save(path, why=True) stores them.",
      );
    if (aggregate !== "none") return say("An aggregate has no query and key of its own: show one head.");
    if (words) return say("Words have no query and key of their own, pieces have: switch “words” off.");
    const focus = stage?.picture.ready ? this.focus(stage.picture) : { query: pinnedQuery, key: pinnedKey };
    const pair = focus.query !== null && focus.key !== null ? focus : this.last;
    const [axisQ, axisK] = [this.axis(side, "queries"), this.axis(side, "keys")];
    const { query, key } = pair;
    if (query === null || key === null || query >= axisQ.size || key >= axisK.size)
      return say("Point at a cell of the matrix, or choose a query and a key, to see where the weight comes from.");
    const name = `${side}/${kind}/why/${layer}/${head}`;
    if (!store.blocks.has(name))
      return say("Queries and keys are not stored in this page: save(path, why=True) stores them.");
    const now = [name, this.state._version, query, key, kind].join();
    if (now === this.whyKey) return;
    const block = store.want(name);
    if (!block) {
      if (store.failed.has(name)) say(store.failed.get(name) ?? "");
      return;
    }
    this.whyKey = now;
    if (this.whyNumbers?.block !== block) this.whyNumbers = { block, numbers: decodeFloats(block) };
    const scaling = shape.scaling[layer];
    const found = explain(
      this.whyNumbers.numbers,
      { queries: axisQ.size, keys: axisK.size, size: shape.head_size, scaling },
      query,
      key,
    );
    const layerBlock = store.here.get(`${side}/${kind}/layer/${layer}`);
    let check = "";
    if (layerBlock) {
      const drawn = WEIGHTS[decodeCodes(layerBlock)[(head * axisQ.size + query) * axisK.size + key]];
      check = `the model’s own weight, as drawn: ${formatWeight(drawn)} ${formatError(errorOf(drawn))}`;
    }
    const exactName = `${side}/${kind}/exact/${layer}/${head}/${query}`;
    const exact = store.here.get(exactName);
    if (exact) {
      const weight = exact.getFloat32(4 * key, true);
      check = `the model’s own weight: ${formatWeight(weight, true)}, differs by ${Math.abs(weight - found.weights[key])
        .toExponential(0)
        .replace("-", "−")}`;
    } else if (meta.live) this.whyKey = ""; // once the exact weight is here, it stands beside
    why.show(found, {
      query: axisQ.labels[query],
      key: axisK.labels[key],
      keyAt: key,
      queryAt: query,
      names: axisK.labels,
      layer,
      head,
      side: meta.sides.length > 1 ? meta.sides[side].name : "",
      scaling,
      weight: check,
    });
  }

  /** Fill the table only while it is open: with many tokens it is the largest thing on the page. */
  drawTable() {
    const { box, summary, table } = this.table;
    const stage = this.stages.find(({ picture }) => picture.ready);
    if (!stage) return;
    const { picture } = stage;
    const { rows, columns } = picture;
    const query = Math.min(this.pins(picture).query ?? this.chosenQuery, rows.size - 1);
    summary.replaceChildren(
      "Weights of query ",
      element("bdi", {}, rows.labels[query]),
      ` (${rows.starts[query]}) as a table`,
    );
    if (!box.open) return table.replaceChildren();
    const heads = this.ribbonHeads();
    const { aggregate } = this.state;
    const values = heads.map(({ head }) => {
      const row = new Float32Array(columns.size);
      picture.read(head, query, row);
      return row;
    });
    const shown = Array.from(columns.labels.keys()).filter((key) => !Number.isNaN(values[0][key]));
    shown.sort(
      (a, b) => Math.max(...values.map((row) => Math.abs(row[b]))) - Math.max(...values.map((row) => Math.abs(row[a]))),
    );
    const title = aggregate === "none" ? heads.map(({ head }) => `head ${head}`) : ["weight"];
    return table.replaceChildren(
      element(
        "caption",
        {},
        `${this.state._meta.sides.length > 1 ? `${picture.name}: ` : ""}${this.heading.textContent}, strongest first, as drawn (each within ${formatError(this.state._meta.error)})`,
      ),
      element(
        "thead",
        {},
        element("tr", {}, ...["key", "token", ...title].map((name) => element("th", { scope: "col" }, name))),
      ),
      element(
        "tbody",
        {},
        ...shown.map((key) =>
          element(
            "tr",
            {},
            element("td", {}, String(columns.starts[key])),
            element("th", { scope: "row" }, element("bdi", {}, columns.labels[key])),
            ...values.map((row) => element("td", {}, formatWeight(row[key], false, picture.signed))),
          ),
        ),
      ),
    );
  }

  end() {
    clearTimeout(this.resting);
    for (const stage of this.stages.splice(0)) this.endStage(stage);
    this.overview.free();
    this.life.end();
    this.root.remove();
  }
}

/** Of how many pieces a word is. @param {Axis} axis @param {number} i */
function pieceCount(axis, i) {
  return axis.starts[i + 1] - axis.starts[i];
}

/** The error of a sum over pieces, at most. @param {number} weight @param {number} count of pieces */
function drawnError(weight, count) {
  return count * errorOf(weight / count);
}

/** A weight as drawn, with its error. @param {number} weight @param {number} count of pieces */
function drawnWeight(weight, count) {
  const error = drawnError(weight, count);
  return `${formatWeight(weight, error < 5e-4)} ${formatError(error)}`;
}

/** The first token that is not special, where keys begin. @param {Axis} axis */
function firstToken(axis) {
  return Math.max(0, axis.special.indexOf(false));
}

/**
 * anywidget's entry; the saved page calls the same.
 * @param {{model: any, el: HTMLElement}} place
 * @returns {() => void} takes the view down again
 */
function render({ model, el }) {
  const view = new AttentionView(model, el);
  return () => view.end();
}

export default { render };
