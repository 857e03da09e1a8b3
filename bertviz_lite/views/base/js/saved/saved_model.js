// Stands in for the notebook's widget manager where there is no kernel: a Python object as a page was saved with it.

import { saved, unpack, unpackGently } from "./reading.js";

/** The Python object's traits, as the page was saved; setting one tells those who follow it. */
export class SavedModel {
  /**
   * @param {Record<string, any>} state
   * @param {Map<string, Element>} blocks the element that holds each block, compressed and in base64
   */
  constructor(state, blocks) {
    this.state = state;
    this.blocks = blocks;
    /** @type {Map<string, Set<() => void>>} */
    this.followers = new Map();
  }

  /** @param {string} name */
  get(name) {
    return this.state[name];
  }

  /**
   * @param {string} name
   * @param {any} value
   */
  set(name, value) {
    const before = this.state[name];
    this.state[name] = value;
    const isSame = value === before || (!ArrayBuffer.isView(value) && JSON.stringify(value) === JSON.stringify(before));
    if (!isSame) for (const react of [...(this.followers.get(`change:${name}`) ?? [])]) react();
  }

  save_changes() {}

  /** There is nobody to hear it. */
  send() {}

  /**
   * A block as it was written, in place of the message that a live page would get; null if the page has none such.
   * @param {string} name
   * @returns {Promise<Uint8Array | DataView> | null}
   */
  savedBlock(name) {
    const holder = this.blocks.get(name);
    return holder ? unpackGently(holder) : null;
  }

  /** What runs the model that `_engine` names, and the model; it stands in the page once, whatever views ask it. */
  async savedEngine() {
    const holder = document.querySelector(`script[data-bvl-model="${this.state._engine}"]`);
    const source = await unpackGently(document.querySelector('script[data-bvl="engine"]'));
    return { source: new TextDecoder().decode(source), packed: await unpackGently(holder) };
  }

  /** @param {string} name */
  hasSavedBlock(name) {
    return this.blocks.has(name);
  }

  /**
   * @param {string} event
   * @param {() => void} react
   */
  on(event, react) {
    this.followers.set(event, (this.followers.get(event) ?? new Set()).add(react));
  }

  /**
   * @param {string} event
   * @param {() => void} react
   */
  off(event, react) {
    this.followers.get(event)?.delete(react);
  }
}

/**
 * @param {ParentNode} holder what holds a view's state, numbers and blocks
 * @returns {SavedModel}
 */
export function readModel(holder) {
  const state = saved(holder, "state");
  for (const [name, text] of Object.entries(saved(holder, "bytes"))) state[name] = new DataView(unpack(text).buffer);
  /** @type {Map<string, Element>} */
  const blocks = new Map();
  for (const block of holder.querySelectorAll("script[data-bvl-block]")) {
    blocks.set(block.getAttribute("data-bvl-block") ?? "", block);
  }
  return new SavedModel(state, blocks);
}
