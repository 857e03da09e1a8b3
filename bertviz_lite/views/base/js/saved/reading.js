// What a saved page holds, read out of its <script> elements: JSON, and bytes in base64.

import { inflate } from "../blocks.js";

/**
 * @param {ParentNode} holder what holds a view's parts
 * @param {string} kind
 * @returns {any} null if it holds none such
 */
export const saved = (holder, kind) =>
  JSON.parse(holder.querySelector(`script[data-bvl="${kind}"]`)?.textContent ?? "null");

/**
 * @param {string} text in base64
 * @returns {Uint8Array<ArrayBuffer>}
 */
export function unpack(text) {
  const letters = atob(text);
  const bytes = new Uint8Array(letters.length);
  for (let i = 0; i < letters.length; i += 1) bytes[i] = letters.charCodeAt(i);
  return bytes;
}

/**
 * What an element holds, or the file that it names, which then is in it. Pages of a site have such files in common; a
 * page from a disk may not fetch, but may run a classic script: the file sets the text of the script that loads it.
 * @param {Element | null} holder
 * @returns {Promise<string>}
 */
async function textOf(holder) {
  const address = holder?.getAttribute("data-bvl-src");
  if (holder && address) {
    const loading = document.createElement("script");
    await new Promise((done, failed) => {
      loading.onload = done;
      loading.onerror = () => failed(new Error(`${address} could not be read.`));
      loading.src = address;
      document.head.append(loading);
    }).finally(() => loading.remove());
    holder.textContent = loading.text;
    holder.removeAttribute("data-bvl-src");
  }
  return holder?.textContent ?? "";
}

/**
 * As unpack(), for much: a part at a time, so that the page is not held; and inflated if it was deflated.
 * @param {Element | null} holder
 * @returns {Promise<Uint8Array | DataView>}
 */
export async function unpackGently(holder) {
  const text = await textOf(holder);
  const step = 2 ** 20; // four letters are three bytes, so a step is whole
  const bytes = new Uint8Array((3 * text.length) / 4 - (text.match(/={0,2}$/)?.[0].length ?? 0));
  for (let at = 0; at < text.length; at += step) {
    bytes.set(unpack(text.slice(at, at + step)), (3 * at) / 4);
    await new Promise((done) => setTimeout(done));
  }
  return holder?.hasAttribute("data-bvl-deflated") ? inflate(bytes) : bytes;
}
