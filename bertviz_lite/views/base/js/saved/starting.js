// Starts a view in a saved page: its module is run, and drawn with what the page holds of it.

/** @import { SavedModel } from "./saved_model.js" */

/**
 * @typedef {{render: (place: {model: SavedModel, el: HTMLElement}) => (() => void) | Promise<() => void>}} ViewModule
 */

/**
 * @param {string} source of a view's module
 * @returns {Promise<ViewModule>}
 */
export async function importModule(source) {
  const address = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
  try {
    return (await import(address)).default;
  } finally {
    URL.revokeObjectURL(address);
  }
}

/** The level that a view gives its own headings, as in a notebook; below it come those of its parts. */
const VIEW_LEVEL = 4;

/**
 * Tell a screen reader the level of a view's headings in this page: one below what stands over the view, so that
 * none is left out. What they look like does not change.
 * @param {HTMLElement} place
 * @param {number} level of the view's own headings
 */
export function levelHeadings(place, level) {
  const mark = () => {
    for (const heading of place.querySelectorAll("h4:not([aria-level]), h5:not([aria-level])")) {
      heading.setAttribute("aria-level", String(level + Number(heading.tagName.slice(1)) - VIEW_LEVEL));
    }
  };
  new MutationObserver(mark).observe(place, { childList: true, subtree: true });
  mark();
}
