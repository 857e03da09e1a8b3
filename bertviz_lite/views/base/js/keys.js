// Keys: where one leads in a list, and which ones are left to the browser and the notebook.

/** @import { Life } from "./life.js" */

/**
 * Where a key leads in a list that is read left to right and wraps into lines.
 * @param {string} key of a KeyboardEvent
 * @param {number} index where it is now
 * @param {number} size of the list
 * @param {number} [perLine] items in a line, for the up and down arrows
 * @returns {number | null} null if the key moves nothing
 */
export function indexAfterKey(key, index, size, perLine = size) {
  /** @type {Record<string, number>} */
  const goals = {
    ArrowLeft: index - 1,
    ArrowRight: index + 1,
    ArrowUp: index - perLine >= 0 ? index - perLine : index,
    ArrowDown: index + perLine < size ? index + perLine : index,
    Home: 0,
    End: size - 1,
  };
  return Object.hasOwn(goals, key) ? Math.min(size - 1, Math.max(0, goals[key])) : null;
}

/**
 * Act on keys, but not with Ctrl, Alt or Meta: those are the browser's and the notebook's.
 * @param {Life} life
 * @param {EventTarget} target
 * @param {(event: KeyboardEvent) => boolean} act whether the key meant something; then nothing else hears of it
 * @param {{shift?: boolean}} [also] whether keys with Shift are meant, too
 */
export function onKeys(life, target, act, { shift = false } = {}) {
  life.listen(target, "keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || (event.shiftKey && !shift)) return;
    if (act(event)) event.preventDefault();
  });
}
