// Blocks as the view needs them: there, asked for, or why they did not come.

import { Blocks } from "../../base/js/blocks.js";

/** @import { Life } from "../../base/js/life.js" */

export class Store {
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
