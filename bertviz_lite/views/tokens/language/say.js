// A text of this view, by its key, in the language of the page.

import { speaker } from "../../base/js/language/speaker.js";
import { TOKENS_EN } from "./en.js";
import { TOKENS_ZH } from "./zh.js";

export const say = speaker(TOKENS_EN, TOKENS_ZH);

/** What Python and the engine say that normalisation did. */
const TOLD = /** @type {const} */ ([
  ...["nothing", "invisible", "mark_dropped", "invisible_dropped", "white_space", "chinese", "apart_dropped"],
  ...["apart", "apart_dropped_small", "apart_small", "capital", "another_way"],
]);

/** The same in the language of the page. @param {string} said */
export function retold(said) {
  const key = TOLD.find((name) => TOKENS_EN[name] === said);
  return key ? say(key) : said;
}
