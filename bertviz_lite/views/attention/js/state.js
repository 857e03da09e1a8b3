// What the explorer is about: its traits, the shapes and tokens behind them, and where the reader is.

import { Asker } from "../../base/js/asking/asker.js";
import { isRecording } from "../../base/js/asking/sending.js";
import { Ruler } from "./canvas/ruler.js";
import { readTheme } from "./canvas/theme.js";
import { Store } from "./store.js";
import { groupOf, makeAxis } from "./weights/axis.js";
import { headColour } from "./weights/colours.js";
import { say } from "../language/say.js";

/** @import { Life } from "../../base/js/life.js" */
/** @import { Focus, Picture } from "./canvas/scene.js" */
/** @import { Theme } from "./canvas/theme.js" */
/** @import { Axis } from "./weights/axis.js" */

/** Texts of more tokens start with the strongest half of their ribbons. */
const LONG = 64;

export const TRAITS = [
  ...["kind", "side", "layer", "head", "heads", "aggregate", "query", "key", "direction", "hide_special"],
  ...["renormalise", "threshold", "mass", "words", "edits", "heads_off"],
  ...["text", "text_pair", "_meta", "_version", "_busy", "_problem", "_predictions"],
];

/** @typedef {"matrix" | "ribbons" | "both"} Panels */

/** Every part of the explorer draws from this, and changes nothing else. */
export class ExplorerState {
  /**
   * @param {any} model
   * @param {Life} life
   * @param {HTMLElement} root
   * @param {(what: "focus" | "all") => void} soon draws what has changed
   */
  constructor(model, life, root, soon) {
    this.model = model;
    this.life = life;
    this.root = root;
    this.soon = soon;
    this.store = new Store(model, life, () => soon("all"));
    this.asker = new Asker(model, life, () => {
      if (!this.asker.busy) this.wanted = {};
      soon("all");
    });
    /** What is asked for and not answered yet. @type {{edits?: Record<string, string>, heads_off?: number[][]}} */
    this.wanted = {};
    /** Whether what was asked last is a change of tokens or heads, not a text. */
    this.hasAskedChange = false;
    /** A saved page whose model answers. */
    this.isAlive = model.isSaved === true && !isRecording(model);
    this.ruler = new Ruler();
    /** Values of the traits when all was drawn last. @type {Record<string, any>} */
    this.traits = {};
    /** @type {Map<string, Axis>} */
    this.axes = new Map();
    /** What is pointed at, by mouse or keys. @type {Focus | null} */
    this.cursor = null;
    /** Whether the cursor was put there by keys: it stays there. */
    this.isByKeys = false;
    /** The pair that was pointed at last: keys begin there, and why stays with it. @type {Focus} */
    this.last = { query: null, key: null };
    this.lastSide = 0;
    /** The query that the table is about, by keys or click. */
    this.chosenQuery = 0;
    /** Where the mouse is, in the window; null for keys and fingers. @type {{x: number, y: number} | null} */
    this.mouse = null;
    /** Which pictures the reader wants; null: those that there is room for. @type {Panels | null} */
    this.panels = null;
    /** Whether ribbons show of each query only the strongest that make up half; null: of long texts. */
    this.isHalf = /** @type {boolean | null} */ (null);
    /** Whether a click on a small picture switches its head off, rather than showing it. */
    this.isSwitching = false;
    /** @type {Theme | null} */
    this.knownTheme = null;
    /** @type {number | null} */
    this.version = null;
    /** @type {any} */
    this.meta = null;
    /** The same, with what a page can do by itself. @type {any} */
    this.toldMeta = null;
    /** The tokens of the text, without the changes: where the reader is belongs to them. @type {string | null} */
    this.tokens = null;
  }

  /** Take the values of the traits, and let go of what the model's new run has made wrong. */
  read() {
    this.traits = Object.fromEntries(TRAITS.map((name) => [name, this.model.get(name)]));
    const { _version: version, _meta: meta } = this.traits;
    if (this.version !== null && version !== this.version) this.store.forget();
    if (version !== this.version || meta !== this.meta) this.axes.clear();
    if (meta !== this.meta) {
      this.toldMeta = this.isAlive ? asAlive(meta) : meta;
      const tokens = tokensOf(meta);
      if (this.tokens !== null && tokens !== this.tokens) this.letGo();
      this.tokens = tokens;
    }
    this.version = version;
    this.meta = meta;
    this.traits._meta = this.toldMeta;
  }

