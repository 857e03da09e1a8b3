// The colours and letters of the theme, for canvases.

import { colourTable, css, pixel } from "../weights/colours.js";

/**
 * @param {HTMLElement} root
 */
export function readTheme(root) {
  const style = getComputedStyle(root);
  const of = (/** @type {string} */ name) => style.getPropertyValue(`--bvl-${name}`).trim();
  const dark = root.dataset.theme === "dark";
  const size = Number.parseFloat(style.fontSize) || 15;
  const hidden = dark ? [52, 58, 66] : [226, 229, 233];
  return {
    key: [root.dataset.theme, size, of("paper"), of("ink"), window.devicePixelRatio].join(),
    dark,
    size,
    letters: style.fontFamily,
    ink: of("ink"),
    soft: of("soft"),
    paper: of("paper"),
    raised: of("raised"),
    line: of("line"),
    focus: of("focus"),
    chosen: of("chosen"),
    segments: [of("token"), of("position")],
    negative: of("negative").split(" ").map(Number),
    positive: of("positive").split(" ").map(Number),
    unsignedTable: colourTable(false, dark),
    signedTable: colourTable(true, dark),
    hidden: pixel(hidden),
    hiddenColour: css(hidden),
    single: dark ? [103, 176, 240] : [20, 99, 176],
  };
}

/** @typedef {ReturnType<typeof readTheme>} Theme */
