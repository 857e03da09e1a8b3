// The words of a view in the language of its page: a table for each language, with the same keys.

import { spoken } from "./language.js";

/** @typedef {Record<string, string | number>} Values */

/**
 * A text with its places filled: {name} is a value, and {count|word|words} the word that goes with a number; or with
 * a finger: {touch|tap|click}.
 * @param {string} text
 * @param {Values} values
 */
export const fill = (text, values) =>
  text.replace(/\{(\w+)(?:\|([^|}]*)\|([^|}]*))?\}/g, (_, name, one, other) => {
    if (other === undefined) return String(values[name]);
    return Number(values[name]) === 1 ? one : other;
  });

/**
 * Whether a finger points: {touch|Tap|Point at} in a table is then "Tap". A hint that says another gesture than the
 * reader's is no hint.
 */
const isTouched = () => Boolean(globalThis.matchMedia?.("(pointer: coarse)").matches);

/**
 * What says a text by its key. A key that the tables lack is an error of the type check.
 * @template {string} Key
 * @param {Record<Key, string>} en
 * @param {Record<Key, string>} zh
 * @returns {(key: Key, values?: Values) => string}
 */
export const speaker =
  (en, zh) =>
  (key, values = {}) =>
    fill((spoken() === "zh" ? zh : en)[key], { touch: Number(isTouched()), ...values });

/**
 * Find the text that says something, and with which values: Python and the engine refuse in English.
 * @param {Record<string, string>} table
 * @param {string} said
 * @returns {{key: string, values: Values} | null}
 */
export function heard(table, said) {
  for (const [key, text] of Object.entries(table)) {
    const names = [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    const pattern = text
      .split(/\{\w+\}/)
      .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
      .join("(.+?)");
    const found = new RegExp(`^${pattern}$`, "su").exec(said);
    if (found) return { key, values: Object.fromEntries(names.map((name, i) => [name, found[i + 1]])) };
  }
  return null;
}
