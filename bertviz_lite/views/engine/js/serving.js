// The engine as one module, joined from this file and all that it imports: in a worker it answers messages, in the
// page itself it answers calls, little by little.

import { runGently, runThrough } from "./arithmetic/steps.js";
import { BertEngine } from "./engine.js";

/**
 * A question: a method of the engine with what it takes; "open" comes first.
 * @typedef {object} Question
 * @property {number} ticket
 * @property {string} method
 * @property {any[]} given
 */

/**
 * @typedef {object} Port
 * @property {((event: {data: Question}) => void) | null} onmessage
 * @property {(answer: any, options: {transfer: ArrayBuffer[]}) => void} postMessage
 */

/**
 * Answer a page's questions in a worker. What is computed goes over without being copied.
 * @param {Port} port the worker's own global object
 */
function serveEngine(port) {
  /** @type {any} */
  let engine = null;
  port.onmessage = ({ data: { ticket, method, given } }) => {
    try {
      if (method === "open") engine = runThrough(BertEngine.open(given[0], given[1]));
      const result = method === "open" ? introduction(engine) : runThrough(engine[method](...given));
      port.postMessage({ ticket, result }, { transfer: [...buffersOf(result)] });
    } catch (error) {
      port.postMessage({ ticket, problem: messageOf(error) }, { transfer: [] });
    }
  };
}

/**
 * What an engine says of itself when it is opened.
 * @param {BertEngine} engine
 */
const introduction = ({ facts, model }) => ({ facts, arithmetic: model.bert.multiplier.name });

/** @param {unknown} error */
const messageOf = (error) => (error instanceof Error ? error.message : String(error));

/**
 * @param {any} value
 * @returns {Set<ArrayBuffer>} the memory of all arrays of numbers in it
 */
function buffersOf(value) {
  if (ArrayBuffer.isView(value)) return new Set([/** @type {ArrayBuffer} */ (value.buffer)]);
  if (!value || typeof value !== "object") return new Set();
  return new Set(Object.values(value).flatMap((part) => (typeof part === "object" ? [...buffersOf(part)] : [])));
}

/**
 * The engine on the page's own thread.
 * @param {Uint8Array | DataView | ArrayBuffer} packed
 * @param {{simd?: boolean}} [options]
 */
async function openEngine(packed, options) {
  /** @type {any} */
  const engine = await runGently(BertEngine.open(packed, options));
  /** @type {Promise<unknown>} */
  let before = Promise.resolve();
  return {
    ...introduction(engine),
    /**
     * One question after another.
     * @param {string} method
     * @param {any[]} given
     * @returns {Promise<any>}
     */
    ask(method, given) {
      const answer = before.then(() => runGently(engine[method](...given)));
      before = answer.catch(() => {});
      return answer;
    },
  };
}

export default { openEngine, serveEngine };