  /** @returns {Theme} */
  get theme() {
    this.knownTheme ??= readTheme(this.root);
    return this.knownTheme;
  }

  /** Read the colours and letters again: they may be others now. */
  forgetTheme() {
    this.knownTheme = null;
  }

  // ---- what the reader changes

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
    const { heads, aggregate } = this.traits;
    /** @type {Record<string, unknown>} */
    const changes = { layer, head };
    if (aggregate !== "none" && head !== this.traits.head) changes.aggregate = "none";
    if (heads.length > 0 && !heads.includes(head)) changes.heads = [];
    this.set(changes);
  }

  /** @param {string} kind */
  setKind(kind) {
    const { layers, heads, keys } = this.traits._meta.sides[0].kinds[kind];
    const { layer, head, aggregate } = this.traits;
    this.letGo();
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

  /** Point at nothing, and forget what was pointed at. */
  letGo() {
    this.cursor = null;
    this.isByKeys = false;
    this.last = { query: null, key: null };
  }

  /** Switch a head of the first kind of attention off, or on again. @param {number} layer @param {number} head */
  switchHead(layer, head) {
    const { off } = this;
    if (!this.canSwitch) return;
    const rest = off.filter((/** @type {number[]} */ pair) => pair[0] !== layer || pair[1] !== head);
    const more = [...off, [layer, head]].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    this.change({ heads_off: rest.length < off.length ? rest : more });
  }

  /** Have the model run again. @param {{edits?: Record<string, string>, heads_off?: number[][]}} values */
  change(values) {
    Object.assign(this.wanted, values);
    this.hasAskedChange = true;
    this.asker.ask(values);
    this.soon("all");
  }

  /** The tokens that are replaced, or are about to be. @returns {Record<string, string>} */
  get edits() {
    return this.wanted.edits ?? this.traits.edits;
  }

  /** The heads that are off, or are about to be. @returns {number[][]} */
  get off() {
    return this.wanted.heads_off ?? this.traits.heads_off;
  }

  get isBusy() {
    return Boolean(this.traits._busy) || this.asker.busy;
  }

  /** Whether the heads that are shown can be switched off. */
  get canSwitch() {
    const { _meta: meta, kind } = this.traits;
    return meta.can_run && kind === Object.keys(meta.sides[0].kinds)[0];
  }

  /** Whether a value of a trait, from outside, has a meaning here. @param {string} name @param {any} value */
  accepts(name, value) {
    const { _meta: meta } = this.traits;
    const kinds = meta.sides[0].kinds;
    const kind = kinds[this.model.get("kind")];
    const isBelow = (/** @type {any} */ number, /** @type {number} */ end) =>
      Number.isInteger(number) && number >= 0 && number < end;
    const isShare = Number.isFinite(value) && value >= 0 && value <= 1;
    const queries = kind.queries.tokens.length;
    const keys = (kind.keys ?? kind.queries).tokens.length;
    /** @type {Record<string, () => boolean>} */
    const checks = {
      kind: () => Object.hasOwn(kinds, value),
      side: () =>
        value === "first" ||
        (meta.sides.length > 1 && ["second", "both", this.noDifference() ? "" : "difference"].includes(value)),
      layer: () => isBelow(value, kind.layers),
      head: () => isBelow(value, kind.heads),
      heads: () => value?.every((/** @type {any} */ head) => isBelow(head, kind.heads)) === true,
      aggregate: () =>
        ["none", "mean heads", "max heads", "mean all", "max all", ...(kind.keys ? [] : ["rollout"])].includes(value),
      query: () => value === null || isBelow(value, queries),
      key: () => value === null || isBelow(value, keys),
      direction: () => ["all", "A→A", "A→B", "B→A", "B→B"].includes(value),
      threshold: () => isShare,
      mass: () => isShare && value > 0,
    };
    return checks[name]?.() ?? typeof value === "boolean";
  }

  // ---- shapes and tokens

  shape(side = this.sides()[0]) {
    return this.traits._meta.sides[side].kinds[this.traits.kind];
  }

  /** The sides that are shown. */
  sides() {
    const two = this.traits._meta.sides.length > 1;
    const { side } = this.traits;
    if (!two || side === "first") return [0];
    return side === "second" ? [1] : [0, 1];
  }

  /** Why there is no difference of the two sides; empty if there is. */
  noDifference() {
    const [a, b] = this.traits._meta.sides.map((/** @type {any} */ side) => side.kinds[this.traits.kind]);
    if (!b) return "";
    const size = (/** @type {any} */ shape) => [
      shape.queries.tokens.length,
      (shape.keys ?? shape.queries).tokens.length,
    ];
    const [first, second] = [size(a), size(b)];
    if (first.join() === second.join()) return "";
    return say("no_difference", { first: first[0], second: second[0] });
  }

  /**
   * @param {number} side
   * @param {"queries" | "keys"} which
   * @returns {Axis}
   */
  axis(side, which) {
    const { kind, words } = this.traits;
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
    const { direction, hide_special: hideSpecial, renormalise, threshold, mass } = this.traits;
    return { direction, hideSpecial, renormalise, threshold, mass };
  }

  /** @param {number} side @param {number} layer @param {number} head */
  stats(side, layer, head) {
    const block = this.store.want(`${side}/${this.traits.kind}/stats`);
    const { heads, layers } = this.shape(side);
    if (!block || layer >= layers || head >= heads) return null;
    return Array.from({ length: 4 }, (_, i) => block.getFloat32(4 * ((layer * heads + head) * 4 + i), true));
  }

  // ---- where the reader is

  /** The pins of the traits, on a stage's axes. @param {Picture} picture @returns {Focus} */
  pins(picture) {
    const { query, key } = this.traits;
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

  /** The token that a change is about: where keys have gone, else the pinned one. @returns {number | null} its place */
  get held() {
    const { cursor, lastSide, traits } = this;
    const pinned = traits.query ?? traits.key;
    if (!cursor || !this.isByKeys) return pinned;
    const which = cursor.query === null ? "keys" : "queries";
    const place = cursor.query ?? cursor.key;
    const { starts, size } = this.axis(lastSide, which);
    return place !== null && place < size ? starts[place] : pinned;
  }

  /** Whether ribbons show of each query only the strongest weights that make up half of it. */
  get showsHalf() {
    return this.isHalf ?? this.isLong;
  }

  /** Whether all ribbons of the text would be a grey tube. */
  get isLong() {
    return this.sides().some((side) => this.shape(side).queries.tokens.length > LONG);
  }

  /** The heads drawn as ribbons, with their colours. @returns {{head: number, colour: number[]}[]} */
  ribbonHeads() {
    const { heads, head, aggregate } = this.traits;
    const { theme } = this;
    if (aggregate !== "none" || heads.length === 0) return [{ head, colour: theme.single }];
    const { heads: count } = this.shape();
    if (heads.length === 1) return [{ head: heads[0], colour: theme.single }];
    return heads.map((/** @type {number} */ each) => ({ head: each, colour: headColour(each, count, theme.dark) }));
  }
}

/**
 * The tokens of the first side, whose text is as it was typed: of the second some may be replaced.
 * @param {any} meta
 */
function tokensOf(meta) {
  const kinds = Object.values(meta.sides[0].kinds);
  return JSON.stringify(kinds.map(({ queries, keys }) => [queries.tokens, keys?.tokens]));
}

/**
 * What a saved page says about itself, where its model is in it.
 * @param {any} meta
 */
function asAlive(meta) {
  const sides = meta.sides.map((/** @type {any} */ side) => {
    const kinds = Object.entries(side.kinds).map(([name, kind]) => [name, { ...kind, why: true }]);
    return { ...side, kinds: Object.fromEntries(kinds) };
  });
  return { ...meta, sides, can_run: true, can_ask: true };
}
