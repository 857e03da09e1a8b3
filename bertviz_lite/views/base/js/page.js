// Runs a view in a saved page: no kernel, no network. Stands in for the notebook's widget manager.

/** The Python object's traits, as the page was saved; setting one tells those who follow it. */
class SavedModel {
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
   * @returns {Uint8Array | null}
   */
  savedBlock(name) {
    const holder = this.blocks.get(name);
    return holder ? unpack(holder.textContent ?? "") : null;
  }

  /** What runs the model that `_engine` names, and the model; it stands in the page once, whatever views ask it. */
  async savedEngine() {
    const holder = document.querySelector(`script[data-bvl-model="${this.state._engine}"]`);
    return { source: saved("engine"), packed: await unpackGently(holder?.textContent ?? "") };
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

/** @param {string} kind */
const saved = (kind) => JSON.parse(document.querySelector(`script[data-bvl="${kind}"]`)?.textContent ?? "null");

/**
 * @param {string} text in base64
 * @returns {Uint8Array}
 */
function unpack(text) {
  const letters = atob(text);
  const bytes = new Uint8Array(letters.length);
  for (let i = 0; i < letters.length; i += 1) bytes[i] = letters.charCodeAt(i);
  return bytes;
}

/**
 * As unpack(), for much: a part at a time, so that the page is not held.
 * @param {string} text in base64
 */
async function unpackGently(text) {
  const step = 2 ** 20; // four letters are three bytes, so a step is whole
  const bytes = new Uint8Array((3 * text.length) / 4 - (text.match(/={0,2}$/)?.[0].length ?? 0));
  for (let at = 0; at < text.length; at += step) {
    bytes.set(unpack(text.slice(at, at + step)), (3 * at) / 4);
    await new Promise((done) => setTimeout(done));
  }
  return bytes;
}

const state = saved("state");
for (const [name, text] of Object.entries(saved("bytes"))) state[name] = new DataView(unpack(text).buffer);

/** @type {Map<string, Element>} */
const blocks = new Map();
for (const holder of document.querySelectorAll("script[data-bvl-block]")) {
  blocks.set(holder.getAttribute("data-bvl-block") ?? "", holder);
}

const address = URL.createObjectURL(new Blob([saved("module")], { type: "text/javascript" }));
const { default: view } = await import(address);
URL.revokeObjectURL(address);
const place = /** @type {HTMLElement} */ (document.querySelector("[data-bvl-place]"));
const model = new SavedModel(state, blocks);
const end = await view.render({ model, el: place });
// For tests and the curious: what the page holds, and how to take the view down.
Object.assign(window, { bertvizLite: { model, view, place, end } });
