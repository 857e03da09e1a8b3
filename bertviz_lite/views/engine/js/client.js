// The page's engine as a view calls it: in a worker where there can be one, else little by little on the page's thread.
// Its methods are those of Python's Engine; each returns a promise.

/** @import { Encoded } from "./encoded.js" */
/** @import { Pass } from "./engine.js" */
/** @import { Facts } from "./packed.js" */
/** @import { TextCut } from "./text/cuts.js" */

/**
 * @typedef {object} Answering
 * @property {Facts} facts
 * @property {string} arithmetic "WebAssembly SIMD" or "plain JavaScript"
 * @property {(method: string, given: any[]) => Promise<any>} ask
 * @property {() => void} end
 * @property {"worker" | "page"} place
 */

/**
 * Start an engine.
 * @param {string} source the engine's module, as Python's engine_source gives it
 * @param {Uint8Array | DataView} packed model and tokenizer, as Python's pack_model gives them
 * @param {{worker?: boolean, simd?: boolean}} [options] false: do without, also where the page has it
 * @returns {Promise<PageEngine>}
 */
export async function startEngine(source, packed, { worker = true, simd = true } = {}) {
  if (worker) {
    try {
      return new PageEngine(await inWorker(source, packed, { simd }));
    } catch {
      // No worker, or none from a blob: the page's own thread does it.
    }
  }
  return new PageEngine(await inPage(source, packed, { simd }));
}

/** A model and its tokenizer, as views see them. What it refuses, it refuses with an error of one line. */
export class PageEngine {
  /** @param {Answering} answering */
  constructor(answering) {
    this.answering = answering;
    this.facts = answering.facts;
    this.place = answering.place;
    this.arithmetic = answering.arithmetic;
  }

  /**
   * @param {number[]} input_ids
   * @returns {Promise<string[]>} tokens by id
   */
  names(input_ids) {
    return this.answering.ask("names", [input_ids]);
  }

  /**
   * @param {string} token
   * @returns {Promise<number | null>} the id of a token that is written exactly so in the vocabulary
   */
  idOf(token) {
    return this.answering.ask("idOf", [token]);
  }

  /**
   * @param {string} text
   * @returns {Promise<string[]>} its tokens, without special ones around it
   */
  tokenize(text) {
    return this.answering.ask("tokenize", [text]);
  }

  /**
   * How a text is cut: words, the search for each, tokens, what was normalised. It may be empty.
   * @param {string} text
   * @param {string | null} [text_pair]
   * @returns {Promise<TextCut>}
   */
  cut(text, text_pair = null) {
    return this.answering.ask("cut", [text, text_pair]);
  }

  /**
   * @param {string} text
   * @param {string | null} [text_pair]
   * @returns {Promise<Encoded>} the text as the model reads it; it may be too long for the model
   */
  encode(text, text_pair = null) {
    return this.answering.ask("encode", [text, text_pair]);
  }

  /**
   * @param {Encoded} encoded
   * @param {Record<number, string>} [edits] position → the token that replaces what is there
   * @param {[number, number][]} [heads_off] pairs (layer, head) that contribute nothing
   * @returns {Promise<Pass>}
   */
  run(encoded, edits = {}, heads_off = []) {
    return this.answering.ask("run", [encoded, edits, heads_off]);
  }

  /**
   * @param {Encoded} encoded
   * @param {number[]} positions
   * @returns {Promise<Float32Array>} the LM head's logits, (layers + 1, positions, vocab_size)
   */
  readLayers(encoded, positions) {
    return this.answering.ask("readLayers", [encoded, positions]);
  }

  /**
   * @param {Encoded} encoded
   * @param {number[][]} [hidden] for each answer the positions that are replaced by [MASK]
   * @returns {Promise<Float64Array>} log-odds that the second text continues the first
   */
  judgePair(encoded, hidden = [[]]) {
    return this.answering.ask("judgePair", [encoded, hidden]);
  }

  /**
   * @param {Encoded} encoded
   * @returns {Promise<{labels: string[], logits: Float32Array}>} (1, labels) or (seq_len, labels)
   */
  classify(encoded) {
    return this.answering.ask("classify", [encoded]);
  }

  /**
   * @param {Encoded} encoded
   * @param {number | null} [layer] that is looked into; null for what lies before the first and after the last
   * @returns {Promise<Record<string, Float32Array>>} the vectors on the way from ids to heads, by their names in
   * Python's read_steps
   */
  readSteps(encoded, layer = null) {
    return this.answering.ask("readSteps", [encoded, layer]);
  }

  /** Let go of the worker and of the model. */
  end() {
    this.answering.end();
  }
}

/**
 * @param {string} source
 * @param {Uint8Array | DataView} packed
 * @param {{simd: boolean}} options
 * @returns {Promise<Answering>}
 */
async function inWorker(source, packed, options) {
  const address = addressOf(asScript(source));
  const worker = new Worker(address);
  /** @type {Map<number, {resolve: (result: any) => void, reject: (reason: Error) => void}>} */
  const waiting = new Map();
  let tickets = 0;
  const stop = (/** @type {string} */ problem) => {
    worker.terminate();
    for (const { reject } of waiting.values()) reject(new Error(problem));
    waiting.clear();
  };
  worker.onerror = (event) => stop(event.message || "The page may not start a worker.");
  worker.onmessage = ({ data: { ticket, result, problem } }) => {
    const asked = waiting.get(ticket);
    waiting.delete(ticket);
    if (problem === undefined) asked?.resolve(result);
    else asked?.reject(new Error(problem));
  };
  /** @type {Answering["ask"]} */
  const ask = (method, given) =>
    new Promise((resolve, reject) => {
      tickets += 1;
      waiting.set(tickets, { resolve, reject });
      worker.postMessage({ ticket: tickets, method, given });
    });
  try {
    const introduction = await ask("open", [packed, options]);
    return { ...introduction, ask, end: () => stop("The engine was stopped."), place: "worker" };
  } finally {
    URL.revokeObjectURL(address);
  }
}

/**
 * @param {string} source
 * @param {Uint8Array | DataView} packed
 * @param {{simd: boolean}} options
 * @returns {Promise<Answering>}
 */
async function inPage(source, packed, options) {
  const address = addressOf(source);
  try {
    const { default: engine } = await import(address);
    return { ...(await engine.openEngine(packed, options)), end: () => {}, place: "page" };
  } finally {
    URL.revokeObjectURL(address);
  }
}

/**
 * The engine's module as a script for a worker: a page on disk may start one from a blob, but not as a module.
 * @param {string} source
 */
const asScript = (source) =>
  `"use strict";\n${source.replace(/^export default /m, "const engine = ")}\nengine.serveEngine(globalThis);\n`;

/** @param {string} module */
const addressOf = (module) => URL.createObjectURL(new Blob([module], { type: "text/javascript" }));
