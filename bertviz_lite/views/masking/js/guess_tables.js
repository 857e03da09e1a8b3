// What the model says at a place, with the token in its place and with it hidden: two tables of bars.

import { element } from "../../base/js/elements.js";
import { formatPercent } from "../../base/js/numbers.js";
import { quoted } from "./words.js";

/** Leading tokens with their probabilities, and that of the true one. @typedef {[[string, number][], number]} Guess */

/** @typedef {{before: Guess, after: Guess}} Guesses */

const TITLES = { before: "before: in its place", after: "after: hidden" };

/**
 * @param {Guesses} guesses
 * @param {string} truth the token that stands there
 * @returns {HTMLElement[]}
 */
export function guessTables(guesses, truth) {
  return /** @type {const} */ (["before", "after"]).map((name) => {
    const [top, share] = guesses[name];
    const rows = top.map(([token, probability]) => {
      const bar = element("span", { class: "bvl-strength", "aria-hidden": "true" });
      bar.style.inlineSize = `${(100 * probability).toFixed(2)}%`;
      return element(
        "tr",
        token === truth ? { class: "bvl-true" } : {},
        element("th", { scope: "row", class: "bvl-mono" }, token),
        element("td", {}, element("span", { class: "bvl-gauge" }, bar)),
        element("td", {}, formatPercent(probability)),
      );
    });
    const isListed = top.some(([token]) => token === truth);
    const truthToo = isListed ? "" : `; ${quoted(truth)} itself ${formatPercent(share)}`;
    return element("table", {}, element("caption", {}, `${TITLES[name]}${truthToo}`), element("tbody", {}, ...rows));
  });
}
