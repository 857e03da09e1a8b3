// How much of a page is in sight at once.

/** Boxes that have once been seen to scroll: they stay small when there is little in them. @type {WeakSet<Element>} */
const SCROLLING = new WeakSet();

/**
 * The height that a view can have so that all of it is in sight: the window's or, in a notebook, that of its pane.
 * @param {Element} root
 */
export function heightInSight(root) {
  let height = window.innerHeight;
  for (let box = root.parentElement; box && box !== document.body; box = box.parentElement) {
    const { overflowY } = getComputedStyle(box);
    if (overflowY !== "auto" && overflowY !== "scroll") continue;
    if (box.scrollHeight > box.clientHeight + 1 && box.clientHeight >= 200) SCROLLING.add(box);
    if (SCROLLING.has(box)) height = Math.min(height, box.clientHeight);
  }
  return height;
}

/**
 * Whether a view stands in a saved page, not in a notebook.
 * @param {any} model
 * @returns {boolean}
 */
export const isSavedPage = (model) => model.isSaved ?? typeof model.savedBlock === "function";
