// The page's engines: one for each model, whatever number of views it answers, started when the first of them asks.

import { startEngine } from "../../../engine/js/client.js";

/** @import { PageEngine } from "../../../engine/js/client.js" */

/**
 * @typedef {object} Packed
 * @property {string} source the engine's module
 * @property {Uint8Array | DataView} packed model and tokenizer
 */

/** @typedef {{engine: Promise<PageEngine>, borrowers: number}} Lent */

/**
 * Each view is a module of its own, so what they share stands at the page's global object.
 * @returns {Map<string, Lent>}
 */
function lentEngines() {
  const key = Symbol.for("bertviz-lite engines");
  const page = /** @type {any} */ (globalThis);
  page[key] ??= new Map();
  return page[key];
}

/**
 * Borrow the engine of a model.
 * @param {string} key which model
 * @param {() => Promise<Packed>} read called by the first who borrows
 * @returns {{engine: Promise<PageEngine>, giveBack: () => void}} the last who gives it back ends it
 */
export function borrowEngine(key, read) {
  const lent = lentEngines();
  const made = lent.get(key) ?? {
    engine: read().then(({ source, packed }) => startEngine(source, packed)),
    borrowers: 0,
  };
  lent.set(key, made);
  made.borrowers += 1;
  const leave = () => {
    if (lent.get(key) === made) lent.delete(key);
  };
  made.engine.catch(leave); // the next who asks may have better luck
  return {
    engine: made.engine,
    giveBack: () => {
      made.borrowers -= 1;
      if (made.borrowers > 0) return;
      leave();
      made.engine.then(
        (engine) => engine.end(),
        () => {},
      );
    },
  };
}
