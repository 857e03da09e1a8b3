// The lines of the map: what goes from box to box. They are drawn anew from the places of the boxes.

import { element, setAttributes, setText, svgElement } from "../../../base/js/elements.js";
import { around, branch, outside, route, under } from "./routes.js";
import { say } from "../../language/say.js";

/** @import { Machine } from "../../view.js" */
/** @import { Place } from "./routes.js" */

/** From where to where; the ports are where a part of a layer takes in what it reads. */
const STEPS = [
  ["attention", "query"],
  ["attention", "key"],
  ["attention", "value"],
  ["query", "weights"],
  ["key", "weights"],
  ["weights", "context"],
  ["context", "projected"],
  ["projected", "attended"],
  ["feed_forward", "up"],
  ["up", "activated"],
  ["activated", "down"],
  ["down", "output"],
  ["transform", "words"],
  ["pooler", "verdict"],
];
const RESIDUALS = [
  ["attention", "attended"],
  ["feed_forward", "output"],
];

/** How far from a line's ends two lines that reach the same box stand apart. */
const APART = /** @type {Record<string, number>} */ ({ query: 0.35, key: 0.55, weights: 0.4 });

export class Wires {
  /**
   * @param {Machine} view
   * @param {HTMLElement} map
   */
  constructor(view, map) {
    this.view = view;
    this.map = map;
    this.svg = svgElement("svg", { class: "bvl-wires", "aria-hidden": "true" });
    /** What runs under words. */
    this.below = svgElement("svg", { class: "bvl-wires bvl-below", "aria-hidden": "true" });
    /** From the chosen layer to its inside. */
    this.wedge = svgElement("path", { class: "bvl-wedge" });
    this.svg.append(this.wedge);
    /** What is written on lines. */
    this.said = element("div", { class: "bvl-said", "aria-hidden": "true" });
    /** The boxes in the order of the way. @type {string[]} */
    this.orders = view.model.get("_map").boxes.map((/** @type {{id: string}} */ { id }) => id);
    /** @type {Map<string, {lines: SVGElement[], to: string}>} */
    this.lines = new Map();
    /** @type {Map<string, HTMLElement>} */
    this.words = new Map();
    /** What is drawn: places that have not changed need no new lines. */
    this.key = "";
  }

  /**
   * Where a part of the map is; null if it is not to be seen.
   * @param {string} selector
   * @returns {Place | null}
   */
  placeOf(selector) {
    const part = this.map.querySelector(selector);
    const { left, top, right, bottom } = part?.getBoundingClientRect() ?? new DOMRect();
    if (right === left) return null;
    const from = this.map.getBoundingClientRect();
    return { left: left - from.left, top: top - from.top, right: right - from.left, bottom: bottom - from.top };
  }

  draw() {
    const boxes = [...this.map.querySelectorAll(".bvl-box")].map((box) => /** @type {HTMLElement} */ (box).dataset.box);
    const names = [...boxes, "attention", "feed_forward"];
    const selectors = names.map((name) => (boxes.includes(name) ? `[data-box="${name}"]` : `[data-port="${name}"]`));
    const at = Object.fromEntries(names.map((name, i) => [name, this.placeOf(selectors[i])]));
    const frames = {
      inside: this.placeOf(".bvl-inside"),
      layer: this.placeOf('.bvl-layer-buttons [aria-pressed="true"]'),
      trunk: this.placeOf(".bvl-layer-frame + .bvl-down .bvl-arrow"),
      lm: this.placeOf('[data-group="lm_head"]'),
      pooler: this.placeOf('[data-group="pooler"]'),
      attention: this.placeOf('[data-group="attention"]'),
      feed: this.placeOf('[data-group="feed_forward"]'),
    };
    const { is_tied } = this.view.facts;
    const key = JSON.stringify([at, frames, is_tied, this.orders.map((name) => this.view.has(name))]);
    if (key !== this.key) {
      this.key = key;
      this.drawSteps(at);
      this.drawLong(at, frames);
    }
    const open = this.view.model.get("box");
    for (const { lines, to } of this.lines.values()) lines[0].classList.toggle("bvl-leads-in", to === open);
  }

  /** @param {Record<string, Place | null>} at */
  drawSteps(at) {
    for (const [from, to] of STEPS) {
      const [start, end] = [at[from], at[to]];
      const isPort = from === "attention" || from === "feed_forward";
      const there = start && end && !(isPort && end.left < start.right) && this.view.has(to);
      this.put(`${from}-${to}`, there ? route(start, end, APART[from]) : null, to);
    }
    const { value, weights, context } = at;
    this.put("value-context", value && weights && context ? under(value, weights, context) : null, "context");
  }

