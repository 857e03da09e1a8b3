// The map: frames with boxes in the order in which a text passes them. Arrow keys lead from box to box.

import { element, setAttributes, setText } from "../../../base/js/elements.js";
import { indexAfterKey, onKeys } from "../../../base/js/keys.js";
import { axesOf, shapeText } from "../steps.js";
import { MapBox, namesItsAxes } from "./box.js";

/** @import { Machine } from "../../view.js" */
/** @import { Box, Group } from "../steps.js" */

/** The frames that stand beside each other, from top to bottom; those of a layer stand in one more frame. */
const LINES = [["embeddings"], ["attention"], ["feed_forward"], ["lm_head", "pooler", "nsp_head"]];
const IN_LAYER = ["attention", "feed_forward"];

/** Two signs where a residual connection ends, and what a narrow page says in its place. */
const RESIDUAL = /** @type {Record<string, string>} */ ({ attended: "+ x", output: "+ attended" });

export class MachineMap {
  /** @param {Machine} view */
  constructor(view) {
    this.view = view;
    const { groups, boxes } = view.model.get("_map");
    /** @type {Group[]} */
    this.groups = groups;
    /** @type {Box[]} */
    this.boxes = boxes;
    /** @type {MapBox[]} */
    this.shown = [];
    /** @type {{shapes: HTMLElement, boxes: Box[]}[]} */
    this.shapes = [];
    /** The box that Tab leads to. */
    this.reached = "word";
    this.layers = this.makeLayers();
    this.after = element("span", {});
    const lines = LINES.map((ids) => this.makeLine(ids));
    const inside = element("div", { class: "bvl-inside" }, ...lines.slice(1, 3));
    const layer = element("div", { class: "bvl-layer-frame" }, this.layers.box, inside);
    this.box = element(
      "div",
      { class: "bvl-map", role: "group", "aria-label": "The map of BERT: arrow keys lead from box to box" },
      lines[0],
      arrow(),
      layer,
      arrow(this.after),
      lines[3],
    );
    onKeys(view.life, this.box, ({ key, target }) => {
      const now = this.shown.findIndex(({ button }) => button === target);
      const next = now < 0 ? null : this.indexAfter(key, now);
      if (next === null) return false;
      this.reached = this.shown[next].box.id;
      this.draw();
      this.shown[next].button.focus({ preventScroll: true });
      return true;
    });
  }

  /** @param {string} key @param {number} now */
  indexAfter(key, now) {
    if (key !== "ArrowUp" && key !== "ArrowDown") return indexAfterKey(key, now, this.shown.length);
    const from = this.shown[now].button.getBoundingClientRect();
    const middle = from.left + from.width / 2;
    const places = this.shown.map(({ button }) => button.getBoundingClientRect());
    const isBeyond = (/** @type {DOMRect} */ place) =>
      key === "ArrowUp" ? place.bottom <= from.top : place.top >= from.bottom;
    const away = (/** @type {DOMRect} */ place) =>
      Math.abs(place.top - from.top) * 10 + Math.abs(place.left + place.width / 2 - middle);
    const beyond = places.map((_, i) => i).filter((i) => isBeyond(places[i]));
    return beyond.sort((a, b) => away(places[a]) - away(places[b]))[0] ?? now;
  }

  makeLayers() {
    const { view } = this;
    const { layers } = view.model.get("_model");
    const buttons = Array.from({ length: layers }, (_, i) =>
      element("button", { type: "button", "aria-label": `layer ${i}` }, String(i)),
    );
    for (const [i, button] of buttons.entries()) view.life.listen(button, "click", () => view.set({ layer: i }));
    const box = element(
      "div",
      { class: "bvl-layers" },
      element("span", { class: "bvl-group-name" }, "Layer"),
      element("span", { class: "bvl-layer-buttons", role: "group", "aria-label": "Layer that is shown" }, ...buttons),
      element("span", { class: "bvl-soft" }, `of ${layers}`),
    );
    return { box, buttons };
  }

