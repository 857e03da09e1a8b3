// The map: frames with boxes in the order in which a text passes them. Arrow keys lead from box to box.

import { element, setAttributes, setText } from "../../../base/js/elements.js";
import { indexAfterKey, onKeys } from "../../../base/js/keys.js";
import { axesOf, shapeText } from "../steps.js";
import { MapBox, tellsItsShape } from "./box.js";
import { Wires, port } from "./wires.js";
import { boxesOf, groupsOf } from "../../language/boxes.js";
import { say } from "../../language/say.js";

/** @import { Machine } from "../../view.js" */
/** @import { Box, Group } from "../steps.js" */

/** The frames that stand beside each other, from top to bottom; those of a layer stand in one more frame. */
const LINES = [["embeddings"], ["attention"], ["feed_forward"], ["lm_head", "pooler", "nsp_head"]];

/** The halves of a layer, and the box that each leads to. */
const HALVES = /** @type {Record<string, string>} */ ({ attention: "attended", feed_forward: "output" });

/** What a narrow page says in place of the line of a residual connection. */
/** @type {Record<string, () => string>} */
const RESIDUAL = { attended: () => "+ x →", output: () => say("attended_sign") };

export class MachineMap {
  /** @param {Machine} view */
  constructor(view) {
    this.view = view;
    /** @type {Group[]} */
    this.groups = groupsOf(view.model);
    /** @type {Box[]} */
    this.boxes = boxesOf(view.model);
    /** @type {MapBox[]} */
    this.shown = [];
    /** @type {{shapes: HTMLElement, boxes: Box[], frame: HTMLElement}[]} */
    this.shapes = [];
    /** The box that Tab leads to. */
    this.reached = "word";
    this.layers = this.makeLayers();
    this.after = element("span", {});
    const lines = LINES.map((ids) => this.makeLine(ids));
    this.shown.sort((a, b) => this.boxes.indexOf(a.box) - this.boxes.indexOf(b.box));
    const inside = element("div", { class: "bvl-inside" }, ...lines.slice(1, 3));
    const layer = element("div", { class: "bvl-layer-frame" }, this.layers.box, inside);
    layer.classList.toggle("bvl-is-here", view.model.get("here") === "encoder");
    this.box = element("div", {
      class: "bvl-map",
      role: "group",
      "aria-label": say("map_label"),
    });
    this.wires = new Wires(view, this.box);
    const [embeddings, , , heads] = lines;
    this.box.append(
      this.wires.below,
      embeddings,
      arrow(),
      layer,
      arrow(this.after),
      heads,
      this.wires.svg,
      this.wires.said,
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
      element("button", { type: "button", "aria-label": say("layer", { i }) }, String(i)),
    );
    for (const [i, button] of buttons.entries()) view.life.listen(button, "click", () => view.set({ layer: i }));
    const box = element(
      "div",
      { class: "bvl-layers" },
      element("span", { class: "bvl-group-name" }, say("encoder")),
      element("span", { class: "bvl-soft" }, say("chapter", { chapter: "04" })),
      ...(view.model.get("here") === "encoder" ? [hereMark()] : []),
      element("span", { class: "bvl-layer-buttons", role: "group", "aria-label": say("layer_shown") }, ...buttons),
      element("span", { class: "bvl-soft" }, layers === 1 ? say("only_layer") : say("layers", { layers })),
    );
    box.classList.toggle("bvl-many", layers > 6);
    return { box, buttons };
  }

  /** @param {string[]} ids of groups */
  makeLine(ids) {
    const line = element("div", { class: "bvl-line" }, ...ids.map((id) => this.makeGroup(id)));
    const end = HALVES[ids[0]];
    if (end) {
      const box = /** @type {Box} */ (this.boxes.find(({ id }) => id === end));
      line.prepend(port(ids[0], ids[0] === "attention" ? "x" : ""));
      line.append(this.makeStep(box, sign(RESIDUAL[end](), "bvl-narrow-only")));
    }
    return line;
  }

  /**
   * @param {Box} box
   * @param {HTMLElement[]} before
   */
  makeStep(box, ...before) {
    const shown = new MapBox(this.view, box, this.view.model.get("here") === box.id && box.id !== box.group);
    this.shown.push(shown);
    const step = element("span", { class: "bvl-step", "data-step": box.id }, ...before, shown.button);
    step.style.setProperty("--bvl-order", String(this.boxes.indexOf(box)));
    return step;
  }

  /** @param {string} id */
  makeGroup(id) {
    const here = this.view.model.get("here");
    const group = /** @type {Group} */ (this.groups.find((one) => one.id === id));
    const boxes = this.boxes.filter((box) => box.group === id);
    const steps = boxes.map((box) => this.makeStep(box, ...(box.before ? [sign(box.before)] : [])));
    const head = element(
      "div",
      { class: "bvl-group-head" },
      element("span", { class: "bvl-group-name" }, group.name),
      element("span", { class: "bvl-soft" }, say("chapter", { chapter: boxes[0].chapter })),
    );
    if (here === id || boxes.some((box) => box.id === here)) head.append(hereMark());
    const shapes = element("span", { class: "bvl-soft bvl-group-axes" });
    head.append(shapes);
    const frame = element(
      "div",
      { class: "bvl-group", "data-group": id },
      head,
      element("div", { class: "bvl-row" }, ...steps),
    );
    frame.classList.toggle("bvl-is-here", here === id);
    this.shapes.push({ shapes, boxes, frame });
    return frame;
  }

  draw() {
    const { model } = this.view;
    const layer = model.get("layer");
    const { layers } = model.get("_model");
    for (const [i, button] of this.layers.buttons.entries())
      setAttributes(button, { "aria-pressed": String(i === layer) });
    setText(this.after, afterLayer(layer, layers));
    if (model.get("box") !== null && this.shown.some(({ box }) => box.id === model.get("box"))) {
      if (!this.box.contains(document.activeElement)) this.reached = model.get("box");
    }
    for (const { shapes, boxes, frame } of this.shapes) {
      const isThere = boxes.some((box) => this.view.has(box.id));
      setText(shapes, isThere ? commonShape(boxes, this.view.sizes) : "");
      frame.classList.toggle("bvl-missing-group", !isThere);
    }
    this.box.classList.toggle("bvl-no-lm-head", !this.view.has("words"));
    for (const shown of this.shown) shown.draw();
    this.wires.draw();
  }
}

/** Where a layer's result goes. @param {number} layer @param {number} layers */
function afterLayer(layer, layers) {
  if (layer === layers - 1) return say("after_last");
  return layer === layers - 2
    ? say("through_layer", { layer: layers - 1 })
    : say("through_layers", { from: layer + 1, to: layers - 1 });
}

export const hereMark = () => element("span", { class: "bvl-here" }, say("here"));

/** @param {string} text @param {string} [also] another class */
const sign = (text, also = "") => element("span", { class: `bvl-sign ${also}`, "aria-hidden": "true" }, text);

/**
 * The shape that all boxes of a group have that do not tell their own.
 * @param {Box[]} boxes
 * @param {Record<string, number>} sizes
 */
function commonShape(boxes, sizes) {
  const silent = boxes.find((box) => !tellsItsShape(box));
  return silent ? shapeText(axesOf(silent, sizes)) : "";
}

/** @param {Node[]} beside */
const arrow = (...beside) =>
  element("div", { class: "bvl-down", "aria-hidden": "true" }, element("span", { class: "bvl-arrow" }), ...beside);