  /**
   * What runs outside of the frames: residual connections, from one half of the layer to the other, to the heads, and
   * the table that two boxes share.
   * @param {Record<string, Place | null>} at
   * @param {Record<string, Place | null>} frames
   */
  drawLong(at, frames) {
    for (const [from, to] of RESIDUALS) {
      const [port, end] = [at[from], at[to]];
      const frame = from === "attention" ? frames.attention : frames.feed;
      const isBeside = port && end && frame && end.left >= frame.right;
      const isAbove = from === "attention";
      const along = frame ? (isAbove ? frame.top - 8 : frame.bottom + 8) : 0;
      const line = isBeside
        ? around({ x: middle(port), y: isAbove ? port.top : port.bottom }, along, {
            x: middle(end),
            y: isAbove ? end.top - 1 : end.bottom + 1,
          })
        : null;
      this.put(`residual-${to}`, line, to, "bvl-residual");
      const words = from === "attention" ? say("residual_x") : say("residual_attended");
      this.say(`residual-${to}`, isBeside && frame ? { x: frame.left + 14, y: along - 1, words } : null);
    }
    const [first, second, frame] = [at.attended, at.feed_forward, frames.feed];
    const leads = first && second && frame && first.left > frame.right - 4;
    const gap = leads ? (first.bottom + frame.top) / 2 : 0;
    const back = leads
      ? around({ x: middle(first), y: first.bottom }, gap, { x: middle(second), y: second.top - 1 })
      : null;
    this.put("attended-up", back, "up");
    this.say("attended-up", leads ? { x: frame.left + 14, y: gap, words: say("attended_word") } : null);
    const { trunk, lm, pooler, layer, inside } = frames;
    const isWide = trunk && pooler && lm && pooler.left >= lm.right;
    const toPooler = isWide && this.view.has("pooler");
    const low = toPooler ? trunk.top + 7 : 0;
    const x = toPooler ? pooler.left + 14 : 0;
    const line = toPooler ? branch({ x: middle(trunk), y: low }, { x, y: pooler.top - 1 }) : null;
    const down = toPooler && !this.view.has("words") ? `M ${middle(trunk)} ${trunk.top} V ${low} ` : "";
    this.put("trunk-pooler", line && down + line, "pooler");
    this.say("trunk-pooler", toPooler ? { x: x + 9, y: low, words: say("cls_alone") } : null);
    const { word, words } = at;
    const tied = this.view.facts.is_tied && isWide && word && words;
    this.put("tied", tied ? outside(word, words, 5, lm.bottom + 8) : null, "words", "bvl-tied");
    this.say("tied", tied ? { x: lm.left + 14, y: lm.bottom + 8, words: say("tied") } : null);
    const wedge = layer && inside && inside.left >= layer.right;
    const [from, to] = [`M ${layer?.right} ${layer?.top}`, `L ${layer?.right} ${layer?.bottom} Z`];
    const shape = wedge ? `${from} L ${inside.left} ${inside.top + 24} V ${inside.bottom - 8} ${to}` : "";
    setAttributes(this.wedge, { d: shape });
  }

  /**
   * Draw a line, and over it the wave that runs along it.
   * @param {string} name
   * @param {string | null} d
   * @param {string} to the box that it leads to
   * @param {string} [also] a class
   */
  put(name, d, to, also = "") {
    if (!this.lines.has(name)) {
      const pulse = svgElement("path", { class: "bvl-pulse", pathLength: 1 });
      pulse.style.setProperty("--bvl-order", String(this.orders.indexOf(to)));
      const lines = [svgElement("path", { class: `bvl-wire ${also}` }), pulse];
      (name === "trunk-pooler" ? this.below : this.svg).append(...lines);
      this.lines.set(name, { lines, to });
    }
    for (const line of this.lines.get(name)?.lines ?? []) setAttributes(line, { d: d ?? "" });
  }

  /**
   * Write beside a line.
   * @param {string} name
   * @param {{x: number, y: number, words: string} | null} what
   */
  say(name, what) {
    let words = this.words.get(name);
    if (!words) {
      words = element("span", {
        class: name.startsWith("residual") || name === "attended-up" ? "bvl-line-words bvl-in-layer" : "bvl-line-words",
      });
      this.words.set(name, words);
      this.said.append(words);
    }
    words.hidden = what === null;
    if (!what) return;
    setText(words, what.words);
    Object.assign(words.style, { left: `${what.x}px`, top: `${what.y}px` });
  }
}

const middle = (/** @type {Place} */ { left, right }) => (left + right) / 2;

/** Where a part of the layer takes in what it reads. @param {string} name @param {string} [words] */
export const port = (name, words = "") =>
  element("span", { class: "bvl-port", "data-port": name, "aria-hidden": "true" }, words);
