// A stage: one picture as ribbons and as a matrix.

import { element, setAttributes, setText } from "../../base/js/elements.js";
import { onKeys } from "../../base/js/keys.js";
import { Life } from "../../base/js/life.js";
import { MatrixPanel } from "./canvas/matrix.js";
import { RibbonPanel } from "./canvas/ribbons.js";
import { say } from "../language/say.js";

/** @import { Extent, Focus, Picture, Scene } from "./canvas/scene.js" */
/** @import { Panels } from "./state.js" */

/**
 * What a stage tells of the reader's doing.
 * @typedef {object} StageEvents
 * @property {(at: Focus | null, where?: Where) => void} point
 * @property {(at: Focus, picture: Picture) => void} pin
 * @property {(event: KeyboardEvent, picture: Picture) => boolean} press
 * @property {(from: HTMLElement, which: "ribbons" | "matrix") => void} scrolled
 * @property {(factor: number, stage: Stage, at: {x: number, y: number}) => void} pinch
 */

/**
 * Where something is pointed at.
 * @typedef {object} Where
 * @property {number} [side]
 * @property {"ribbons" | "matrix"} [linked] the panels that follow, so that what is pointed at is in sight there too
 * @property {{x: number, y: number}} [mouse] in the window
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
      if (event.pointerType === "touch" || !this.picture.ready) return;
      const mouse = { x: event.clientX, y: event.clientY };
      events.point(at(event), { side: this.picture.side, linked: other, mouse });
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
   * Take another picture; while the next layer is on its way, the last one of the same tokens stays in sight.
   * @param {Picture} picture
   * @param {"hidden" | "empty" | "said"} title whether its name is said; empty keeps the place where it will be
   */
  take(picture, title) {
    const { ready, problem, key } = picture;
    const { shown } = this;
    if (ready || problem || !shown || shown.key === key || !areOfOneText(shown, picture)) this.shown = picture;
    this.el.classList.toggle("bvl-waiting", !ready && !problem);
    setText(this.title, title === "said" ? picture.name : "\u00a0");
    this.title.hidden = title === "hidden";
    setAttributes(this.title, { "aria-hidden": title === "empty" ? "true" : null });
    setText(this.message, problem);
    this.message.hidden = problem === "";
  }

  /**
   * @param {Scene} scene
   * @param {Extent} extent
   * @param {object} space
   * @param {number} space.room width
   * @param {number} space.tallest height that there is room for
   * @param {Panels} space.panels which of the pictures
   */
  draw(scene, extent, { room, tallest, panels }) {
    const { picture, ribbons, matrix } = this;
    const { size } = scene.theme;
    const beside = panels === "both";
    this.el.classList.toggle("bvl-beside", beside);
    ribbons.box.hidden = panels === "matrix";
    matrix.box.hidden = panels === "ribbons";
    const gap = 1.2 * size;
    let forRibbons = room;
    if (beside) {
      // Many tokens: the matrix needs the room. What the matrix leaves is the ribbons', more of it for many heads.
      const least = Math.min((picture.rows.size > 60 ? 18.5 : 20) * size, room * 0.4);
      const most = Math.min(room * (scene.heads.length > 1 ? 0.6 : 0.5), 44 * size);
      matrix.layout(scene, extent, room - least - gap, tallest);
      forRibbons = Math.floor(Math.max(least, Math.min(most, room - gap - matrix.whole - size)));
    }
    if (panels !== "matrix") {
      ribbons.layout(scene, extent, forRibbons, tallest);
      ribbons.paint(scene);
    }
    if (panels !== "ribbons") {
      matrix.layout(scene, extent, beside ? room - forRibbons - gap : room, tallest);
      matrix.paint(scene);
    }
  }

  /** The picture by which the reader finds a pair: the matrix, where it is shown. */
  get panel() {
    return this.matrix.box.hidden ? this.ribbons : this.matrix;
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
    const keys = say("stage_keys");
    setAttributes(matrix.box, { "aria-label": say("matrix_label", { side, keys }) });
    setAttributes(matrix.canvas, {
      "aria-label": say("matrix_canvas", { what, side, queries: rows.size, keys: columns.size }),
    });
    setAttributes(ribbons.box, { "aria-label": say("ribbons_label", { side, keys }) });
    const ends = { queries: rows.size, keys: columns.size };
    setAttributes(ribbons.canvas, { "aria-label": say("ribbons_canvas", { heads, side, ...ends }) });
  }

  end() {
    this.life.end();
    this.ribbons.free();
    this.matrix.free();
    this.el.remove();
  }
}

/**
 * Whether two pictures are of the same side and the same tokens.
 * @param {Picture} one
 * @param {Picture} other
 */
function areOfOneText(one, other) {
  const labels = (/** @type {Picture} */ { rows, columns }) => JSON.stringify([rows.labels, columns.labels]);
  return one.side === other.side && labels(one) === labels(other);
}
