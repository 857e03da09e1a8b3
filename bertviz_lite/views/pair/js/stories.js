// Texts cut out of stories: A before a cut, B from it on. Pure functions.

/**
 * @typedef {{story: number, cut: number}} Cut a story, and how many of its sentences stand before the cut
 * @typedef {{name: string, sentences: string[]}} Story
 */

/**
 * The text of A, before its cut, and of B, from its cut on.
 * @param {Story[]} stories
 * @param {{a: Cut, b: Cut}} pick
 * @returns {{first: string, second: string}}
 */
export function textsOf(stories, { a, b }) {
  return {
    first: stories[a.story].sentences.slice(0, a.cut).join(" "),
    second: stories[b.story].sentences.slice(b.cut).join(" "),
  };
}

/**
 * Which cuts of which stories give these texts.
 * @param {Story[]} stories
 * @param {string} first
 * @param {string} second
 * @returns {{a: Cut | null, b: Cut | null}} null where the text is none of theirs
 */
export function findPick(stories, first, second) {
  /** @type {Cut | null} */
  let a = null;
  /** @type {Cut | null} */
  let b = null;
  for (const [story, { sentences }] of stories.entries()) {
    for (let cut = 1; cut < sentences.length; cut += 1) {
      const texts = textsOf(stories, { a: { story, cut }, b: { story, cut } });
      if (a === null && texts.first === first) a = { story, cut };
      if (b === null && texts.second === second) b = { story, cut };
    }
  }
  return { a, b };
}
