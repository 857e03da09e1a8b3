// A saved page's state in its address: what follows #. What an address says is checked before it is taken.

import { isSavedPage } from "./room.js";

/** @import { Life } from "../life.js" */

/** What comes before the state; in a page of several views it says whose it is. @param {string} [place] */
const start = (place) => (place ? `#${place}&state=` : "#state=");

/**
 * The state in a page's address, and back.
 * @param {string} hash of an address
 * @param {string} [place] the view's name, in a page of several
 * @returns {Record<string, unknown>} empty if it holds none
 */
export function stateOfHash(hash, place) {
  if (!hash.startsWith(start(place))) return {};
  try {
    const state = JSON.parse(decodeURIComponent(hash.slice(start(place).length)));
    return state !== null && typeof state === "object" && !Array.isArray(state) ? state : {};
  } catch {
    return {};
  }
}

/**
 * @param {Record<string, unknown>} state
 * @param {string} [place] the view's name, in a page of several
 */
export const hashOfState = (state, place) => start(place) + encodeURIComponent(JSON.stringify(state));

/**
 * Traits that change by a question only.
 * @typedef {object} AskedTraits
 * @property {string[]} names
 * @property {(values: Record<string, unknown>, then: () => void) => void} ask calls `then` once there is an answer
 */

/** A link to the state that a saved page's view is in; a notebook has none. */
export class StateLink {
  /**
   * @param {any} model
   * @param {Life} life
   * @param {string[]} names of the traits that make up the state, in the order in which they are set
   * @param {(name: string, value: unknown) => boolean} accepts whether a value, of the trait's own kind, has a meaning
   * @param {AskedTraits} [asked] traits that the others depend on
   */
  constructor(model, life, names, accepts, asked = { names: [], ask: () => {} }) {
    this.model = model;
    this.names = names;
    this.accepts = accepts;
    this.asked = asked;
    /** @type {string | undefined} */
    this.place = model.get("_place");
    /** Whether the page has an address of its own. */
    this.isPossible = isSavedPage(model) && window.location.protocol !== "about:";
    if (this.isPossible) life.listen(window, "hashchange", () => this.take());
  }

  /** Set the state that the page's address tells. */
  take() {
    if (!this.isPossible) return;
    const state = stateOfHash(window.location.hash, this.place);
    const { names, ask } = this.asked;
    const isMeant = (/** @type {string} */ name) =>
      Object.hasOwn(state, name) && isLike(state[name], this.model.get(name)) && this.accepts(name, state[name]);
    const values = Object.fromEntries(names.filter(isMeant).map((name) => [name, state[name]]));
    const isOther = Object.entries(values).some(([name, value]) => isDifferent(value, this.model.get(name)));
    if (isOther) ask(values, () => this.set(state));
    else this.set(state);
  }

  /** @param {Record<string, unknown>} state */
  set(state) {
    for (const name of this.names) {
      const value = state[name];
      if (Object.hasOwn(state, name) && isLike(value, this.model.get(name)) && this.accepts(name, value))
        this.model.set(name, value);
    }
    this.model.save_changes();
  }

  /** Put the state into the page's address. @returns {string} the address */
  write() {
    const names = [...this.asked.names, ...this.names];
    const state = Object.fromEntries(names.map((name) => [name, this.model.get(name)]));
    window.location.hash = hashOfState(state, this.place);
    return window.location.href;
  }
}

/** Whether two values are of one kind; null is of any, as a choice that is not made. @param {any} a @param {any} b */
function isLike(a, b) {
  if (a === null || b === null) return true;
  return typeof a === typeof b && Array.isArray(a) === Array.isArray(b);
}

/** @param {unknown} a @param {unknown} b */
const isDifferent = (a, b) => JSON.stringify(a) !== JSON.stringify(b);

/** Whether a value is a whole number from 0 up to a size. @param {unknown} value @param {number} size */
export const isIndexIn = (value, size) => Number.isInteger(value) && Number(value) >= 0 && Number(value) < size;
