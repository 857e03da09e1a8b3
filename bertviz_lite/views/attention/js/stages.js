// The stages side by side: one for each picture; where one is pointed at or scrolled, the others follow.

import { element } from "../../base/js/elements.js";
import { exactRow } from "./exact.js";
import { Stage } from "./stage.js";
import { firstToken } from "./weights/axis.js";
import { moveAfterKey } from "./weights/moves.js";
import { say } from "../language/say.js";

/** @import { Extent, Focus, Picture } from "./canvas/scene.js" */
/** @import { Where } from "./stage.js" */
/** @import { ExplorerState, Panels } from "./state.js" */
/** @import { Axis } from "./weights/axis.js" */

export class Stages {
  /**
   * @param {ExplorerState} state
   * @param {() => void} redraw lays everything out again, at once
   * @param {() => void} moved called when keys have chosen another query
   * @param {() => void} mask hides the token that is pointed at
   */
  constructor(state, redraw, moved, mask) {
    this.state = state;
    this.redraw = redraw;
    this.moved = moved;
    this.mask = mask;
    /** Which pictures are drawn. @type {Panels} */
    this.panels = "both";
    /** Whether there is room for both. */
    this.hasRoom = true;
    /** What the height that is kept free belongs to. */
    this.heldFor = "";
    this.held = 0;
    /** @type {Stage[]} */
    this.list = [];
    this.box = element("div", { class: "bvl-stages" });
  }

  /** The pictures that are there. @returns {Picture[]} */
  get ready() {
    return this.list.map(({ picture }) => picture).filter(({ ready }) => ready);
  }

  /** The picture that was pointed at last. @returns {Picture | null} */
  get current() {
    const { ready } = this;
    return ready.find(({ side }) => side === this.state.lastSide) ?? ready[0] ?? null;
  }

  /** What the filters took away, of the first picture that has such sums. */
  get sums() {
    const stage = this.list.find(({ picture }) => picture.ready && !picture.signed);
    return stage?.matrix.map.sums ?? { total: 0, special: 0, direction: 0, small: 0, rows: 0 };
  }

  // ---- what the reader does

  /**
   * @param {Focus | null} cursor
   * @param {Where} [where]
   */
  point(cursor, { side = this.state.lastSide, linked, mouse } = {}) {
    const { state } = this;
    const { cursor: now, lastSide } = state;
    state.mouse = cursor ? (mouse ?? null) : null;
    state.soon("focus");
    if (now?.query === cursor?.query && now?.key === cursor?.key && side === lastSide) return;
    state.cursor = cursor;
    state.isByKeys = false;
    state.lastSide = side;
    if (cursor && linked) for (const stage of this.list) stage[linked].show(cursor);
  }

  /**
   * Pin a pair, or let it go if it is pinned already.
   * @param {Focus} at on a stage's axes
   * @param {Picture} picture
   */
  pin(at, picture) {
    const { state } = this;
    const pins = state.pins(picture);
    const placeOf = (/** @type {number | null} */ i, /** @type {Axis} */ axis) => (i === null ? null : axis.starts[i]);
    if (at.query !== null) state.chosenQuery = at.query;
    const both = at.query !== null && at.key !== null;
    const same = (at.query === null || at.query === pins.query) && (at.key === null || at.key === pins.key);
    /** @type {Record<string, number | null>} */
    const changes = {};
    if (at.query !== null) changes.query = same ? null : placeOf(at.query, picture.rows);
    if (at.key !== null) changes.key = same ? null : placeOf(at.key, picture.columns);
    if (same && both) state.cursor = null;
    state.set(changes);
  }

  /**
   * @param {KeyboardEvent} event
   * @param {Picture} picture
   * @returns {boolean} whether the key means something here
   */
  press(event, picture) {
    const { state } = this;
    const { key: pressed, shiftKey } = event;
    const focus = state.focus(picture);
    const isNowhere = focus.query === null && focus.key === null;
    const { layer, head } = state.traits;
    const from = {
      layer,
      head,
      query: focus.query ?? state.last.query ?? firstToken(picture.rows),
      key: focus.key ?? state.last.key ?? firstToken(picture.columns),
    };
    const { layers, heads } = state.shape(picture.side);
    const sizes = { layers, heads, queries: picture.rows.size, keys: picture.columns.size };
    const to = moveAfterKey(pressed, shiftKey, from, sizes);
    if (to && shiftKey) state.choose(to.layer, to.head);
    // The first key puts the cursor down; later ones move it.
    else if (to) this.move(isNowhere ? from : to, picture.side);
    else if (pressed === "Enter" || pressed === " ") {
      if (shiftKey) return false;
      this.pin(isNowhere ? { query: from.query, key: from.key } : focus, picture);
    } else if (pressed === "Escape") {
      state.letGo();
      state.set({ query: null, key: null });
      state.soon("focus");
    } else if (pressed === "m" || pressed === "M") this.mask();
    else if ("+=−-".includes(pressed)) this.zoom((zoom) => ("+=".includes(pressed) ? zoom * 1.6 : zoom / 1.6));
    else return false;
    return true;
  }

  /**
   * Move the cursor by keys.
   * @param {{query: number, key: number}} to
   * @param {number} side
   */
  move({ query, key }, side) {
    const { state } = this;
    const cursor = { query, key };
    state.cursor = cursor;
    state.isByKeys = true;
    state.mouse = null;
    state.lastSide = side;
    state.chosenQuery = query;
    for (const { matrix, ribbons } of this.list) for (const panel of [matrix, ribbons]) panel.show(cursor);
    state.soon("focus");
    this.moved();
  }

