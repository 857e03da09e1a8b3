// Traits of a Python object, with a layer above them for what Python did not set itself.

/** @import { Life } from "../life.js" */

/** @typedef {(...given: any[]) => void} React */

export class LayeredTraits {
  /**
   * @param {any} model the object as a notebook or a saved page gives it
   * @param {Life} life
   */
  constructor(model, life) {
    this.model = model;
    /** @type {Map<string, any>} */
    this.above = new Map();
    /** @type {Map<string, Set<React>>} */
    this.followers = new Map();
    /** What listens below, once for each event. @type {Map<string, React>} */
    this.below = new Map();
    life.endings.push(() => {
      for (const [event, hear] of this.below) model.off(event, hear);
      this.followers.clear();
    });
  }

  get widget_manager() {
    return this.model.widget_manager;
  }

  /** @param {string} name */
  get(name) {
    return this.above.has(name) ? this.above.get(name) : this.model.get(name);
  }

  /**
   * @param {string} name
   * @param {any} value
   */
  set(name, value) {
    const isHeardBelow = !isSame(this.model.get(name), value);
    const isAnother = !isSame(this.get(name), value);
    this.above.delete(name);
    this.model.set(name, value);
    if (isAnother && !isHeardBelow) this.tell(`change:${name}`);
  }

  save_changes() {
    try {
      this.model.save_changes();
    } catch {
      // There is no Python to hear it; the page knows it.
    }
  }

  /**
   * @param {string} event
   * @param {React} react
   */
  on(event, react) {
    this.followers.set(event, (this.followers.get(event) ?? new Set()).add(react));
    if (this.below.has(event) || !event.startsWith("change:")) return;
    const name = event.slice("change:".length);
    const hear = () => {
      if (!this.above.has(name)) this.tell(event);
    };
    this.below.set(event, hear);
    this.model.on(event, hear);
  }

  /**
   * @param {string} event
   * @param {React} react
   */
  off(event, react) {
    this.followers.get(event)?.delete(react);
  }

  /**
   * @param {string} event
   * @param {...any} given
   */
  tell(event, ...given) {
    for (const react of [...(this.followers.get(event) ?? [])]) react(...given);
  }

  /** @param {Record<string, any>} traits */
  putAbove(traits) {
    for (const [name, value] of Object.entries(traits)) this.above.set(name, value);
    for (const name of Object.keys(traits)) this.tell(`change:${name}`);
  }

  /** What is below is true again. */
  takeAway() {
    const names = [...this.above.keys()];
    this.above.clear();
    for (const name of names) this.tell(`change:${name}`);
  }
}

/**
 * @param {any} a
 * @param {any} b
 */
const isSame = (a, b) => a === b || (!ArrayBuffer.isView(a) && JSON.stringify(a) === JSON.stringify(b));
