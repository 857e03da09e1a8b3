// Light or dark: what a view finds behind it.

import { whenPlaced } from "./life.js";

/** @import { Life } from "./life.js" */

/**
 * Whether a colour, as getComputedStyle writes it, is dark; null if nothing of it is seen.
 * @param {string} colour such as "rgb(17, 17, 17)" or "rgba(0, 0, 0, 0)"
 * @returns {boolean | null}
 */
export function isDark(colour) {
  const parts = /^rgba?\(([^)]*)\)$/.exec(colour);
  if (!parts) return null;
  const [red, green, blue, alpha = 1] = parts[1].split(/[\s,/]+/).map(Number);
  if (!(alpha > 0.5)) return null;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue < 128;
}

/** Where notebooks, and the pages of a site, say which theme they have. */
const THEMES = ["class", "style", "data-jp-theme-light", "data-theme", "theme"];

/**
 * Keep data-theme="light" or "dark" on a view, by what is behind it: the notebook's theme, else the reader's system.
 * @param {HTMLElement} root
 * @param {Life} life
 */
export function followTheme(root, life) {
  const system = window.matchMedia("(prefers-color-scheme: dark)");
  const apply = () => {
    /** @type {boolean | null} */
    let dark = null;
    for (let behind = root.parentElement; behind && dark === null; behind = behind.parentElement) {
      dark = isDark(getComputedStyle(behind).backgroundColor);
    }
    root.dataset.theme = (dark ?? system.matches) ? "dark" : "light";
  };
  const observer = new MutationObserver(apply);
  for (const above of [document.documentElement, document.body]) {
    observer.observe(above, { attributes: true, attributeFilter: THEMES });
  }
  life.endings.push(() => observer.disconnect());
  life.listen(system, "change", apply);
  apply();
  whenPlaced(root, life, apply);
  const later = setTimeout(apply, 500); // a notebook may load the theme's colours after drawing
  life.endings.push(() => clearTimeout(later));
}
