// What every view says, and what is answered to a reader instead of numbers.

import { COMMON_EN } from "./en.js";
import { heard, speaker } from "./speaker.js";
import { spoken } from "./language.js";
import { REFUSED_EN, REFUSED_ZH } from "./refused.js";
import { COMMON_ZH } from "./zh.js";

/** A text that every view has, by its key. */
export const sayCommon = speaker(COMMON_EN, COMMON_ZH);

/**
 * What Python or the engine refuses, in the language of the page. They say it in English; what is not in the table
 * stays as it was said.
 * @param {string} said
 * @returns {string}
 */
export function retell(said) {
  if (spoken() === "en") return said;
  const refused = heard(REFUSED_EN, said);
  return refused ? sayRefused(/** @type {keyof typeof REFUSED_EN} */ (refused.key), refused.values) : said;
}

const sayRefused = speaker(REFUSED_EN, REFUSED_ZH);

/**
 * What is said of a word that the vocabulary cannot spell, whether it is refused or read as [UNK]: the same everywhere.
 * @param {string} word
 * @param {string} unknown "[UNK]"
 */
export const sayNotSpelled = (word, unknown) => sayRefused("not_spelled", { word, unknown });
