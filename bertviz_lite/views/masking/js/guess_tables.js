// What the model says at a place, with the token in its place and with it hidden: two tables of bars.

import { element } from "../../base/js/elements.js";
import { formatPercent } from "../../base/js/numbers.js";
import { quoted } from "./words.js";
import { say } from "../language/say.js";

/** Leading tokens with their probabilities, and that of the true one. @typedef {[[string, number][], number]} Guess */

/** @typedef {{before: Guess, after: Guess}} Guesses */

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
    const title = say(name);
    const values = { title, token: quoted(truth), share: formatPercent(share) };
    const caption = isListed ? title : say("truth_itself", values);
    return element("table", {}, element("caption", {}, caption), element("tbody", {}, ...rows));
  });
}
