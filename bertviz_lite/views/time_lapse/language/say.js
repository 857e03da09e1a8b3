// A text of this view, by its key, in the language of the page.

import { spoken } from "../../base/js/language/language.js";
import { speaker } from "../../base/js/language/speaker.js";
import { TIME_LAPSE_EN } from "./en.js";
import { TIME_LAPSE_ZH } from "./zh.js";

export const say = speaker(TIME_LAPSE_EN, TIME_LAPSE_ZH);

const ABILITIES = /** @type {const} */ ([
  ...["agreement", "pronoun", "mention", "consequence", "masked_words", "next_part", "minimal_pairs", "senses"],
  ...["head_subject", "head_person"],
]);

/**
 * What an ability is called.
 * @param {string} name
 * @param {Record<string, string>} titles as Python tells them
 */
export function titleOf(name, titles) {
  const key = ABILITIES.find((known) => known === name.replace(".", "_"));
  return key && spoken() !== "en" ? say(key) : titles[name];
}