  /** @param {(zoom: number) => number} change @param {Stage[]} [stages] @param {{x: number, y: number}} [at] */
  zoom(change, stages = this.list, at) {
    for (const { matrix } of stages) matrix.zoomTo(change(matrix.zoom), this.state.theme, this.redraw, at);
  }

  /** Two sides scroll together. @param {HTMLElement} box @param {"matrix" | "ribbons"} which */
  scrolled(box, which) {
    for (const stage of this.list) {
      const other = stage[which].box;
      if (other === box) continue;
      if (other.scrollTop !== box.scrollTop) other.scrollTop = box.scrollTop;
      if (other.scrollLeft !== box.scrollLeft) other.scrollLeft = box.scrollLeft;
    }
    this.state.soon("focus");
  }

  // ---- from state to page

  /** As many stages as there are pictures. @param {Picture[]} pictures */
  take(pictures) {
    while (this.list.length > pictures.length) this.list.pop()?.end();
    while (this.list.length < pictures.length) {
      const stage = new Stage({
        point: (at, where) => this.point(at, where),
        pin: (at, picture) => this.pin(at, picture),
        press: (event, picture) => this.press(event, picture),
        scrolled: (box, which) => this.scrolled(box, which),
        pinch: (factor, from, at) => {
          if (from.matrix.canZoom(this.state.theme)) this.zoom((zoom) => zoom * factor, [from], at);
        },
      });
      this.list.push(stage);
      this.box.append(stage.el);
    }
    const { _meta: meta } = this.state.traits;
    const title = meta.sides.length > 1 ? "said" : meta.can_run ? "empty" : "hidden";
    for (const [i, stage] of this.list.entries()) stage.take(pictures[i], title);
  }

  /**
   * @param {{width: number, tallest: number}} room for all stages
   * @param {string} title what is drawn
   */
  draw({ width, tallest }, title) {
    const { state, list } = this;
    const { theme } = state;
    const { layer, head, heads, aggregate, _meta: meta } = state.traits;
    const isHeld = state.root.classList.contains("bvl-held");
    const isPresented = state.root.classList.contains("bvl-presenting");
    const two = list.length > 1 && width > (isPresented ? 24 : 30) * theme.size;
    this.box.classList.toggle("bvl-two", two);
    const room = two ? (width - 1.2 * theme.size) / 2 : width;
    this.hasRoom = room >= 40 * theme.size;
    this.panels = this.choosePanels();
    const below = list.length > 1 && !two ? list.length : 1;
    const extent = extentOf(list.map(({ picture }) => picture));
    const what = aggregate === "none" ? say("layer_head_chip", { layer, name: head }) : title;
    const several = heads.length > 1 && aggregate === "none";
    const names = several ? say("heads_of_layer", { heads: heads.join(", "), layer }) : what;
    for (const stage of list) {
      const { picture } = stage;
      if (!picture.ready) {
        for (const { box } of [stage.ribbons, stage.matrix]) box.hidden = true;
        continue;
      }
      const [focus, pinned] = [state.focus(picture), state.pins(picture)];
      const drawn = { heads: state.ribbonHeads(), isHalf: state.showsHalf };
      const shown = isHeld ? covered(picture) : picture;
      const exact = (/** @type {number} */ of, /** @type {number} */ row) =>
        isHeld || picture.signed ? null : exactRow(state, { side: picture.side, head: of, row });
      const scene = { picture: shown, theme, ruler: state.ruler, focus, pinned, head, exact, ...drawn };
      stage.draw(scene, extent, { room, tallest: Math.max(tallest / below, 14 * theme.size), panels: this.panels });
      stage.name(what, names, meta.sides.length > 1 ? say("place", { place: picture.name }) : "");
    }
  }

  /** The pictures that the reader wants, as far as there is room. @returns {Panels} */
  choosePanels() {
    const { heads, aggregate } = this.state.traits;
    const wanted = this.state.panels ?? "both";
    if (wanted !== "both" || this.hasRoom) return wanted;
    return heads.length > 1 && aggregate === "none" ? "ribbons" : "matrix";
  }

  /** Keep the height that a text once had, so that what is below stays where it is. @param {string} text */
  hold(text) {
    const { box } = this;
    if (text !== this.heldFor) Object.assign(this, { heldFor: text, held: 0 });
    const bottoms = this.list.map(({ el }) => el.getBoundingClientRect().bottom);
    const height = Math.ceil(Math.max(0, ...bottoms) - box.getBoundingClientRect().top);
    if (height <= this.held) return;
    this.held = height;
    box.style.minHeight = `${height}px`;
  }

  end() {
    for (const stage of this.list.splice(0)) stage.end();
  }
}

/**
 * A picture's tokens without its weights, as if filters took all of them away: so a class is asked where a token looks.
 * @param {Picture} picture
 * @returns {Picture}
 */
function covered(picture) {
  return {
    ...picture,
    key: `${picture.key} covered`,
    read: (_head, _row, out) => {
      out.fill(NaN);
      return { total: 0, special: 0, direction: 0, small: 0, hidden: true };
    },
  };
}

/** @param {Picture[]} pictures @returns {Extent} */
function extentOf(pictures) {
  return {
    rows: Math.max(...pictures.map(({ rows }) => rows.size)),
    columns: Math.max(...pictures.map(({ columns }) => columns.size)),
    rowNames: pictures.flatMap(({ rows }) => rows.labels),
    columnNames: pictures.flatMap(({ columns }) => columns.labels),
  };
}
