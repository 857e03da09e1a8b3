// The views of a page that holds several: each is started once, when it is needed.

import { CHOSEN } from "../../base/js/language/language.js";
import { unpackGently } from "../../base/js/saved/reading.js";
import { readModel } from "../../base/js/saved/saved_model.js";
import { importModule, levelHeadings } from "../../base/js/saved/starting.js";
import { sayOfPage } from "../language/say.js";

/** @import { ViewModule } from "../../base/js/saved/starting.js" */

/**
 * @typedef {object} Started
 * @property {any} model
 * @property {ViewModule} view
 * @property {HTMLElement} place
 * @property {() => void} end
 */

/**
 * What an address says: the name of a view, and perhaps its state.
 * @param {string} hash of an address
 * @returns {string} the name; empty if there is none
 */
export const nameInHash = (hash) => /^#([\w-]+)(?:&|$)/.exec(hash)?.[1] ?? "";

export class Views {
  constructor() {
    /** @type {Map<string, HTMLElement>} */
    this.holders = new Map();
    for (const holder of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-bvl-view]"))) {
      this.holders.set(holder.dataset.bvlView ?? "", holder);
    }
    /** @type {Map<string, Promise<Started | null>>} */
    this.started = new Map();
    /** Views of one kind are drawn by the same module. @type {Map<string, Promise<ViewModule>>} */
    this.modules = new Map();
    /** For tests and the curious: what is drawn. @type {Record<string, Started>} */
    this.drawn = {};
    Object.assign(window, { bertvizLite: { views: this.drawn } });
  }

  /**
   * Draw a view in place of its picture, if that has not begun.
   * @param {string} name
   * @returns {Promise<Started | null>} null if it cannot be drawn
   */
  start(name) {
    const begun = this.started.get(name) ?? this.draw(/** @type {HTMLElement} */ (this.holders.get(name)));
    this.started.set(name, begun);
    return begun;
  }

  /** @param {string} kind */
  module(kind) {
    const holder = document.querySelector(`script[data-bvl-module="${kind}"]`);
    const coming =
      this.modules.get(kind) ?? unpackGently(holder).then((text) => importModule(new TextDecoder().decode(text)));
    this.modules.set(kind, coming);
    return coming;
  }

  /**
   * @param {HTMLElement} holder
   * @returns {Promise<Started | null>}
   */
  async draw(holder) {
    const { bvlView: name = "", bvlKind: kind = "", bvlLevel: level } = holder.dataset;
    const place = /** @type {HTMLElement} */ (holder.querySelector("[data-bvl-place]"));
    const picture = [...place.childNodes];
    try {
      const view = await this.module(kind);
      const model = readModel(holder);
      place.style.minHeight = `${place.offsetHeight}px`; // else the page would jump
      place.replaceChildren();
      levelHeadings(place, Number(level));
      const end = await view.render({ model, el: place });
      this.tellApart(holder, place);
      window.addEventListener(CHOSEN, () => this.tellApart(holder, place)); // it is drawn anew by then
      this.drawn[name] = { model, view, place, end };
      return this.drawn[name];
    } catch (error) {
      const problem = document.createElement("p");
      problem.setAttribute("role", "alert");
      problem.textContent = sayOfPage("cannot_draw", {
        why: /** @type {Error} */ (error).message,
      });
      place.replaceChildren(problem, ...picture);
      return null;
    } finally {
      place.style.minHeight = "";
    }
  }

  /**
   * Number the regions of a view, for a screen reader's list of them, if another of its kind stands before it.
   * @param {HTMLElement} holder
   * @param {HTMLElement} place
   */
  tellApart(holder, place) {
    const alike = [...this.holders.values()].filter(({ dataset }) => dataset.bvlKind === holder.dataset.bvlKind);
    const number = alike.indexOf(holder) + 1;
    if (number === 1) return;
    for (const region of place.querySelectorAll("section[aria-label]")) {
      region.setAttribute("aria-label", `${region.getAttribute("aria-label")}, ${number}`);
    }
  }
}
