// What every view says, and what is answered to a reader instead of numbers.

import { COMMON_EN } from "./en.js";
import { heard, speaker } from "./speaker.js";
import { spoken } from "./language.js";
import { CALLED_EN, CALLED_ZH, REFUSED_EN, REFUSED_ZH } from "./refused.js";
import { REFUSED_SAID } from "./said.js";
import { COMMON_ZH } from "./zh.js";

/** A text that every view has, by its key. */
export const sayCommon = speaker(COMMON_EN, COMMON_ZH);

/**
 * What Python or the engine refuses, in the language of the page, and without the names that things have in code; what
 * is not in the table stays as it was said.
 * @param {string} said
 * @returns {string}
 */
export function retell(said) {
  const refused = heard(REFUSED_SAID, said);
  if (!refused) return said;
  const { name, ...values } = refused.values;
  const called = /** @type {Record<string, string>} */ (spoken() === "zh" ? CALLED_ZH : CALLED_EN);
  return sayRefused(/** @type {keyof typeof REFUSED_EN} */ (refused.key), { ...values, name: called[name] ?? name });
}

const sayRefused = speaker(REFUSED_EN, REFUSED_ZH);

/**
 * What is said of a word that the vocabulary cannot spell, whether it is refused or read as [UNK]: the same everywhere.
 * @param {string} word
 * @param {string} unknown "[UNK]"
 */
export const sayNotSpelled = (word, unknown) => sayRefused("not_spelled", { word, unknown });
