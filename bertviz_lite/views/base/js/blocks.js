// Big numbers by name: asked of Python as they are needed, or read out of a saved page.

import { decodeFloats } from "./numbers.js";
import { NoAnswer, PATIENCE_MS, isRecording, send } from "./asking/sending.js";
import { retell, sayCommon } from "./language/common.js";

/** @import { Life } from "./life.js" */

/**
 * What zlib compressed, as Python's zlib.compress writes it.
 * @param {Uint8Array<ArrayBuffer> | DataView<ArrayBuffer>} bytes
 * @returns {Promise<DataView>}
 */
export async function inflate(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new DataView(await new Response(stream).arrayBuffer());
}

/**
 * Big numbers by name: asked of Python as they are needed, or read out of a saved page. A block that was had is kept
 * until forget(); while one is on its way it is not asked for again.
 */
export class Blocks {
  /**
   * @param {any} model
   * @param {Life} life
   */
  constructor(model, life) {
    this.model = model;
    /** A saved page without the model: other blocks than its own are not to be had. */
    this.isSaved = isRecording(model);
    /** @type {Map<string, Promise<DataView>>} */
    this.kept = new Map();
    /** @type {Map<string, {resolve: (bytes: any) => void, reject: (reason: Error) => void, patience: number}>} */
    this.waiting = new Map();
    // Python's answer reaches every view of this object, also those in other windows: each knows its own tickets.
    this.own = Math.random().toString(36).slice(2);
    this.tickets = 0;
    if (this.isSaved) return;
    const receive = (/** @type {any} */ message, /** @type {any[]} */ buffers) => this.receive(message, buffers);
    model.on("msg:custom", receive);
    life.endings.push(() => {
      model.off("msg:custom", receive);
      for (const { patience } of this.waiting.values()) clearTimeout(patience);
      this.waiting.clear();
      this.forget();
    });
  }

  /**
   * Whether a block can be had in this page; false means never.
   * @param {string} name
   * @returns {boolean}
   */
  has(name) {
    return this.isSaved ? this.model.hasSavedBlock(name) : true;
  }

  /**
   * @param {string} name
   * @returns {Promise<DataView>} rejected, with the reason in one line, if there is no such block or no answer
   */
  get(name) {
    const kept = this.kept.get(name);
    if (kept) return kept;
    const isHere = this.isSaved || this.model.hasSavedBlock?.(name);
    const coming = isHere ? this.read(name).then(inflate) : this.ask(name);
    this.kept.set(name, coming);
    coming.catch(() => {
      if (this.kept.get(name) === coming) this.kept.delete(name);
    });
    return coming;
  }

  /** Let go of every block: what stood behind them has changed. */
  forget() {
    this.kept.clear();
  }

  /** @param {string} name */
  async read(name) {
    const bytes = await this.model.savedBlock(name);
    if (!bytes) throw new Error(sayCommon("saved_without", { name }));
    return bytes;
  }

  /** @param {string} name */
  async ask(name) {
    this.tickets += 1;
    const ticket = `${this.own}-${this.tickets}`;
    send(this.model, { type: "block", name, ticket });
    return new Promise((resolve, reject) => {
      const patience = setTimeout(() => {
        const later = new Promise((...settle) => this.wait(ticket, settle, 0));
        later.catch(() => {}); // nobody need wait for it
        reject(new NoAnswer(later));
      }, PATIENCE_MS);
      this.wait(ticket, [resolve, reject], patience);
    });
  }

  /**
   * @param {string} ticket
   * @param {[(bytes: any) => void, (reason: Error) => void]} settle
   * @param {number} patience the timer that ends it
   */
  wait(ticket, [resolve, reject], patience) {
    this.waiting.set(ticket, { resolve, reject, patience });
  }

  /**
   * @param {any} message
   * @param {any[]} buffers
   */
  receive(message, buffers) {
    const waiting = this.waiting.get(message?.ticket);
    if (!waiting) return;
    clearTimeout(waiting.patience);
    this.waiting.delete(message.ticket);
    if (message.type === "block") waiting.resolve(message.isPlain ? buffers[0] : inflate(buffers[0]));
    else waiting.reject(new Error(retell(String(message.message))));
  }
}

/**
 * What Python's pack_found packed: facts as JSON and float32 numbers in one piece.
 * @param {DataView | Uint8Array} bytes
 * @returns {{facts: any, numbers: Float32Array}}
 */
export function unpackAnswer(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = 4 + view.getUint32(0, true);
  const text = new TextDecoder().decode(new Uint8Array(bytes.buffer, bytes.byteOffset + 4, end - 4));
  return {
    facts: JSON.parse(text),
    numbers: decodeFloats(new DataView(bytes.buffer, bytes.byteOffset + end, bytes.byteLength - end)),
  };
}
