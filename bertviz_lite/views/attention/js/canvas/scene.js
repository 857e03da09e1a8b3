// What canvases show: a picture, its size among others, and where the reader is.

/** @import { Axis } from "../weights/axis.js" */
/** @import { Shares } from "../weights/filters.js" */
/** @import { Ruler } from "./ruler.js" */
/** @import { Theme } from "./theme.js" */

/**
 * @typedef {object} Picture what one stage shows: a side, or the difference of both
 * @property {string} name
 * @property {number} side
 * @property {string} key differs whenever a drawn weight may
 * @property {Axis} rows
 * @property {Axis} columns
 * @property {{rows: boolean[], columns: boolean[]}} hidden tokens that the filters take away
 * @property {boolean} signed
 * @property {boolean} ready
 * @property {string} problem why there is nothing to show
 * @property {(head: number, row: number, out: Float32Array) => Shares} read weights as the filters leave them
 * @property {(head: number, row: number, out: Float32Array) => void} raw weights before the filters
 * @property {Picture[]} [parts] the two sides of a difference
 */

/**
 * @typedef {object} Extent the largest of the pictures side by side: all are drawn on the scale that it has room for
 * @property {number} rows
 * @property {number} columns
 * @property {string[]} rowNames of all pictures
 * @property {string[]} columnNames
 */

/**
 * @typedef {object} Focus the pair that is pointed at, or pinned
 * @property {number | null} query
 * @property {number | null} key
 */

/**
 * @typedef {object} Scene what a canvas shows
 * @property {Picture} picture
 * @property {Theme} theme
 * @property {Ruler} ruler
 * @property {Focus} focus what is pointed at, else pinned
 * @property {Focus} pinned
 * @property {number} head of the matrix
 * @property {{head: number, colour: number[]}[]} heads of the ribbons
 * @property {(head: number, query: number) => Float32Array | null} exact what a query gives, if it is here
 * @property {boolean} isHalf whether ribbons show of each query only the strongest that make up half of it
 */

/** Tokens that the filters take away have fainter names. */
export const FADED = 0.4;
