// A stage: one picture as ribbons and as a matrix.

import { element, setAttributes, setText } from "../../base/js/elements.js";
import { onKeys } from "../../base/js/keys.js";
import { Life } from "../../base/js/life.js";
import { MatrixPanel } from "./canvas/matrix.js";
import { RibbonPanel } from "./canvas/ribbons.js";

/** @import { Extent, Focus, Picture, Scene } from "./canvas/scene.js" */

const KEYS = "Arrow keys move query and key, with Shift layer and head; Enter pins, Escape unpins.";

/**
 * What a stage tells of the reader's doing.
 * @typedef {object} StageEvents
 * @property {(at: Focus | null, side?: number, linked?: "ribbons" | "matrix") => void} point
 * @property {(at: Focus, picture: Picture) => void} pin
 * @property {(event: KeyboardEvent, picture: Picture) => boolean} press
 * @property {(from: HTMLElement, which: "ribbons" | "matrix") => void} scrolled
 * @property {(factor: number, stage: Stage, at: {x: number, y: number}) => void} pinch
 */

export class Stage {
  /** @param {StageEvents} events */
  constructor(events) {
    this.life = new Life();
    this.events = events;
    /** @type {Picture | null} */
    this.shown = null;
    this.ribbons = new RibbonPanel();
    this.matrix = new MatrixPanel();
    this.title = element("h5", { class: "bvl-side-title" });
    this.message = element("p", { class: "bvl-soft" });
    const parts = [this.title, this.message, this.ribbons.box, this.matrix.box];
    this.el = element("div", { class: "bvl-stage" }, ...parts);
    this.listen(this.ribbons, "ribbons", "matrix");
    this.listen(this.matrix, "matrix", "ribbons");
    this.listenToFingers();
  }

  /** @returns {Picture} */
  get picture() {
    return /** @type {Picture} */ (this.shown);
  }

  /**
   * @param {RibbonPanel | MatrixPanel} panel
   * @param {"ribbons" | "matrix"} which
   * @param {"ribbons" | "matrix"} other
   */
  listen(panel, which, other) {
    const { life, events } = this;
    const at = (/** @type {PointerEvent} */ event) => {
      const { left, top } = panel.canvas.getBoundingClientRect();
      return panel.at(event.clientX - left, event.clientY - top, this.picture);
    };
    life.listen(panel.box, "pointermove", (event) => {
      if (event.pointerType !== "touch" && this.picture.ready) events.point(at(event), this.picture.side, other);
    });
    life.listen(panel.box, "pointerleave", (event) => {
      if (event.pointerType !== "touch") events.point(null);
    });
    life.listen(panel.box, "click", (event) => {
      const place = this.picture.ready ? at(event) : null;
      if (place) events.pin(place, this.picture);
    });
    onKeys(life, panel.box, (event) => events.press(event, this.picture), { shift: true });
    life.listen(panel.box, "scroll", () => events.scrolled(panel.box, which), { passive: true });
  }

  /** Two fingers drawn apart come as a wheel with Ctrl. */
  listenToFingers() {
    const { box } = this.matrix;
    const enlarge = (/** @type {WheelEvent} */ event) => {
      if (!event.ctrlKey) return;
      const { left, top } = box.getBoundingClientRect();
      const at = { x: event.clientX - left, y: event.clientY - top };
      this.events.pinch(Math.exp(-event.deltaY / 100), this, at);
      event.preventDefault();
    };
    this.life.listen(box, "wheel", enlarge, { passive: false });
  }

  /**
   * Take another picture; while the next layer is on its way, the last one stays in sight.
   * @param {Picture} picture
   * @param {boolean} isAlone whether its name need not be said
   */
  take(picture, isAlone) {
    const { ready, problem, key } = picture;
    if (ready || problem || !this.shown || this.shown.key === key) this.shown = picture;
    this.el.classList.toggle("bvl-waiting", !ready && !problem);
    setText(this.title, picture.name);
    this.title.hidden = isAlone;
    setText(this.message, problem);
    this.message.hidden = problem === "";
  }

  /**
   * @param {Scene} scene
   * @param {Extent} extent
   * @param {object} space
   * @param {number} space.room width
   * @param {boolean} space.beside whether ribbons and matrix stand beside each other
   */
  draw(scene, extent, { room, beside }) {
    const { picture, ribbons, matrix } = this;
    const { size } = scene.theme;
    this.el.classList.toggle("bvl-beside", beside);
    const tallest = Math.round(34 * size);
    const narrow = picture.rows.size > 60 ? 18.5 : 20; // many tokens: the matrix needs the room
    const forRibbons = beside ? Math.floor(Math.min(narrow * size, room * 0.4)) : room;
    ribbons.layout(scene, extent, forRibbons, tallest);
    matrix.layout(scene, extent, beside ? room - forRibbons - 1.2 * size : room, tallest);
    matrix.paint(scene);
    ribbons.paint(scene);
  }

  /**
   * Say what is drawn.
   * @param {string} what the matrix shows
   * @param {string} heads that the ribbons show
   * @param {string} side
   */
  name(what, heads, side) {
    const { ribbons, matrix } = this;
    const { rows, columns } = this.picture;
    setAttributes(matrix.box, { "aria-label": `Matrix of attention weights${side}. ${KEYS}` });
    setAttributes(matrix.canvas, {
      "aria-label": `Attention weights of ${what}${side}: ${rows.size} queries by ${columns.size} keys`,
    });
    setAttributes(ribbons.box, { "aria-label": `Ribbons from queries to keys${side}. ${KEYS}` });
    const ends = `as ribbons from ${rows.size} queries to ${columns.size} keys`;
    setAttributes(ribbons.canvas, { "aria-label": `Attention weights of ${heads}${side}, ${ends}` });
  }

  end() {
    this.life.end();
    this.ribbons.free();
    this.matrix.free();
    this.el.remove();
  }
}