  /** @param {string[]} ids of groups */
  makeLine(ids) {
    return element("div", { class: "bvl-line" }, ...ids.map((id) => this.makeGroup(id)));
  }

  /** @param {string} id */
  makeGroup(id) {
    const here = this.view.model.get("here");
    const group = /** @type {Group} */ (this.groups.find((one) => one.id === id));
    const boxes = this.boxes.filter((box) => box.group === id);
    const chapters = [...new Set(boxes.map(({ chapter }) => chapter))];
    const isHere = here === id || (boxes.length === 1 && here === boxes[0].id);
    const row = element("div", { class: "bvl-row" });
    for (const [i, box] of boxes.entries()) {
      const shown = new MapBox(this.view, box, !isHere && here === box.id);
      this.shown.push(shown);
      const before = i === 0 && IN_LAYER.includes(id) ? [sign("x")] : box.before ? [sign(box.before)] : [];
      if (box.id in RESIDUAL) before.unshift(sign(RESIDUAL[box.id], "bvl-narrow-only"));
      const step = element("span", { class: "bvl-step", "data-step": box.id }, ...before, shown.button);
      step.style.setProperty("--bvl-order", String(this.boxes.indexOf(box)));
      row.append(step);
    }
    const head = element(
      "div",
      { class: "bvl-group-head" },
      element("span", { class: "bvl-group-name" }, group.name),
      element("span", { class: "bvl-soft" }, `chapter${chapters.length > 1 ? "s" : ""} ${chapters.join(", ")}`),
    );
    if (isHere || boxes.some((box) => box.id === here)) head.append(hereMark());
    const shapes = element("span", { class: "bvl-soft bvl-group-axes" });
    this.shapes.push({ shapes, boxes });
    head.append(shapes);
    const frame = element("div", { class: "bvl-group", "data-group": id }, head, row);
    frame.classList.toggle("bvl-is-here", isHere);
    if (IN_LAYER.includes(id)) {
      frame.append(
        element(
          "div",
          { class: "bvl-residual", "aria-hidden": "true" },
          element("span", {}, "residual connection: what came in is added"),
        ),
      );
    }
    return frame;
  }

  draw() {
    const { model } = this.view;
    const layer = model.get("layer");
    const { layers } = model.get("_model");
    for (const [i, button] of this.layers.buttons.entries())
      setAttributes(button, { "aria-pressed": String(i === layer) });
    setText(this.after, layer < layers - 1 ? `on through layer ${layer + 1} … ${layers - 1}` : "after the last layer");
    if (model.get("box") !== null && this.shown.some(({ box }) => box.id === model.get("box"))) {
      if (!this.box.contains(document.activeElement)) this.reached = model.get("box");
    }
    for (const { shapes, boxes } of this.shapes) setText(shapes, shapesText(boxes, this.view.sizes));
    for (const shown of this.shown) shown.draw();
  }
}

export const hereMark = () => element("span", { class: "bvl-here" }, "you are here");

/** @param {string} text @param {string} [also] another class */
const sign = (text, also = "") => element("span", { class: `bvl-sign ${also}`, "aria-hidden": "true" }, text);

/**
 * The shapes of a group's boxes that have no room for the names of their axes: that of most boxes, then the others'.
 * @param {Box[]} boxes
 * @param {Record<string, number>} sizes
 */
function shapesText(boxes, sizes) {
  const silent = boxes
    .filter((box) => !namesItsAxes(box))
    .map((box) => ({ name: box.name, shape: shapeText(axesOf(box, sizes)) }));
  const common = silent[0]?.shape ?? "";
  const others = silent.filter(({ shape }) => shape !== common).map(({ name, shape }) => `${name} ${shape}`);
  return [common, ...others].join(" · ");
}

/** @param {Node[]} beside */
const arrow = (...beside) =>
  element("div", { class: "bvl-down", "aria-hidden": "true" }, element("span", { class: "bvl-arrow" }), ...beside);
